import { atFloat, atUint } from '../../core/at';
import {
  headerBytes,
  iterationsPerMark,
  magicOf,
  ticksPerSecond,
  type IterationsDirectory,
  type IterationSample,
} from './iterationsFile';

const blockBytes = 1 << 18;
/** Numbers are below 2^53, with seven bits a byte. */
const mostBytesPerNumber = 8;

/** Writes an `iterations.kymo` in pieces: each goes to `sink` in order, which must use it before the next call. */
export class IterationsWriter {
  private readonly block = new Uint8Array(blockBytes);
  private used = 0;
  private written = 0;
  private readonly marks: number[] = [];
  private iterations = 0;

  /** @param hasWaits whether the waits are known; otherwise they are not written */
  constructor(
    private readonly sink: (bytes: Uint8Array) => void,
    private readonly hasWaits = false,
  ) {
    this.sink(new Uint8Array(headerBytes));
    this.written = headerBytes;
  }

  /** Appends the next iteration. */
  add({ count, contexts, visits, seconds, childEvents, waitSeconds, preempted = [] }: IterationSample): void {
    if (this.iterations++ % iterationsPerMark === 0) this.marks.push(this.written + this.used);
    this.put(count);
    let before = -1;
    for (let i = 0; i < count; i++) {
      const context = atUint(contexts, i);
      if (context <= before) throw new RangeError(`context ${context} after ${before}`);
      this.put(context - before - 1);
      this.put(atFloat(visits, i));
      this.put(Math.round(atFloat(seconds, i) * ticksPerSecond));
      this.put(atFloat(childEvents, i));
      if (this.hasWaits) this.put(Math.round((waitSeconds?.[i] ?? 0) * ticksPerSecond));
      before = context;
    }
    this.put(preempted.length);
    for (const phase of preempted) {
      this.put(phase.context);
      this.put(Math.round(phase.seconds * ticksPerSecond));
    }
  }

  /** Appends the directory. @returns the header; until the caller writes it over the first bytes, the file is not valid */
  finish(directory: Omit<IterationsDirectory, 'iterations'>): Uint8Array {
    const { text, header } = this.ending(directory);
    this.sink(text);
    return header;
  }

  /** What makes a whole file of the iterations so far: the directory to append to a copy, and its header. More may be added afterwards. */
  ending(directory: Omit<IterationsDirectory, 'iterations'>): {
    readonly text: Uint8Array;
    readonly header: Uint8Array;
  } {
    const text = Buffer.from(
      JSON.stringify({
        kymoIterations: 1,
        ...directory,
        contexts: directory.contexts.map(({ region, parent = -1, location }) => [region, parent, location]),
        locations: directory.locations.map(({ rank, thread }) => [rank, thread]),
        marks: this.marks,
      }),
    );
    this.flush();
    const header = Buffer.alloc(headerBytes);
    header.write(magicOf(this.hasWaits), 'latin1');
    header.writeBigUInt64LE(BigInt(this.written), 16);
    header.writeBigUInt64LE(BigInt(text.length), 24);
    header.writeBigUInt64LE(BigInt(this.iterations), 32);
    return { text, header };
  }

  /** Writes seven bits a byte, the lowest first; the highest bit marks that more follow. Bit operations would be limited to 2^32. */
  private put(value: number): void {
    if (this.used + mostBytesPerNumber > blockBytes) this.flush();
    let rest = value;
    while (rest > 0x7f) {
      this.block[this.used++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.block[this.used++] = rest;
  }

  private flush(): void {
    this.sink(this.block.subarray(0, this.used));
    this.written += this.used;
    this.used = 0;
  }
}
