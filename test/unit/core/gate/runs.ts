import { at } from '../../../../src/core/at';
import { timeMetric } from '../../../../src/core/compare/run';
import type { ComparedSides } from '../../../../src/core/compare/sides';
import { randomNumbers } from '../../../../src/core/randomNumbers';

export interface Runs {
  readonly repetitions?: number;
  /** Standard deviation of each function's time, as a share of it. */
  readonly noise?: number;
  /** Of the machine as a whole: what each run keeps of the run before, and a standard deviation. */
  readonly machine?: readonly [kept: number, deviation: number];
  /** Student's t with three degrees of freedom. */
  readonly isHeavy?: boolean;
  /** By this logarithm each run is slower than the one before. */
  readonly drift?: number;
  /** One of so many runs takes a third longer. */
  readonly outlierIn?: number;
  readonly functions?: number;
  /** Candidate ÷ baseline of the first function, which has 30 % of the run. */
  readonly slower?: number;
  /** Candidate ÷ baseline of all functions. */
  readonly all?: number;
  /**
   * What was subtracted for recording, as a share of each function's time. It costs more or less in each place, by a standard deviation of
   * 30 %, and by a tenth of that in each build of the same place.
   */
  readonly recorded?: number;
  /** By this logarithm, a standard deviation, the machine slows every other function in both runs of a pair, as one whose caches others use. */
  readonly uneven?: number;
  /** So many functions wait for others, each from no time to eight times the run. */
  readonly waiting?: number;
  /** The candidate is measured after the baseline. */
  readonly after?: boolean;
}

const usual = {
  ...{ repetitions: 10, noise: 0.02, machine: [0, 0.01], drift: 0, functions: 20 },
  ...{ recorded: 0, uneven: 0, waiting: 0, slower: 1, all: 1, after: false },
} as const;

/** Two sides as they are compared: by turns, with the order of the two of a pair changing. */
export function measuredSides(seed: number, given: Runs = {}): ComparedSides {
  const { repetitions, noise, machine, drift, functions, recorded, uneven, waiting, slower, all, after } = {
    ...usual,
    ...given,
  };
  const random = randomNumbers(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const draw = (): number =>
    given.isHeavy === true ? normal() / Math.hypot(normal(), normal(), normal()) : normal();
  const wrong = Array.from({ length: functions }, () => wrongInPlace(recorded, normal));
  const columns = Array.from({ length: functions }, () => new Float64Array(2 * repetitions));
  const slowed = Array.from({ length: repetitions }, () => (uneven === 0 ? 0 : uneven * normal()));
  let state = 0;
  for (let run = 0; run < 2 * repetitions; run++) {
    state = machine[0] * state + Math.sqrt(1 - machine[0] ** 2) * machine[1] * normal();
    const pair = Math.floor(run / 2);
    const isCandidate = after ? run >= repetitions : (run + pair) % 2 === 1;
    const position = after ? run % repetitions : pair;
    const outlier = given.outlierIn !== undefined && random() * given.outlierIn < 1 ? Math.log(4 / 3) : 0;
    const common = state + drift * run + outlier + (isCandidate ? Math.log(all) : 0);
    columns.forEach((values, own) => {
      const share = own === 0 ? 0.3 : 0.7 / (functions - 1);
      const factor = own === 0 && isCandidate ? slower : 1;
      values[(isCandidate ? repetitions : 0) + position] =
        share *
        factor *
        Math.exp(common + (own % 2) * at(slowed, position) + noise * draw()) *
        (1 + at(at(wrong, own), Number(isCandidate)));
    });
  }
  for (let own = 0; own < waiting; own++)
    columns.push(new Float64Array(2 * repetitions).map(() => 8 * random()));
  const one = new Float64Array(2 * repetitions).fill(1);
  return {
    names: ['baseline', 'candidate'],
    runs: [repetitions, repetitions],
    processes: [1, 1],
    ...{ per: 'all', metric: timeMetric },
    functions: columns.map((_, own) => ({
      key: `f${own}`,
      name: `f${own}`,
      place: { name: `f${own}`, file: '/src/a.c', line: own + 1 },
      isWaiting: own >= functions,
    })),
    paths: columns.map((values, own) => ({
      ...{ parent: -1, function: own, visits: one, seconds: values, values },
      doubts: values.map((value) => 0.3 * recorded * value),
    })),
    ...{ recordedOnce: [[], []], knowsRecorded: true, isSameProgram: false },
    isOneAfterOther: after,
    load: 0,
  };
}

/** By what part of a function's time what was subtracted for recording is wrong, on both sides. */
function wrongInPlace(recorded: number, normal: () => number): readonly [number, number] {
  if (recorded === 0) return [0, 0];
  const place = 0.3 * normal();
  return [recorded * (place + 0.03 * normal()), recorded * (place + 0.03 * normal())];
}
