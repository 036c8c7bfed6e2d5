import { at, atByte, atFloat } from '../at';
import { runningMedian } from '../detect/robust';

/** Above the level around it by this factor, an iteration took long. */
const long = 1.25;
/** Where more than this part of the iterations around one took long, it is no exception. */
const mostLong = 1 / 4;
const reach = 12;
/** Chance of as many coincidences from which they are none. */
const leastChance = 0.01;

/**
 * The least of several repetitions, where a few iterations may be long in all of them: as each is interrupted in some iterations, a few are
 * so in all. Where there are not more of them than chance explains, they get the level around them.
 *
 * @param least of the repetitions
 * @param repetitions undefined where one has no values
 */
export function withoutCoincidences(
  least: Float64Array,
  repetitions: readonly (Float64Array | undefined)[],
): Float64Array {
  const executed = Array.from(least.keys()).filter((i) => atFloat(least, i) > 0);
  const level = runningMedian(Float64Array.from(executed, (i) => atFloat(least, i)));
  const isLong = (values: Float64Array | undefined): Uint8Array =>
    Uint8Array.from(executed, (i, k) =>
      Number(values !== undefined && atFloat(values, i) > long * atFloat(level, k)),
    );
  const inAll = isLong(least);
  const isCalm = calm(inAll);
  const count = (flags: Uint8Array): number =>
    flags.reduce((sum, flag, k) => sum + (atByte(isCalm, k) === 1 ? flag : 0), 0);
  const iterations = Math.max(1, count(isCalm));
  const expected = repetitions.reduce(
    (rest, values) => rest * (count(isLong(values)) / iterations),
    iterations,
  );
  const found = count(inAll);
  if (found === 0 || chanceOf(found, expected) < leastChance) return least;
  const result = least.slice();
  for (const [k, i] of executed.entries())
    if (atByte(inAll, k) === 1 && atByte(isCalm, k) === 1) result[i] = atFloat(level, k);
  return result;
}

/** 1 where few around are. */
function calm(flags: Uint8Array): Uint8Array {
  let sum = 0;
  const sums = [0, ...Array.from(flags, (flag) => (sum += flag))];
  return flags.map((_, k) => {
    const [from, to] = [Math.max(0, k - reach), Math.min(flags.length, k + reach + 1)];
    return Number(at(sums, to) - at(sums, from) <= mostLong * (to - from));
  });
}

/** Of so many events or more, where so many are expected (Poisson). */
function chanceOf(events: number, expected: number): number {
  let term = Math.exp(-expected);
  let fewer = 0;
  for (let k = 0; k < events; k++) {
    fewer += term;
    term *= expected / (k + 1);
  }
  return 1 - fewer;
}
