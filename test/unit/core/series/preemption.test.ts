import { describe, expect, it } from 'vitest';
import { withPreemption } from '../../../../src/core/series/preemption';
import type { SeriesRegion, SeriesSource } from '../../../../src/core/series/series';

const step: SeriesRegion = { name: 'step', kind: 'phase' };
const receive: SeriesRegion = { name: 'MPI_Recv', kind: 'mpi' };
const solve: SeriesRegion = { name: 'solve', kind: 'function' };

async function preemption(...given: readonly (readonly [SeriesRegion, string, readonly number[]])[]) {
  const source: SeriesSource = {
    unit: 's',
    // oxlint-disable-next-line typescript/require-await -- a source need not wait
    async *bursts() {
      yield {
        first: 0,
        length: 2,
        series: given.map(([region, metric, values]) => ({
          context: { region, metric, rank: 3, thread: 0 },
          values: Float64Array.from(values),
        })),
      };
    },
  };
  const found: Record<string, number[]> = {};
  for await (const { series } of withPreemption(source).bursts(2))
    for (const { context, values } of series)
      found[`${context.metric} ${context.region.name} ${context.rank}`] = [...values];
  return found;
}

describe('pre-emption', () => {
  it('is what the wall has more than the processor, and what may have waited is left out', async () => {
    expect(
      await preemption(
        [step, 'time', [10, 4]],
        [step, 'processor', [6, 4]],
        [solve, 'time', [7, 3]],
        [receive, 'time', [1, 1]],
      ),
    ).toMatchObject({ 'preempted step 3': [3, 0], 'elapsed step 3': [10, 4] });
  });

  it('is taken from a source that knows it', async () => {
    expect(await preemption([step, 'time', [10, 4]], [step, 'preempted', [2, 0]])).toEqual({
      'time step 3': [8, 4],
      'preempted step 3': [2, 0],
      'elapsed step 3': [10, 4],
    });
  });

  it('is nothing where a source says less than nothing, and not known where it is no number', async () => {
    const found = await preemption([step, 'time', [10, 4]], [step, 'preempted', [-5, Infinity]]);
    expect(found['time step 3']).toEqual([10, 4]);
  });

  it('is not known without a second clock', async () => {
    expect(await preemption([step, 'time', [10, 4]], [solve, 'time', [1, 1]])).toEqual({
      'time step 3': [10, 4],
      'time solve 3': [1, 1],
    });
  });

  it('is no part of the times of the phase and of what computes', async () => {
    const found = await preemption(
      [step, 'time', [10, 4]],
      [step, 'processor', [6, 4]],
      [solve, 'time', [7, 3]],
      [receive, 'time', [1, 1]],
    );
    expect(found['time step 3']).toEqual([7, 4]);
    // Beside regions, the phase takes 2 and 0: what is above equal shares was pre-empted.
    expect(found['time solve 3']).toEqual([4, 3]);
    expect(found['time MPI_Recv 3']).toEqual([1, 1]);
  });

  it('is not taken out of regions that contain each other', async () => {
    const found = await preemption(
      [step, 'time', [10, 4]],
      [step, 'processor', [6, 4]],
      [solve, 'time', [9, 3]],
      [{ name: 'inner', kind: 'function' }, 'time', [8, 2]],
    );
    expect(found['time solve 3']).toEqual([9, 3]);
    expect(found['time step 3']).toEqual([10, 4]);
  });

  it('is not known of an iteration whose processor time is missing', async () => {
    const found = await preemption(
      [step, 'time', [10, 4]],
      [step, 'processor', [NaN, 1]],
      [solve, 'time', [7, 3]],
    );
    expect(found['preempted step 3']).toEqual([NaN, 3]);
    expect(found['time step 3']).toEqual([10, 1]);
    expect(found['time solve 3']?.[0]).toBe(7);
  });
});
