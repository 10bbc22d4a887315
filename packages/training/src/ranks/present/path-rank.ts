// Which rank wrote a file, as its path says: "attempt_0/3/stderr.log" of torchrun, "rank_3/train.log", "replica_3/train.log", "train-rank3.log".

const forms: readonly RegExp[] = [
  /(?:^|\/)attempt_\d+\/(\d{1,6})\/[^/]+$/,
  /(?:^|[/_.-])(?:(?:global_?)?rank|replica)[-_. ]?(\d{1,6})(?![\d])[^/]*(?:\/[^/]+)?$/i,
];

export function rankOfPath(path: string): number | null {
  for (const form of forms) {
    const match = form.exec(path);
    if (match) return Number(match[1]);
  }
  return null;
}
