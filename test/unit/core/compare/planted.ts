import { makeContext } from '../../../../src/core/problems/context/makeContext';
import { comparedRun } from '../../../../src/core/compare/run';
import type { Side } from '../../../../src/core/compare/sides';
import { randomNumbers } from '../../../../src/core/randomNumbers';
import { runOf, type Call } from '../problems/runs';

/** What is planted into the second side. */
export interface Plant {
  /** The function with a share of 20 % takes longer by this factor. */
  readonly slower?: number;
  readonly more?: (calls: Call[]) => Call[];
}

/** Repetitions of a made program: 30 functions whose shares fall, one of 20 %; noise is a share of each time, and of each run. */
export function sideOf(
  name: string,
  seed: number,
  { slower = 1, more = (calls) => calls }: Plant = {},
  { repetitions = 5, noise = 0.02, runNoise = 0.01, drift = 0 } = {},
): Side {
  const random = randomNumbers(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return {
    name,
    runs: Array.from({ length: repetitions }, () => {
      const run = Math.exp(drift + runNoise * normal());
      const time = (seconds: number): number => seconds * run * Math.exp(noise * normal());
      const calls: Call[] = Array.from({ length: 30 }, (_, i) => ({
        region: { name: `f${i}`, file: '/src/a.c', firstLine: 10 * i + 1 },
        seconds: [time(0.8 * 0.25 * 0.75 ** i), time(0.8 * 0.25 * 0.75 ** i)],
        visits: [100 + i, 100 + i],
      }));
      calls.push({
        region: { name: 'kernel', file: '/src/k.c', firstLine: 5 },
        seconds: [time(0.2 * slower), time(0.2 * slower)],
        visits: [50, 50],
      });
      const root: Call = { region: { name: 'main' }, seconds: [time(0.01), time(0.01)], calls: more(calls) };
      return comparedRun(makeContext({ profile: runOf(root, 2), run: name }));
    }),
  };
}
