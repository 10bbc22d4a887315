// Where a rank ran: as launchers, NCCL's log and the hooks say.

export interface Seat {
  readonly rank: number;
  readonly host: string | null;
  /** Number of the accelerator on its host. */
  readonly device: number | null;
  readonly pid: number | null;
  /** Where the accelerator sits, as `busOf` writes it. */
  readonly bus?: string | null;
}

/** What was not known before is added; what was known stays. */
export function seated(known: Seat | undefined, seat: Seat): Seat {
  return {
    rank: seat.rank,
    host: known?.host ?? seat.host,
    device: known?.device ?? seat.device,
    pid: known?.pid ?? seat.pid,
    bus: known?.bus ?? seat.bus ?? null,
  };
}

/** "0000:2d:00" of "00000000:2D:00.0" and "PCI:0000:2d:00"; null for anything else. */
export function busOf(text: string): string | null {
  const found = /([0-9a-f]{4}):([0-9a-f]{2}):([0-9a-f]{2})\b/i.exec(text);
  return found && `${found[1]}:${found[2]}:${found[3]}`.toLowerCase();
}

/** The same of the number that NCCL prints: "2d000". */
export function busOfNumber(hex: string): string {
  const number = Number.parseInt(hex, 16);
  const part = (shift: number, digits: number): string =>
    ((number / 2 ** shift) & (16 ** digits - 1)).toString(16).padStart(digits, '0');
  return `${part(20, 4)}:${part(12, 2)}:${part(4, 2)}`;
}
