import { describe, expect, it } from 'vitest';
import type { Selection } from '../../../../src/core/selection/selection';
import { afterFailure } from '../../../../src/workflows/refine/results/earlier';
import { refinementLoop } from '../../../../src/workflows/refine/loop/loop';
import type { LoopInput } from '../../../../src/workflows/refine/loop/loop.types';
import type { StudyFile } from '../../../../src/workflows/studies/study';
import type { SimulatedProgram } from '../../core/selection/simulatedProgram';
import { studyFileOf } from '../studyFiles';
import { SimulatedBench, simulatedInput } from './simulatedBench';

const program: SimulatedProgram = {
  functions: [
    {
      name: 'main',
      ownSeconds: 0.1,
      statements: 30,
      loopDepth: 0,
      site: 'entry',
      calls: [{ callee: 1, times: 9 }],
    },
    {
      name: 'solve',
      ownSeconds: 0.5,
      statements: 40,
      loopDepth: 1,
      site: 'probe',
      calls: [{ callee: 2, times: 90_000_000 }],
    },
    { name: 'tiny', ownSeconds: 7e-9, statements: 12, loopDepth: 0, site: 'probe', calls: [] },
  ],
};

const bench = (): SimulatedBench => new SimulatedBench(program);
const input = (change: Partial<LoopInput> = {}): LoopInput => simulatedInput(program, change);

describe('more iterations on a study', () => {
  it('takes what is measured as it was decided, tells only of the new one, and says what it expected', async () => {
    const selections: Selection[] = [];
    const first = await refinementLoop(
      input({ onRound: (_, { selection }) => Promise.resolve(void selections.push(selection)) }),
      bench(),
    );
    const earlier = first.iterations.map((iteration, at) => ({ iteration, selection: selections[at]! }));
    const told: number[] = [];
    const count = earlier.length + 1;
    const more = await refinementLoop(
      input({
        earlier,
        leastRounds: count,
        maximumIterations: count,
        budgetSeconds: 0,
        onRound: ({ index }) => Promise.resolve(void told.push(index)),
      }),
      bench(),
    );
    expect(more.iterations).toHaveLength(count);
    expect(more.iterations.slice(0, -1)).toEqual(first.iterations);
    expect(told).toEqual([count - 1]);
    expect(more.iterations[0]?.predictedPercent).toBeUndefined();
    expect(more.iterations.at(-1)?.predictedPercent).toBeGreaterThanOrEqual(0);
  });

  it('reads as many runs of each iteration as there are, however the limits have changed', async () => {
    const scattering = () => {
      const simulated = new SimulatedBench(program, undefined, undefined, Array<boolean>(99).fill(true));
      const once = simulated.together.bind(simulated);
      simulated.together = async (...words) => {
        const pair = (await once(...words))!;
        const cpuSeconds = pair.measured.cpuSeconds! * (1 + 0.5 * Math.sin(simulated.runs.length));
        return { ...pair, measured: { ...pair.measured, cpuSeconds } };
      };
      return simulated;
    };
    const selections: Selection[] = [];
    const { iterations } = await refinementLoop(
      input({
        repetitions: 3,
        maximumIterations: 1,
        onRound: (_, { selection }) => Promise.resolve(void selections.push(selection)),
      }),
      scattering(),
    );
    expect(iterations.map(({ runs }) => runs)).toEqual([7]);
    const earlier = [{ iteration: iterations[0]!, selection: selections[0]! }];
    const again = scattering();
    await refinementLoop(input({ repetitions: 3, maximumIterations: 2, earlier }), again);
    expect(again.runs.filter((run) => run === 0)).toHaveLength(7);
    // Nor does a file that says so make any number of runs.
    const many = scattering();
    const claimed = [{ ...earlier[0]!, iteration: { ...earlier[0]!.iteration, runs: 1e9 } }];
    await refinementLoop(input({ repetitions: 3, maximumIterations: 2, earlier: claimed }), many);
    expect(many.runs.filter((run) => run === 0)).toHaveLength(7);
  });
});

describe('a study whose additional iterations did not come to their end', () => {
  const study = studyFileOf({ stopReason: 'fixpoint' });
  it('is as complete as before; one that never was can be gone on with when it was cancelled', () => {
    const now: StudyFile = { ...study, state: 'running' };
    expect(afterFailure(study, now, undefined)).toMatchObject({ state: 'complete', stopReason: 'fixpoint' });
    expect(afterFailure(study, now, 'It does not build.')).toMatchObject({ state: 'complete' });
    expect(afterFailure(now, now, undefined).state).toBe('running');
    expect(afterFailure(now, now, 'It does not build.')).toMatchObject({
      state: 'failed',
      failure: 'It does not build.',
    });
  });
});
