// Which numbers may be told. Small and round ones are structure (sizes, rates, positions); long ones are data: card
// numbers, coordinates, identifiers.

/** Digits that matter: of 52.520008 eight, of 1_000_000 one. */
export function significantDigits(value: number | bigint): number {
  const [mantissa = ''] = String(value).toLowerCase().split('e');
  const digits = mantissa.replace(/[^\d]/g, '').replace(/^0+/, '');
  return mantissa.includes('.') ? digits.length : digits.replace(/0+$/, '').length;
}

/** Whether a number of the code is harmless: small, round, a power of two, or of few digits. */
export function isPlainNumber(value: number | bigint, digits = 4): boolean {
  if (typeof value === 'number' && !Number.isFinite(value)) return true;
  const whole = typeof value === 'bigint' || Number.isInteger(value);
  if (!whole) return significantDigits(value) <= digits;
  const size = value < 0 ? -value : value;
  if (size < 1000 || significantDigits(value) <= 2 || Math.log2(Number(size)) % 1 === 0) return true;
  return size < 10 ** digits;
}

/** The number with so many significant digits; those that have no more stay as they are. */
export function rounded(value: number, digits = 2): number {
  return Number.isFinite(value) ? Number(value.toPrecision(digits)) : value;
}
