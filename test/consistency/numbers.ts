/** Doubles that were added in another order. */
export const relative = 1e-6;

/** Whether two numbers that stand for the same thing do. */
export function agree(a: number, b: number, absolute = 1e-9): boolean {
  return Math.abs(a - b) <= absolute + relative * Math.max(Math.abs(a), Math.abs(b));
}

/** `[]`, or a sentence with both numbers. */
export function sameNumber(
  what: string,
  a: number | undefined,
  b: number | undefined,
  absolute?: number,
): readonly string[] {
  if (a === undefined || b === undefined || agree(a, b, absolute)) return [];
  return [`${what}: ${a} and ${b}`];
}
