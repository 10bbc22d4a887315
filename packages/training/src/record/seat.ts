// Where a rank ran: as launchers, NCCL's log and the hooks say.

export interface Seat {
  readonly rank: number;
  readonly host: string | null;
  /** Number of the accelerator on its host. */
  readonly device: number | null;
  readonly pid: number | null;
}

/** What was not known before is added; what was known stays. */
export function seated(known: Seat | undefined, seat: Seat): Seat {
  return {
    rank: seat.rank,
    host: known?.host ?? seat.host,
    device: known?.device ?? seat.device,
    pid: known?.pid ?? seat.pid,
  };
}
