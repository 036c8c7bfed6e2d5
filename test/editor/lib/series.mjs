// Series files with known dynamics, for regions of the workspace's own sources.
import { writeFileSync } from 'node:fs';

const iterations = 128;

/** Deterministic noise between -1 and 1. */
function noise(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

/**
 * Writes a run of 8 ranks and 128 iterations: `sweep` becomes slower from iteration 33 on, on ranks 4 to 6 only; `MPI_Allreduce` takes long
 * in iterations 20, 52, 84 and 116 on all ranks but rank 0, which is what the others wait for.
 * @param region of the program that becomes slower: name, file and first line
 */
export function writeDegradingSeries(file, region, ranks = 8) {
  const lines = [{ kymoSeries: 1, unit: 's', phase: 'step' }];
  for (let rank = 0; rank < ranks; rank++) {
    const random = noise(rank + 1);
    const slow = [];
    const reduce = [];
    const phase = [];
    for (let at = 0; at < iterations; at++) {
      const grows = rank >= 4 && rank <= 6 ? Math.max(0, at - 32) / 96 : 0;
      const waits = rank > 0 && at % 32 === 19 ? 0.4 : 0;
      slow.push(0.3 + 0.3 * grows + 0.005 * random());
      reduce.push(0.15 + waits + 0.004 * random());
      phase.push(1.2 + waits);
    }
    const round = (values) => values.map((value) => Number(value.toFixed(6)));
    lines.push({ region: '<phase>', metric: 'time', rank, thread: 0, values: round(phase) });
    lines.push({ ...region, metric: 'time', rank, thread: 0, values: round(slow) });
    lines.push({ region: 'MPI_Allreduce', metric: 'time', rank, thread: 0, values: round(reduce) });
  }
  // By how much each iteration advances the simulated time.
  lines.push({
    region: 'step',
    metric: 'dt',
    rank: 0,
    thread: 0,
    values: Array.from({ length: iterations }, (_, at) => (at < 64 ? 0.5 : 0.25)),
  });
  writeFileSync(file, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
}
