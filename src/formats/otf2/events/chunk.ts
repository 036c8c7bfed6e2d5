import type { TypedValue } from '../bytes/values';

export interface Attribute extends TypedValue {
  /** Id of the attribute's definition. */
  readonly attribute: number;
}

/**
 * Events of one location, in columns; they are overwritten by the next chunk. The fields of event `i` are `values[first[i]]` to
 * `values[first[i + 1] - 1]`, in the order of its layout (`eventLayouts`); the types of metric values stand before each value.
 */
export interface EventChunk {
  readonly count: number;
  /** Type of the record. */
  readonly kind: Uint8Array;
  /**
   * Ticks since the global offset, corrected by the location's clock offsets; negative before it. Exact below 2^53 ticks (more than a month of a
   * 3 GHz clock); the archive has a note where times are not.
   */
  readonly time: Float64Array;
  /** One more than events. */
  readonly first: Uint32Array;
  readonly values: Float64Array;
  /** Integers from 2^53 on, by their position in `values`, which has the nearest double. */
  readonly exact: ReadonlyMap<number, bigint>;
  /** By position of the event. */
  readonly attributes: ReadonlyMap<number, readonly Attribute[]>;
}

/** A chunk that is filled. */
export class ChunkColumns implements EventChunk {
  count = 0;
  readonly kind: Uint8Array;
  readonly time: Float64Array;
  readonly first: Uint32Array;
  values: Float64Array;
  readonly exact = new Map<number, bigint>();
  readonly attributes = new Map<number, readonly Attribute[]>();
  /** Values in use. */
  used = 0;

  constructor(readonly capacity: number) {
    this.kind = new Uint8Array(capacity);
    this.time = new Float64Array(capacity);
    this.first = new Uint32Array(capacity + 1);
    this.values = new Float64Array(capacity * 2);
  }

  clear(): void {
    this.count = 0;
    this.used = 0;
    if (this.exact.size > 0) this.exact.clear();
    if (this.attributes.size > 0) this.attributes.clear();
  }

  /** Makes room for `count` values. */
  reserve(count: number): void {
    if (this.used + count <= this.values.length) return;
    const larger = new Float64Array(Math.max(this.values.length * 2, this.used + count));
    larger.set(this.values.subarray(0, this.used));
    this.values = larger;
  }

  push(value: number, exact?: bigint): void {
    this.reserve(1);
    if (exact !== undefined) this.exact.set(this.used, exact);
    this.values[this.used++] = value;
  }

  /** The values from here on belong to a new event. */
  begin(kind: number, time: number): void {
    this.kind[this.count] = kind;
    this.time[this.count] = time;
    this.first[this.count] = this.used;
  }

  finish(): void {
    this.first[++this.count] = this.used;
  }

  /** Forgets an event that was begun. */
  undo(): void {
    this.used = this.first[this.count] ?? 0;
  }
}
