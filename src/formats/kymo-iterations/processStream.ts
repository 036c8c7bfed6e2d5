import { KymoError } from '../../core/errors';
import type { ByteSource } from '../byteSource';
import { firstCounterSlot } from '../kymo-result/slots';
import type { IterationsFileErrorReason } from './iterationsFile';
import { VarintReader } from './varints';

/** A node of the call tree of a process, as its iterations refer to it. */
export interface StreamNode {
  /** Number of the thread in the result. */
  readonly thread: number;
  readonly slot: number;
  /** Whether the node counts visits of its slot that were not timed. */
  readonly untimed: boolean;
  /** Number of the parent node; 0 for a child of the thread's root, and for a phase. */
  readonly parent: number;
  /** Slots of the ancestors of a phase, outermost first; absent for other nodes. */
  readonly above?: readonly number[];
}

/** One visit of a phase. The arrays are reused for the next one. */
export interface StreamIteration {
  /** Number of the phase's node. */
  readonly phase: number;
  /** Whether the process ended during the iteration. */
  readonly cutShort: boolean;
  readonly count: number;
  /** Numbers of the visited nodes: the phase first, parents before their children. */
  readonly nodes: Uint32Array;
  readonly visits: Float64Array;
  readonly ticks: Float64Array;
  readonly childEvents: Float64Array;
  /** Time in which the thread of the phase was ready to run, and had no processor; no part of the ticks. */
  readonly preemptedNanoseconds: number;
}

const magic = 'KYMOITP2';
const headerBytes = 16;
const keys = { end: 0, node: 1, phase: 2, cutShort: 3, preempted: 4, values: 5 } as const;
const mostDepth = 1_000_000;
const untimedBit = 0x8000_0000;

/**
 * Reads the iterations that one process wrote while it ran (docs/formats.md, "Iterations of a process"). A file that ends within an iteration
 * is valid up to there: the disk was full, or the process was killed.
 */
export class ProcessStream {
  /** Nodes by number, from 1. */
  readonly nodes: (StreamNode | undefined)[] = [undefined];
  private readonly reader: VarintReader;
  private readonly sample = new GrowingSample();

  /**
   * @param blockBytes what is read at once
   * @throws KymoError `not-iterations`, or `other-selection`
   */
  constructor(
    source: ByteSource,
    private readonly file: string,
    selectionId: string,
    blockBytes?: number,
  ) {
    const header = Buffer.from(source.read(0, headerBytes));
    if (header.length < headerBytes || header.toString('latin1', 0, magic.length) !== magic)
      throw new KymoError<IterationsFileErrorReason>(
        'not-iterations',
        `${file} does not hold iterations of a process (it does not begin with ${magic}). Measure again.`,
        { file, offset: 0 },
      );
    const id = header.readBigUInt64LE(8).toString(16).padStart(16, '0');
    if (id !== selectionId)
      throw new KymoError(
        'other-selection',
        `${file} was measured with selection ${id}, not with ${selectionId}. Measure again with an empty folder for results.`,
        { file },
      );
    const fail = (offset: number, message: string): never => {
      if (offset >= source.size) throw new EndOfStream();
      return this.fail(offset, message);
    };
    this.reader = new VarintReader(source, headerBytes, source.size, fail, blockBytes);
  }

  /** The next iteration; undefined after the last one. @throws KymoError `invalid-iterations` */
  next(): StreamIteration | undefined {
    try {
      return this.reader.isAtEnd ? undefined : this.iteration();
    } catch (error) {
      if (error instanceof EndOfStream) return undefined;
      throw error;
    }
  }

  private iteration(): StreamIteration {
    const { reader, sample } = this;
    sample.count = 0;
    sample.preemptedNanoseconds = 0;
    for (;;) {
      const key = reader.next();
      if (key === keys.node) this.node();
      else if (key === keys.phase) this.phase();
      else if (key === keys.preempted) sample.preemptedNanoseconds += reader.next();
      else if (key >= keys.values) sample.add(this.checkedNumber(key - keys.values), reader);
      else return this.finished(key === keys.cutShort);
    }
  }

  private finished(cutShort: boolean): StreamIteration {
    const { sample } = this;
    const phase = sample.nodes[0] ?? 0;
    if (sample.count === 0 || this.nodes[phase]?.above === undefined)
      this.fail(this.reader.position, 'an iteration that is of no phase');
    return Object.assign(sample, { phase, cutShort });
  }

  private node(): void {
    const { reader } = this;
    const thread = reader.next();
    const parent = reader.next();
    if (parent !== 0) this.checkedNumber(parent);
    this.nodes.push({ thread, parent, ...slotOf(reader.next()) });
  }

  private phase(): void {
    const { reader } = this;
    const thread = reader.next();
    const slot = slotOf(reader.next());
    const depth = reader.next();
    if (depth > mostDepth) this.fail(reader.position, `a phase ${depth} calls deep`);
    const above = Array.from({ length: depth }, () => reader.next()).reverse();
    this.nodes.push({ thread, parent: 0, ...slot, above });
  }

  private checkedNumber(number: number): number {
    if (number < 1 || number >= this.nodes.length)
      this.fail(this.reader.position, `node ${number} is not known`);
    return number;
  }

  private fail(offset: number, message: string): never {
    throw new KymoError<IterationsFileErrorReason>(
      'invalid-iterations',
      `${this.file}, byte ${offset}: ${message}. The file is damaged; measure again.`,
      { file: this.file, offset },
    );
  }
}

class EndOfStream extends Error {}

/** What the slot of a node means, as it is written. */
export function slotOf(raw: number): Pick<StreamNode, 'slot' | 'untimed'> {
  const untimed = raw >= untimedBit && raw < firstCounterSlot;
  return { slot: untimed ? raw - untimedBit : raw, untimed };
}

class GrowingSample {
  phase = 0;
  cutShort = false;
  preemptedNanoseconds = 0;
  count = 0;
  nodes: Uint32Array = new Uint32Array(64);
  visits: Float64Array = new Float64Array(64);
  ticks: Float64Array = new Float64Array(64);
  childEvents: Float64Array = new Float64Array(64);

  add(node: number, reader: VarintReader): void {
    if (this.count === this.nodes.length) this.grow();
    this.nodes[this.count] = node;
    this.visits[this.count] = reader.next();
    this.ticks[this.count] = reader.next();
    this.childEvents[this.count] = reader.next();
    this.count++;
  }

  private grow(): void {
    const nodes = new Uint32Array(2 * this.count);
    nodes.set(this.nodes);
    this.nodes = nodes;
    const twice = (values: Float64Array): Float64Array => {
      const longer = new Float64Array(2 * this.count);
      longer.set(values);
      return longer;
    };
    this.visits = twice(this.visits);
    this.ticks = twice(this.ticks);
    this.childEvents = twice(this.childEvents);
  }
}
