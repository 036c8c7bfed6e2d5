import { enterEvent, leaveEvent, otherEvent, type CallColumns } from '../../core/timeline/index/callStack';
import type { EventChunk } from '../../formats/otf2/events/chunk';
import { enterKind, eventKind, leaveKind } from '../../formats/otf2/layouts/events';
import type { FunctionSlots } from './functionSlots';

/** What records mean for the call stack, by their type; from `contextEnter` on the field is a calling context. */
const meaning = new Uint8Array(256).fill(otherEvent);
const contextEnter = 3;
const contextLeave = 4;
meaning[enterKind] = enterEvent;
meaning[leaveKind] = leaveEvent;
meaning[eventKind('CALLING_CONTEXT_ENTER')] = contextEnter;
meaning[eventKind('CALLING_CONTEXT_LEAVE')] = contextLeave;

/** The events of a block, for the call stack. */
export class CallBlock implements CallColumns {
  count = 0;
  kind = new Uint8Array(0);
  time = new Float64Array(0);
  slot = new Uint32Array(0);

  constructor(private readonly functions: FunctionSlots) {}

  add(chunk: EventChunk): void {
    const base = this.count;
    this.#reserve(base + chunk.count);
    const { kind, time, slot, functions } = this;
    const { values, first } = chunk;
    time.set(chunk.time.subarray(0, chunk.count), base);
    for (let index = 0; index < chunk.count; index++) {
      const type = meaning[chunk.kind[index] ?? 0] ?? otherEvent;
      kind[base + index] = type;
      if (type === otherEvent) continue;
      const value = values[first[index] ?? 0] ?? 0;
      const which = type >= contextEnter ? functions.ofContext(value) : functions.ofRegion(value);
      slot[base + index] = which;
      if (which === 0) kind[base + index] = otherEvent;
      else if (type >= contextEnter) kind[base + index] = type === contextEnter ? enterEvent : leaveEvent;
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
