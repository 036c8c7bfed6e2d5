/** Reads are synchronous: between bursts, this lets signals and messages be processed. */
export function othersTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
