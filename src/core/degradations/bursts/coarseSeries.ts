/**
 * A series of any length in constant memory: means of blocks of 2^k consecutive values. When it is full, neighbours are put together and
 * blocks become twice as long (specification of performance dynamics, §11.2.3; there the first blocks are a sixteenth of a burst).
 */
export class CoarseSeries {
  private readonly means: number[] = [];
  private length = 1;
  private openSum = 0;
  private openCount = 0;
  private total = 0;

  /** @param capacity even, at least 2 */
  constructor(private capacity: number) {}

  /** Values so far. */
  get count(): number {
    return this.total;
  }

  /** Values behind each mean but the last. */
  get blockLength(): number {
    return this.length;
  }

  push(values: Float64Array): void {
    for (const value of values) {
      this.openSum += value;
      this.total++;
      if (++this.openCount < this.length) continue;
      this.means.push(this.openSum / this.length);
      this.openSum = 0;
      this.openCount = 0;
      this.makeRoom();
    }
  }

  /** Reduces the maximum number of means. */
  shrink(capacity: number): void {
    this.capacity = Math.max(2, capacity - (capacity % 2));
    this.makeRoom();
  }

  /** All means; the last one may cover fewer values. */
  values(): Float64Array {
    const open = this.openCount > 0 ? [this.openSum / this.openCount] : [];
    return Float64Array.from([...this.means, ...open]);
  }

  private makeRoom(): void {
    while (this.means.length >= this.capacity) this.halve();
  }

  /** A remaining mean at the end becomes the beginning of the open block. */
  private halve(): void {
    const pairs = this.means.length >> 1;
    for (let index = 0; index < pairs; index++)
      this.means[index] = ((this.means[2 * index] ?? 0) + (this.means[2 * index + 1] ?? 0)) / 2;
    if (this.means.length % 2 === 1) {
      this.openSum += (this.means.at(-1) ?? 0) * this.length;
      this.openCount += this.length;
    }
    this.means.length = pairs;
    this.length *= 2;
  }
}
