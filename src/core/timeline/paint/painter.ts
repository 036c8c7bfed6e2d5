import type { SpanList } from './spanList';

const none = 0xffff_ffff;
/** Pieces of almost a pixel are as long as one: edges are rounded. */
const almost = 1 - 1e-9;

/**
 * Paints one row: pieces of time come in their order, each with the function that ran in it, and in each pixel the function with the most time is chosen.
 * Neighbouring pixels with the same function are a span. Pieces of a pixel and more keep their exact begin and end.
 */
export class Painter {
  /** Ticks of a pixel. */
  readonly pixel: number;
  readonly #sums: Float64Array;
  /** Functions with time in the current pixel, the first `#touches`. */
  readonly #touched: Uint32Array;
  #touches = 0;
  #current = 0;
  /** Where the pieces so far end. */
  #reached: number;
  readonly #winner: Uint32Array;
  readonly #time: Float64Array;
  /** By edge of a pixel: the piece across it. */
  readonly #crossing: Pieces;
  /** By pixel: the last piece that lies in it. */
  readonly #inner: Pieces;

  /**
   * @param from ticks
   * @param splits whether pieces of the same function that follow each other are different spans: calls
   */
  constructor(
    readonly from: number,
    readonly to: number,
    private readonly pixels: number,
    slots: number,
    private readonly splits = false,
  ) {
    this.pixel = (to - from) / pixels;
    this.#sums = new Float64Array(slots);
    this.#touched = new Uint32Array(slots);
    this.#winner = new Uint32Array(pixels);
    this.#time = new Float64Array(pixels);
    this.#crossing = new Pieces(pixels + 2);
    this.#inner = new Pieces(pixels + 1);
    this.#reached = from;
  }

  /** @param share of the piece's time in which the function ran; 1: the piece is the function's own */
  add(begin: number, end: number, slot: number, share: number): void {
    const from = begin > this.#reached ? begin : this.#reached;
    const to = end < this.to ? end : this.to;
    if (from >= to) return;
    // Nothing was recorded up to here.
    if (from > this.#reached) this.#piece(this.#reached, from, 0, 1);
    this.#piece(from, to, slot, share);
    this.#reached = to;
  }

  #pixelAt(time: number): number {
    const at = Math.floor((time - this.from) / this.pixel);
    return at < this.pixels ? at : this.pixels - 1;
  }

