import { formatPercent } from '../format';
import type { Profile } from './profile';

/** How the processor's counters (`"counters": true`) could be used in one process. */
export interface CounterUse {
  /** Number of the error (Linux) with which `perf_event_open` refused them; 0: they counted. */
  readonly error: number;
  /** `kernel.perf_event_paranoid`, where they were refused. */
  readonly paranoid: number | undefined;
  /** The part of the threads' time in which they counted. */
  readonly countedShare: number;
  /** Whether they counted in all threads, until their end. */
  readonly isWhole: boolean;
}

export type CounterRefusal = Pick<CounterUse, 'error' | 'paranoid'>;

/** What the runtime has read of `kernel.perf_event_paranoid`. */
export function knownParanoid(value: number): number | undefined {
  const unreadable = -9; // runtime/perf.h
  return value === unreadable ? undefined : value;
}

/** Attribute of a profile whose processes were all refused the counters. */
export const refusedCountersAttribute = 'kymo::refusedCounters';

/** The value of the attribute: `error paranoid`, the latter empty if it is unknown. */
export function refusedCountersText({ error, paranoid }: CounterRefusal): string {
  return `${error} ${paranoid ?? ''}`;
}

/** Why the measurement of a profile has no counters although it asked for them; undefined for all others. */
export function refusedCounters({ attributes }: Pick<Profile, 'attributes'>): string | undefined {
  const [, error, paranoid = ''] =
    /^([1-9]\d{0,3}) (-?\d{1,4})?$/.exec(attributes.get(refusedCountersAttribute) ?? '') ?? [];
  if (error === undefined) return undefined;
  return refusalWords({ error: Number(error), paranoid: paranoid === '' ? undefined : Number(paranoid) });
}

const [notPermitted, noEntry, denied, busy, noDevice, tooManyFiles, notImplemented, notSupported] = [
  1, 2, 13, 16, 19, 24, 38, 95,
];
/** The highest `kernel.perf_event_paranoid` at which users may count what their own programs do. */
const highestParanoid = 2;

/** A sentence with what to do, for a measurement or for this machine. */
export function refusalWords({ error, paranoid }: CounterRefusal): string {
  return `The processor’s counters of instructions and cache misses cannot be read: ${reasonOf(error, paranoid)}`;
}

function reasonOf(error: number, paranoid: number | undefined): string {
  switch (error) {
    case notPermitted:
    case denied:
      if (paranoid !== undefined && paranoid > highestParanoid)
        return `kernel.perf_event_paranoid is ${paranoid}. Ask the administrator for ${highestParanoid} (sysctl kernel.perf_event_paranoid=${highestParanoid}).`;
      return 'a container or a security policy forbids perf_event_open. Run outside of it, or allow that call (docker run --cap-add PERFMON, with a seccomp profile that has perf_event_open).';
    case noEntry:
    case noDevice:
    case notSupported:
      return 'this machine does not show any to programs, as virtual machines often do not. Measure on one where “perf stat -e instructions,cache-misses true” prints numbers.';
    case notImplemented:
      return 'this kernel has no perf_event_open, or a container’s seccomp profile hides it. Measure where “perf stat true” works.';
    case busy:
      return 'another program has them to itself. End other profilers on the machine, and measure again.';
    case tooManyFiles:
      return 'the limit of open files is reached. Raise it (ulimit -n), because each thread needs two.';
    default:
      return `perf_event_open failed with error ${error}. “perf stat -e instructions,cache-misses true” may show more.`;
  }
}

/** Shares above this are whole: threads begin and end between two readings. */
const nearlyAll = 0.99;

/** Sentences for the user about what a measurement's counters lack. @param uses of the processes that were to use them */
export function explainCounters(uses: readonly CounterUse[]): readonly string[] {
  const explain = (affected: readonly CounterUse[], sentence: (worst: CounterUse) => string) => {
    const [first, ...others] = affected;
    if (first === undefined) return [];
    const worst = others.reduce((a, b) => (b.countedShare < a.countedShare ? b : a), first);
    return [`${affected.length} of ${uses.length} processes: ${sentence(worst)}`];
  };
  const counted = uses.filter(({ error }) => error === 0);
  return [
    ...explain(
      uses.filter(({ error }) => error !== 0),
      refusalWords,
    ),
    ...explain(
      counted.filter(({ isWhole }) => !isWhole),
      () =>
        'the processor’s counters could not be read in all threads until their end (too few open files allowed, or the program closed files that are not its own): instructions and cache misses are missing there.',
    ),
    ...explain(
      counted.filter(({ countedShare }) => countedShare < nearlyAll),
      ({ countedShare }) =>
        `the processor’s counters were shared with other programs and counted in ${formatPercent(countedShare)} of the time. Cache misses per instruction are right; both numbers, and bytes per second, are too small by that.`,
    ),
  ];
}
