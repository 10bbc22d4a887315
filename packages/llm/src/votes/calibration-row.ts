// One row of the table that turns an agreement of answers into a confidence.
export interface CalibrationRow {
  /** The model whose answers were recorded, by its maker's name: "gpt-5". */
  readonly model: string;
  readonly outcome: 'crash' | 'ok';
  /** So many of the answers asked for agreed. */
  readonly agreeing: number;
  readonly asked: number;
  /** Polls that ended so, and how many of them were right. */
  readonly n: number;
  readonly right: number;
}