  #edge(at: number): number {
    return at >= this.pixels ? this.to : this.from + at * this.pixel;
  }

  #piece(begin: number, end: number, slot: number, share: number): void {
    const first = this.#pixelAt(begin);
    const last = this.#pixelAt(end);
    if (first !== this.#current) this.#moveTo(first);
    if (first === last) {
      this.#count(slot, (end - begin) * share);
      this.#inner.set(first, begin, end, slot, share);
    } else this.#across(begin, end, first, last, slot, share);
    if (begin <= this.#edge(first)) this.#crossing.set(first, begin, end, slot, share);
    for (let at = first + 1; at <= last; at++) this.#crossing.set(at, begin, end, slot, share);
  }

  #across(begin: number, end: number, first: number, last: number, slot: number, share: number): void {
    this.#count(slot, (this.#edge(first + 1) - begin) * share);
    for (let at = first + 1; at < last; at++) {
      this.#moveTo(at);
      this.#count(slot, this.pixel * share);
    }
    this.#moveTo(last);
    this.#count(slot, (end - this.#edge(last)) * share);
  }

  #count(slot: number, time: number): void {
    const known = this.#sums[slot] ?? 0;
    if (known === 0) this.#touched[this.#touches++] = slot;
    // What was rounded to nothing is there all the same.
    this.#sums[slot] = known + Math.max(time, Number.MIN_VALUE);
  }

  #moveTo(pixel: number): void {
    let best = 0;
    let most = 0;
    for (let touch = 0; touch < this.#touches; touch++) {
      const slot = this.#touched[touch] ?? 0;
      const time = this.#sums[slot] ?? 0;
      if (time > most) {
        most = time;
        best = slot;
      }
      this.#sums[slot] = 0;
    }
    this.#touches = 0;
    this.#winner[this.#current] = best;
    this.#time[this.#current] = most;
    this.#current = pixel;
  }

  /** Adds the row's spans, and begins a new row. */
  finish(list: SpanList): void {
    if (this.#reached < this.to) this.#piece(this.#reached, this.to, 0, 1);
    this.#moveTo(0);
    let begin = this.from;
    /** The function's time in the span so far, and what of it is in front of the span's first pixel. */
    let time = 0;
    for (let at = 0; at < this.pixels; at++) {
      const slot = this.#winner[at] ?? 0;
      time += this.#time[at] ?? 0;
      const change = this.#change(at, slot);
      if (change === undefined) continue;
      const edge = this.#edge(change.isInside ? at : at + 1);
      const { end, next } = change;
      list.add(begin, end, slot, shareOf(begin, end, time + Math.max(0, end - edge)));
      if (next > end) this.#between(list, at, end, next);
      begin = next;
      time = change.isInside ? this.#edge(at + 1) - next : Math.max(0, edge - next);
    }
    list.endRow();
    this.#crossing.clear();
    this.#inner.clear();
    this.#reached = this.from;
  }

  /** Whether the span ends in or behind a pixel, and where it and the next one begin. */
  #change(at: number, slot: number): Change | undefined {
    if (at + 1 === this.pixels) return { end: this.to, next: this.to, isInside: false };
    const following = this.#winner[at + 1] ?? 0;
    if (following === slot) return this.splits ? this.#split(at, slot) : undefined;
    const edge = this.#edge(at + 1);
    const next = this.#beginOf(at + 1, following);
    const end = this.#endOf(at, slot);
    const till = next < edge ? Math.min(end, next) : end;
    return this.#joined(at, till, Math.max(till, next));
  }

  /** Where the call of a function ends that the next call of the same function follows, both of a pixel and more. */
  #split(at: number, slot: number): Change | undefined {
    if (!this.#isLong(at, slot)) return undefined;
    const end = this.#crossing.end[at] ?? 0;
    const edge = this.#edge(at + 1);
    if (end > edge) return undefined;
    const isInside = this.#isLong(at + 1, slot);
    if (!isInside && !this.#isLong(at + 2, slot)) return undefined;
    const next = this.#crossing.begin[isInside ? at + 1 : at + 2] ?? 0;
    if (next < end || (!isInside && this.#crossing.slot[at + 1] === slot)) return undefined;
    return { ...this.#joined(at, end, next), isInside };
  }

  #joined(at: number, end: number, next: number): Change {
    return { end: next > end && this.#gap(at, end, next) === undefined ? next : end, next, isInside: false };
  }

  /** Of the span that ends with a pixel: exact where a piece of a pixel and more does. */
  #endOf(at: number, slot: number): number {
    const edge = this.#edge(at + 1);
    if (this.#isOwn(at + 1, slot)) return Math.min(this.#crossing.end[at + 1] ?? edge, this.#edge(at + 2));
    const end = Math.min(edge, this.#crossing.end[at] ?? edge);
    return this.#isLong(at, slot) && this.#isAll(at, end - this.#edge(at)) ? end : edge;
  }

  #beginOf(at: number, slot: number): number {
    const edge = this.#edge(at);
    if (this.#isOwn(at, slot)) return Math.max(this.#crossing.begin[at] ?? edge, this.#edge(at - 1));
    const begin = Math.max(edge, this.#crossing.begin[at + 1] ?? edge);
    return this.#isLong(at + 1, slot) && this.#isAll(at, this.#edge(at + 1) - begin) ? begin : edge;
  }

  /** Whether the function that won a pixel has no other time in it. */
  #isAll(pixel: number, time: number): boolean {
    return time >= (this.#time[pixel] ?? 0) * almost;
  }

  #isOwn(edge: number, slot: number): boolean {
    return this.#crossing.slot[edge] === slot && this.#crossing.share[edge] === 1;
  }

  #isLong(edge: number, slot: number): boolean {
    const { begin, end } = this.#crossing;
    return this.#isOwn(edge, slot) && (end[edge] ?? 0) - (begin[edge] ?? 0) >= this.pixel * almost;
  }

  /** A piece that lies between two spans, and has won no pixel. */
  #gap(at: number, from: number, to: number): Found | undefined {
    const edge = this.#edge(at + 1);
    if (to <= edge) return this.#inner.at(at, from, to);
    if (from >= edge) return this.#inner.at(at + 1, from, to);
    return this.#crossing.at(at + 1, from, to) ?? this.#inner.at(at, from, to);
  }

  #between(list: SpanList, at: number, from: number, to: number): void {
    const found = this.#gap(at, from, to);
    if (found !== undefined) list.add(from, to, found.slot, shareOf(from, to, found.time));
  }
}

/** Where a span ends, and where the next one begins. */
interface Change {
  readonly end: number;
  readonly next: number;
  /** Both are in the same pixel, which belongs to both. */
  readonly isInside: boolean;
}

interface Found {
  readonly slot: number;
  readonly time: number;
}

/** Pieces by pixel or by edge. */
class Pieces {
  readonly slot: Uint32Array;
  readonly begin: Float64Array;
  readonly end: Float64Array;
  readonly share: Float32Array;

  constructor(count: number) {
    this.slot = new Uint32Array(count).fill(none);
    this.begin = new Float64Array(count);
    this.end = new Float64Array(count);
    this.share = new Float32Array(count);
  }

  clear(): void {
    this.slot.fill(none);
  }

  set(at: number, begin: number, end: number, slot: number, share: number): void {
    this.slot[at] = slot;
    this.begin[at] = begin;
    this.end[at] = end;
    this.share[at] = share;
  }

  /** The piece, where it is in a stretch of time. */
  at(position: number, from: number, to: number): Found | undefined {
    const slot = this.slot[position] ?? none;
    const time = Math.min(to, this.end[position] ?? 0) - Math.max(from, this.begin[position] ?? 0);
    return slot === none || time <= 0 ? undefined : { slot, time: time * (this.share[position] ?? 0) };
  }
}

function shareOf(begin: number, end: number, time: number): number {
  return end > begin ? Math.max(0, Math.min(1, time / (end - begin))) : 1;
}
