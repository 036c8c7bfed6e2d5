import { describe, expect, it } from 'vitest';
import type { ProgressSink } from '../../../../src/core/progress';
import { measurePoints } from '../../../../src/workflows/study/measurePoints';
import type { ParameterStudyFile } from '../../../../src/workflows/study/parameterStudyFile';

/** What is stated while runs take `seconds(n)` at n = 10 to 160. */
async function statements(seconds: (n: number) => number): Promise<readonly string[]> {
  const file: ParameterStudyFile = {
    kymoParameterStudy: 1,
    target: 't',
    study: 's',
    startedAt: '',
    variant: 'measured',
    fingerprint: '',
    buildId: '',
    selection: '',
    design: 'all',
    repetitions: 2,
    seed: 7,
    points: ['10', '20', '40', '80', '160'].map((n) => ({ coordinates: { n }, planned: true, runs: [] })),
  };
  const lines: string[] = [];
  const progress: ProgressSink = { report: () => undefined, log: (line) => void lines.push(line) };
  await measurePoints({
    file,
    constants: {},
    runProgram: ({ n }, _, repetition) =>
      Promise.resolve({ wallSeconds: seconds(Number(n)), folder: `n${n}.r${repetition}` }),
    save: () => Promise.resolve(),
    signal: new AbortController().signal,
    progress,
  });
  return lines;
}

describe('what a study states of its time', () => {
  it('is how long the rest takes, once, where the first points show it', async () => {
    expect(await statements((n) => 1000 * n)).toEqual([
      '5 points, 2 repetitions: 10 runs.',
      expect.stringMatching(/^Still to do: 8 runs, about 16[34] h/) as string,
    ]);
  });
  it('is stated again where it is far more', async () => {
    const [, first, again, ...more] = await statements((n) => 1000 + n ** 3);
    expect(first).toMatch(/^Still to do: 8 runs/);
    expect(again).toMatch(/^It takes longer than expected\. Still to do: [4-7] runs/);
    expect(more.length).toBeLessThan(3);
  });
});
