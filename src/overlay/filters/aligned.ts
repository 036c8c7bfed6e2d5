import { at, atFloat, atUint } from '../../core/at';
import { OverlayError } from '../packets/overlayError';
import { firstUserTag, Packet } from '../packets/packet';
import type { Packable } from '../packets/values';
import { Ordinal } from '../services/ordinal';
import type { Aggregation, Operation, Quantity, Sample } from '../services/sample';
import { TimeAligned, type Intervals } from '../services/timeAligned';
import type { Filter, FilterOutput, FilterPlace } from './filter';

/** How samples of a stream are aggregated; the same in all processes. `ordinal`: the n-th samples, as a baseline. */
export interface AlignedSettings {
  readonly intervals: Intervals | { readonly kind: 'ordinal' };
  readonly operation: Operation;
  readonly quantity: Quantity;
  /** Where the first interval begins, in seconds of the front end's clock. */
  readonly start: number;
}

const modes = ['fixed', 'earliest-end', 'ordinal'] as const;
const operations: readonly Operation[] = ['sum', 'min', 'max', 'mean'];
const quantities: readonly Quantity[] = ['delta', 'level'];
const settingsFormat = '%uc %uc %uc %lf %lf';
/** Values, begins and ends in seconds, coverages, weights: as many of each. */
export const samplesFormat = '%alf %alf %alf %alf %alf';
/** The same after the child that each sample is of. */
const stateFormat = `%aud ${samplesFormat}`;

/** Parameters of the filter `aligned`; setting a width that is twice as large doubles the intervals from then on. */
export function alignedParameters({
  intervals,
  operation,
  quantity,
  start,
}: AlignedSettings): readonly [format: string, ...values: readonly Packable[]] {
  const width = intervals.kind === 'fixed' ? intervals.width : 0;
  return [
    settingsFormat,
    modes.indexOf(intervals.kind),
    operations.indexOf(operation),
    quantities.indexOf(quantity),
    start,
    width,
  ];
}

/**
 * Time-aligned aggregation (specification §3.4) of streams that do not wait: the aggregation itself waits for children. What it has of them and has not
 * passed on is its state, so that deltas are conserved when processes are lost.
 */
export class Aligned implements Filter {
  private aggregation: Aggregation | undefined;
  private settings: AlignedSettings | undefined;
  private children: readonly number[];
  /** Complete, and not passed on yet: it became so when children changed. */
  private ready: Sample[] = [];

  constructor(private readonly place: FilterPlace) {
    this.children = place.children;
  }

  apply(wave: readonly Packet[], output: FilterOutput): void {
    const { aggregation } = this;
    if (aggregation === undefined)
      throw new OverlayError('filter', 'The filter “aligned” needs its parameters before the first sample.');
    const passedOn = this.ready;
    this.ready = [];
    for (const packet of wave)
      for (const sample of readSamples(packet)) passedOn.push(...aggregation.push(packet.source, sample));
    const [first] = wave;
    if (passedOn.length > 0 && first !== undefined)
      output.up(samplesPacket(first.tag, this.place.rank, passedOn));
  }

  setParameters(parameters: Packet): void {
    const settings = readSettings(parameters);
    const before = this.settings;
    this.settings = settings;
    const { aggregation } = this;
    if (
      before?.intervals.kind === 'fixed' &&
      settings.intervals.kind === 'fixed' &&
      aggregation instanceof TimeAligned
    )
      for (let { width } = before.intervals; width < settings.intervals.width; width *= 2)
        aggregation.double();
    else this.aggregation = newAggregation(settings, this.children);
  }

  setChildren(children: readonly number[]): void {
    const { aggregation } = this;
    for (const child of children) if (!this.children.includes(child)) aggregation?.join(child);
    for (const child of this.children)
      if (!children.includes(child)) this.ready.push(...(aggregation?.leave(child) ?? []));
    this.children = children;
  }

  state(): Packet | undefined {
    const ready = this.ready.map((sample) => ({ child: this.place.rank, sample }));
    const waiting = [...ready, ...(this.aggregation?.waiting() ?? [])];
    if (waiting.length === 0) return undefined;
    const ranks = waiting.map(({ child }) => child);
    const columns = columnsOf(waiting.map(({ sample }) => sample));
    return Packet.of(firstUserTag, this.place.rank, stateFormat, [ranks, ...columns]);
  }

  /** Of children that are another process's now, nothing more is waited for. */
  adopt(state: Packet): void {
    const [ranks, ...columns] = state.unpack(stateFormat);
    const { aggregation } = this;
    samplesOf(columns as Float64Array[]).forEach((sample, position) => {
      const child = atUint(ranks as Uint32Array, position);
      const isOwn = this.children.includes(child);
      if (aggregation === undefined) return;
      if (!isOwn) aggregation.join(child);
      this.ready.push(...aggregation.push(child, sample));
      if (!isOwn) this.ready.push(...aggregation.leave(child));
    });
  }
}

/** @throws OverlayError `format`, `malformed` */
export function readSamples(packet: Packet): readonly Sample[] {
  return samplesOf(packet.unpack(samplesFormat) as readonly Float64Array[]);
}

function samplesPacket(tag: number, rank: number, samples: readonly Sample[]): Packet {
  return Packet.of(tag, rank, samplesFormat, columnsOf(samples));
}

function columnsOf(samples: readonly Sample[]): readonly (readonly number[])[] {
  return [
    samples.map(({ value }) => value),
    samples.map(({ start }) => start),
    samples.map(({ end }) => end),
    samples.map(({ coverage = 1 }) => coverage),
    samples.map(({ weight = 1 }) => weight),
  ];
}

function samplesOf(columns: readonly Float64Array[]): readonly Sample[] {
  const values = at(columns, 0);
  if (columns.some(({ length }) => length !== values.length))
    throw new OverlayError('malformed', 'The columns of a packet with samples have different lengths.');
  const cell = (column: number, row: number): number => atFloat(at(columns, column), row);
  return Array.from(values, (value, row) => ({
    value,
    start: cell(1, row),
    end: cell(2, row),
    coverage: cell(3, row),
    weight: cell(4, row),
  }));
}

function readSettings(parameters: Packet): AlignedSettings {
  const [mode, operation, quantity, start, width] = parameters.unpack(settingsFormat).map(Number);
  const kind = modes[mode ?? -1];
  const chosen = { operation: operations[operation ?? -1], quantity: quantities[quantity ?? -1] };
  if (kind === undefined || chosen.operation === undefined || chosen.quantity === undefined)
    throw new OverlayError('filter', 'These are no parameters of the filter “aligned”.');
  return {
    intervals: kind === 'fixed' ? { kind, width: width ?? 0 } : { kind },
    operation: chosen.operation,
    quantity: chosen.quantity,
    start: start ?? 0,
  };
}

function newAggregation(settings: AlignedSettings, children: readonly number[]): Aggregation {
  const { intervals, operation } = settings;
  return intervals.kind === 'ordinal'
    ? new Ordinal(children, operation)
    : new TimeAligned({ ...settings, intervals, children });
}
