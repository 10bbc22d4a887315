// Sentences that libraries print beside every error of a kind. They are advice, not observation: taking them as
// evidence blames fragmentation or asynchronous kernels for whatever happened.

const advice =
  /^(?:CUDA|HIP) kernel errors might be asynchronously reported|^For debugging consider passing|^Compile with `TORCH_USE_|^Device-side assertion tracking was not enabled|^Search for `cuda|^If reserved (?:but unallocated )?memory is (?:large|>>)|^To enable traceback see|^Set the environment variable HYDRA_FULL_ERROR|^NaN or Inf found in input tensor\.?$/;

export function isAdvice(text: string): boolean {
  return advice.test(text.trimStart());
}

/** The same sentences where they are glued behind an error on one line. */
export function withoutAdvice(text: string): string {
  return text
    .replace(/\s*If reserved (?:but unallocated )?memory is (?:large|>>).*$/s, '')
    .replace(/\s*See documentation for Memory Management.*$/s, '')
    .replace(/\s*(?:CUDA|HIP) kernel errors might be asynchronously.*$/s, '');
}
