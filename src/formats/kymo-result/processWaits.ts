import type { ByteSource } from '../byteSource';
import { counterNames, type CounterName } from './slots';

/** What a node of a process waited for other processes in an iteration. */
export interface ProcessWait {
  /** Number of the node, as in the process's `ProcessStream`. */
  readonly node: number;
  readonly counter: CounterName;
  readonly ticks: number;
}

export const waitBytes = 24;
const recordsAtOnce = 2048;

/** Reads what the iterations of a process waited, which is known only when the job ends (docs/formats.md, "Result of a job"). */
export class ProcessWaits {
  private position = 0;
  private begin = 0;
  private view: DataView = new DataView(new ArrayBuffer(0));

  constructor(private readonly source: ByteSource) {}

  /** The waits of an iteration, counted from 0. Iterations are asked for in order; those between two that are asked for are skipped. */
  of(iteration: number): readonly ProcessWait[] {
    const found: ProcessWait[] = [];
    for (; this.load(); this.position += waitBytes) {
      const at = this.position - this.begin;
      const next = this.view.getUint32(at, true);
      if (next > iteration) break;
      const counter = counterNames[this.view.getUint32(at + 8, true)];
      if (next < iteration || counter === undefined) continue;
      const ticks = Number(this.view.getBigUint64(at + 16, true));
      found.push({ node: this.view.getUint32(at + 4, true), counter, ticks });
    }
    return found;
  }

  /** Makes the next record available; false when there is none. */
  private load(): boolean {
    if (this.position + waitBytes <= this.begin + this.view.byteLength) return true;
    const bytes = this.source.read(this.position, recordsAtOnce * waitBytes);
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.begin = this.position;
    return bytes.length >= waitBytes;
  }
}
