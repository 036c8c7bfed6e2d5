import { enterEvent, leaveEvent, otherEvent, type CallColumns } from '../../core/timeline/index/callStack';
import type { EventChunk } from '../../formats/otf2/events/chunk';
import { callKind, type TraceFunctions } from '../../formats/otf2/functions';

/** The events of a block, for the call stack. */
export class CallBlock implements CallColumns {
  count = 0;
  kind = new Uint8Array(0);
  time = new Float64Array(0);
  slot = new Uint32Array(0);

  constructor(private readonly functions: TraceFunctions) {}

  add(chunk: EventChunk): void {
    const base = this.count;
    this.#reserve(base + chunk.count);
    const { kind, time, slot, functions } = this;
    const { values, first } = chunk;
    time.set(chunk.time.subarray(0, chunk.count), base);
    for (let index = 0; index < chunk.count; index++) {
      const type = chunk.kind[index] ?? 0;
      const means = callKind(type);
      kind[base + index] = otherEvent;
      if (means === undefined || means === 'sample') continue;
      const position = functions.positionOf(type, values[first[index] ?? 0] ?? 0);
      slot[base + index] = position + 1;
      if (position >= 0) kind[base + index] = means === 'enter' ? enterEvent : leaveEvent;
    }
    this.count += chunk.count;
  }

  #reserve(count: number): void {
    if (count <= this.kind.length) return;
    const length = Math.max(count, this.kind.length * 2);
    const kind = new Uint8Array(length);
    kind.set(this.kind);
    this.kind = kind;
    const time = new Float64Array(length);
    time.set(this.time);
    this.time = time;
    const slot = new Uint32Array(length);
    slot.set(this.slot);
    this.slot = slot;
  }
}
