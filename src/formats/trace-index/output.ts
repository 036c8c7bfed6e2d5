/** Takes the bytes of the index, in their order. */
export type Append = (bytes: Uint8Array) => void;

const blockBytes = 1 << 20;

/** Joins small pieces. */
export class Output {
  #block = new Uint8Array(blockBytes);
  #used = 0;
  #written = 0;

  constructor(private readonly append: Append) {}

  get position(): number {
    return this.#written + this.#used;
  }

  write(bytes: Uint8Array): void {
    if (this.#used + bytes.length > blockBytes) this.flush();
    if (bytes.length > blockBytes) {
      this.append(bytes);
      this.#written += bytes.length;
      return;
    }
    this.#block.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  flush(): void {
    if (this.#used === 0) return;
    this.append(this.#block.subarray(0, this.#used));
    this.#written += this.#used;
    this.#used = 0;
  }
}
