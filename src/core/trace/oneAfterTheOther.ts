import { at } from '../at';
import type { CallTrace } from './callTrace';

const uintColumns = ['key', 'depth'] as const;
const floatColumns = ['count', 'seconds', 'bytes', 'leastBytes', 'mostBytes'] as const;

/** The calls of several processes and threads as one trace: those of the first one first. Counters that not all of them have are left out. @param traces of one table, at least one */
export function oneAfterTheOther(traces: readonly CallTrace[]): CallTrace {
  const [first, ...others] = traces;
  if (first === undefined) throw new RangeError('There is no trace.');
  if (others.length === 0) return first;
  const starts: number[] = [];
  let size = 0;
  for (const trace of traces) {
    starts.push(size);
    size += trace.size;
  }
  const uints = (of: (trace: CallTrace, start: number) => Uint32Array): Uint32Array => {
    const column = new Uint32Array(size);
    traces.forEach((trace, position) => column.set(of(trace, at(starts, position)), starts[position]));
    return column;
  };
  const floats = (of: (trace: CallTrace) => Float64Array | undefined): Float64Array => {
    const column = new Float64Array(size);
    traces.forEach((trace, position) => column.set(of(trace) ?? [], starts[position]));
    return column;
  };
  const counters = [...first.counters.keys()].filter((name) =>
    others.every((trace) => trace.counters.has(name)),
  );
  return {
    ...first,
    size,
    ...named(uintColumns, (name) => uints((trace) => trace[name])),
    ...named(floatColumns, (name) => floats((trace) => trace[name])),
    end: uints(({ end }, start) => end.map((row) => row + start)),
    ...(traces.every(({ squares }) => squares !== undefined)
      ? { squares: floats((trace) => trace.squares) }
      : {}),
    ...(traces.every(({ marks }) => marks !== undefined)
      ? { marks: uints(({ marks }) => marks ?? new Uint32Array(0)) }
      : {}),
    counters: new Map(counters.map((name) => [name, floats((trace) => trace.counters.get(name))])),
    loops: traces.flatMap(({ loops }, position) =>
      loops.map((loop) => ({
        ...loop,
        first: loop.first + at(starts, position),
        end: loop.end + at(starts, position),
      })),
    ),
  };
}

function named<Name extends string, Column>(
  names: readonly Name[],
  column: (name: Name) => Column,
): Record<Name, Column> {
  return Object.fromEntries(names.map((name) => [name, column(name)])) as Record<Name, Column>;
}
