import { noFunction, type TimelineSpans } from '../pieces';

/** Turns ticks to seconds since the beginning of the trace. */
export interface Scale {
  readonly origin: number;
  readonly ticksPerSecond: number;
}

export function secondsOf(ticks: number, { origin, ticksPerSecond }: Scale): number {
  return (ticks - origin) / ticksPerSecond;
}

/** Times that are that close to a tick are those of it: seconds are rounded. */
const nearTick = 1e-3;

/** Of seconds that came from ticks, the same ticks again. */
export function ticksOf(seconds: number, { origin, ticksPerSecond }: Scale): number {
  const ticks = seconds * ticksPerSecond;
  const whole = Math.round(ticks);
  const tolerance = Math.max(nearTick, Math.abs(ticks) * 2 ** -50);
  return origin + (Math.abs(ticks - whole) <= tolerance ? whole : ticks);
}

/** Spans of rows, which grow at the end. */
export class SpanList {
  readonly #first: number[] = [0];
  #count = 0;
  #begin = new Float64Array(1024);
  #end = new Float64Array(1024);
  #functions = new Uint32Array(1024);
  #share = new Float32Array(1024);

  constructor(private readonly scale: Scale) {}

  /** @param begin ticks */
  add(begin: number, end: number, slot: number, share: number): void {
    const at = this.#count++;
    if (at === this.#begin.length) {
      this.#begin = doubled(this.#begin, new Float64Array(at * 2));
      this.#end = doubled(this.#end, new Float64Array(at * 2));
      this.#functions = doubled(this.#functions, new Uint32Array(at * 2));
      this.#share = doubled(this.#share, new Float32Array(at * 2));
    }
    this.#begin[at] = secondsOf(begin, this.scale);
    this.#end[at] = secondsOf(end, this.scale);
    this.#functions[at] = slot === 0 ? noFunction : slot - 1;
    this.#share[at] = share;
  }

  endRow(): void {
    this.#first.push(this.#count);
  }

  spans(): TimelineSpans {
    return {
      first: Uint32Array.from(this.#first),
      begin: this.#begin.slice(0, this.#count),
      end: this.#end.slice(0, this.#count),
      functions: this.#functions.slice(0, this.#count),
      share: this.#share.slice(0, this.#count),
    };
  }
}

function doubled<Column extends Float64Array | Float32Array | Uint32Array>(
  old: Column,
  larger: Column,
): Column {
  larger.set(old);
  return larger;
}
