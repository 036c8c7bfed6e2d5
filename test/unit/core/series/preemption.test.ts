import { describe, expect, it } from 'vitest';
import { withPreemption } from '../../../../src/core/series/preemption';
import type { SeriesRegion, SeriesSource } from '../../../../src/core/series/series';

const step: SeriesRegion = { name: 'step', kind: 'phase' };
const receive: SeriesRegion = { name: 'MPI_Recv', kind: 'mpi' };
const solve: SeriesRegion = { name: 'solve', kind: 'function' };

async function preemption(...given: readonly (readonly [SeriesRegion, string, readonly number[]])[]) {
  const source: SeriesSource = {
    unit: 's',
    // eslint-disable-next-line @typescript-eslint/require-await -- a source need not wait
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
    for (const { context, values } of series.slice(given.length))
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
    ).toEqual({ 'preempted step 3': [3, 0], 'elapsed step 3': [10, 4] });
  });

  it('is taken from a source that knows it', async () => {
    expect(await preemption([step, 'time', [10, 4]], [step, 'preempted', [2, 0]])).toEqual({
      'elapsed step 3': [10, 4],
    });
  });

  it('is not known without a second clock', async () => {
    expect(await preemption([step, 'time', [10, 4]], [solve, 'time', [1, 1]])).toEqual({});
  });
});
