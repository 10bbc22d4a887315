// What stands in place of a text: that it is one, how long it is, and whether it names a file of a usual kind.

const suffixes = new Set(
  (
    'csv tsv txt json jsonl parquet feather xls xlsx pkl pickle npy npz h5 hdf5 pt pth bin safetensors onnx keras zip gz tar ' +
    'png jpg jpeg gif tif tiff bmp webp wav mp3 mp4 py ipynb yaml yml toml ini cfg log db sqlite xml html pdf'
  ).split(' '),
);

/** '<str 24>', or '<str 24 ending in .csv>'. */
export function kindOfText(text: string): string {
  const suffix = suffixOf(text);
  return suffix === '' ? `<str ${text.length}>` : `<str ${text.length} ending in ${suffix}>`;
}

/** The ending of a file name where it says which format it is; else nothing. */
export function suffixOf(text: string): string {
  const dot = text.lastIndexOf('.');
  const suffix = dot === -1 ? '' : text.slice(dot + 1).toLowerCase();
  return suffixes.has(suffix) ? `.${suffix}` : '';
}
