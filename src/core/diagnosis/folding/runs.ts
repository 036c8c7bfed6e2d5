import { at } from '../../at';

/** All numbers from `first` to `last`, each so many times; less than 0 in a change that takes some away. */
export interface Run {
  readonly first: number;
  readonly last: number;
  readonly each: number;
}

/**
 * How often each number is there: runs in ascending order that do not overlap, none of 0 times, and neighbours differ in `each`. So equal contents are equal runs,
 * and what neighbouring processes share is short however many they are.
 */
export type Runs = readonly Run[];

/** The runs of some numbers, which may come several times and in any order. */
export function runsOf(numbers: Iterable<number>): Runs {
  return sumOfRuns([Array.from(numbers, (number) => ({ first: number, last: number, each: 1 }))]);
}

/** Number by number; the runs that go in may overlap, also within a list. */
export function sumOfRuns(lists: readonly (readonly Run[])[]): Runs {
  const steps: [position: number, by: number][] = [];
  for (const list of lists)
    for (const { first, last, each } of list) steps.push([first, each], [last + 1, -each]);
  steps.sort(([a], [b]) => a - b);
  const sum: Run[] = [];
  let each = 0;
  let first = 0;
  for (let next = 0; next < steps.length;) {
    const [position] = at(steps, next);
    let by = 0;
    for (; next < steps.length && at(steps, next)[0] === position; next++) by += at(steps, next)[1];
    if (by === 0) continue;
    if (each !== 0) sum.push({ first, last: position - 1, each });
    each += by;
    first = position;
  }
  return sum;
}

export function negative(runs: Runs): Runs {
  return runs.map(({ first, last, each }) => ({ first, last, each: -each }));
}

/** The part of the numbers that a set has. */
export function within(runs: Runs, set: Runs): Runs {
  const part: Run[] = [];
  let other = 0;
  for (const { first, last, each } of runs) {
    while (other < set.length && at(set, other).last < first) other++;
    for (let next = other; next < set.length && at(set, next).first <= last; next++) {
      const range = at(set, next);
      part.push({ first: Math.max(first, range.first), last: Math.min(last, range.last), each });
    }
  }
  // A set of several runs may have cut what belongs together.
  return part.length < 2 ? part : sumOfRuns([part]);
}

export function without(runs: Runs, set: Runs): Runs {
  const part = within(runs, set);
  return part.length === 0 ? runs : sumOfRuns([runs, negative(part)]);
}

/** The numbers that are there, each once. */
export function setOf(runs: Runs): Runs {
  return sumOfRuns([positive(runs).map(({ first, last }) => ({ first, last, each: 1 }))]);
}

export function positive(runs: Runs): Runs {
  return runs.filter(({ each }) => each > 0);
}

/** How many there are together. */
export function countOf(runs: Runs): number {
  return runs.reduce((sum, { first, last, each }) => sum + (last - first + 1) * each, 0);
}

/** Each number that is there once, ascending. */
export function* numbersOf(runs: Runs): Generator<number> {
  for (const { first, last } of runs) for (let number = first; number <= last; number++) yield number;
}

/** Whether a number is there. */
export function has(runs: Runs, number: number): boolean {
  let [from, to] = [0, runs.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (at(runs, middle).last < number) from = middle + 1;
    else to = middle;
  }
  const run = runs[from];
  return run !== undefined && run.first <= number;
}
