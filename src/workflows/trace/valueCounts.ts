import { getOrMake } from '../../core/getOrMake';
import type { Definitions } from '../../formats/otf2/definitions/model';
import type { EventChunk } from '../../formats/otf2/events/chunk';
import { eventKind } from '../../formats/otf2/layouts/events';
import type { ReportedMetric, ReportedParameter } from './report.types';

const metric = eventKind('METRIC');
const parameters = [
  eventKind('PARAMETER_STRING'),
  eventKind('PARAMETER_INT64'),
  eventKind('PARAMETER_UINT64'),
];
const flush = eventKind('BUFFER_FLUSH');
const programBegin = eventKind('PROGRAM_BEGIN');
const programEnd = eventKind('PROGRAM_END');
/** The least integer of 64 bits stands for an exit status that was not recorded. */
const unknownStatus = String(-(2n ** 63n));
/** Distinct values of a parameter, or commands, that are listed. */
const mostValues = 20;

interface Spread {
  values: number;
  least: number;
  greatest: number;
}

/** Metrics and parameters, command lines, and times in which the recording was interrupted. */
export class ValueCounts {
  /** Buffers that were written during the run, and the ticks that this took. */
  flushes = 0;
  flushTicks = 0;
  readonly #metrics = new Map<number, Spread>();
  readonly #parameters = new Map<number, { count: number; readonly values: Map<string, number> }>();
  readonly #commands = new Map<string, number>();
  readonly #statuses = new Map<string, number>();

  constructor(private readonly definitions: Definitions) {}

  add(chunk: EventChunk, index: number): void {
    const type = chunk.kind[index] ?? 0;
    const at = chunk.first[index] ?? 0;
    const value = (position: number): number => chunk.values[at + position] ?? 0;
    const text = (position: number): string => String(chunk.exact.get(at + position) ?? value(position));
    if (type === metric) this.#metric(value, (chunk.first[index + 1] ?? 0) - at);
    else if (parameters.includes(type))
      this.#parameter(value(0), type === parameters[0] ? this.#string(value(1)) : text(1));
    else if (type === flush) {
      this.flushes++;
      this.flushTicks += value(0) - (chunk.time[index] ?? 0);
    } else if (type === programBegin) {
      const words = Array.from({ length: value(1) }, (_, word) => this.#string(value(2 + word)));
      countIn(this.#commands, [this.#string(value(0)), ...words].join(' '));
    } else if (type === programEnd) countIn(this.#statuses, text(0) === unknownStatus ? 'unknown' : text(0));
  }

  #metric(value: (position: number) => number, end: number): void {
    const members = this.definitions.metrics.get(value(0))?.members ?? [];
    // A type stands before each value.
    for (let position = 3; position < end; position += 2) {
      const member = members[(position - 3) / 2];
      if (member === undefined) continue;
      const scaled = value(position) * member.base ** member.exponent;
      const spread = getOrMake(this.#metrics, member.id, () => ({
        values: 0,
        least: Infinity,
        greatest: -Infinity,
      }));
      spread.values++;
      spread.least = Math.min(spread.least, scaled);
      spread.greatest = Math.max(spread.greatest, scaled);
    }
  }

  #parameter(id: number, value: string): void {
    const own = getOrMake(this.#parameters, id, () => ({ count: 0, values: new Map<string, number>() }));
    own.count++;
    countIn(own.values, value);
  }

  #string(id: number): string {
    return this.definitions.strings.get(id) ?? `string ${id}`;
  }

  metrics(): readonly ReportedMetric[] {
    return [...this.#metrics].flatMap(([id, spread]) => {
      const member = this.definitions.metricMembers.get(id);
      if (member === undefined) return [];
      const { name, description, unit, mode } = member;
      return [{ name, description, unit, mode, ...spread }];
    });
  }

  parameters(): readonly ReportedParameter[] {
    return [...this.#parameters].map(([id, { count, values }]) => {
      const { name = `parameter ${id}`, type = 'UNKNOWN' } = this.definitions.parameters.get(id) ?? {};
      return { name, type, count, values: listed(values).map(([value, own]) => ({ value, count: own })) };
    });
  }

  commands(): readonly { readonly command: string; readonly count: number }[] {
    return listed(this.#commands).map(([command, count]) => ({ command, count }));
  }

  exitStatuses(): readonly { readonly status: string; readonly count: number }[] {
    return listed(this.#statuses).map(([status, count]) => ({ status, count }));
  }
}

/** Further distinct texts are not held: there may be one for each event. */
function countIn(counts: Map<string, number>, text: string): void {
  const known = counts.get(text);
  if (known !== undefined || counts.size < mostValues) counts.set(text, (known ?? 0) + 1);
}

function listed(counts: ReadonlyMap<string, number>): readonly (readonly [string, number])[] {
  return [...counts];
}
