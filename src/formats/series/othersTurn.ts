/** Reads are synchronous: between bursts, signals and messages have their turn. */
export function othersTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
