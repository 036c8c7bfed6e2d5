// Two traces of a million rows that cannot be folded: their alignment with time and memory, and what a filter and a slider take
// at 100 000 rows. Each size runs in a process of its own: node --expose-gc bench/compare/align.mjs
import { spawnSync } from 'node:child_process';
import { load } from '../lib/bundle.mjs';

const bars = { million: 3_000, megabytes: 500, interactive: 200 };
const [size] = process.argv.slice(2).map(Number);
if (size === undefined) {
  let isMet = true;
  for (const entries of [100_000, 1_000_000]) {
    const { status } = spawnSync(process.execPath, ['--expose-gc', import.meta.filename, String(entries)], {
      stdio: 'inherit',
    });
    isMet &&= status === 0;
  }
  process.exitCode = isMet ? 0 : 1;
} else {
  const core = await load(
    'src/core/trace/keyTable.ts',
    'src/core/trace/build/traceBuilder.ts',
    'src/core/trace/align/alignTraces.ts',
    'src/core/trace/traceSource.ts',
    'src/core/trace/views/comparedTraces.ts',
    'src/core/randomNumbers.ts',
  );
  measure(core, size);
}

function measure({ KeyTable, TraceBuilder, alignTraces, ComparedTraces, inMemory, randomNumbers }, entries) {
  const table = new KeyTable();
  const keys = Array.from({ length: 1_000 }, (_, number) =>
    table.context(`f${number}`, { name: `f${number}`, file: 'program.c', line: number + 1 }),
  );
  /** Steps of about 200 calls, each of them another one; one call in 1 000 is left out, added or longer where `changes`. */
  const trace = (changes) => {
    const random = randomNumbers(7);
    const others = randomNumbers(changes ? 8 : 9);
    const builder = new TraceBuilder(table, { counters: ['instructions'] });
    const call = (key, below) => {
      builder.enter(key);
      for (let child = 0; child < below; child++) {
        const own = keys[Math.floor(random() * keys.length)];
        const change = changes ? others() * 3_000 : 3_000;
        if (change < 1) continue;
        builder.enter(own);
        builder.leave(1e-6, [change < 2 ? 2_000 : 1_000]);
        if (change >= 2 && change < 3) {
          builder.enter(keys[Math.floor(others() * keys.length)]);
          builder.leave(1e-6, [1_000]);
        }
      }
      builder.leave(1e-6, [1_000]);
    };
    for (let step = 0; step < entries / 200; step++) call(keys[step % 7], 199);
    return builder.finish({ name: 'a', rank: 0, ranks: 1, sizeUnit: 'bytes' });
  };
  const [left, right] = [trace(false), trace(true)];
  globalThis.gc?.();
  const before = process.memoryUsage();
  const aligning = timed(() => alignTraces(left, right));
  const matched = aligning.result.right.reduce((sum, row) => sum + Number(row >= 0), 0);
  const compared = new ComparedTraces(
    [
      { name: 'a', traces: [inMemory(left)] },
      { name: 'b', traces: [inMemory(right)] },
    ],
    table,
  );
  const shows = {
    ...{ collectives: true, pointToPoint: true, contexts: true, depth: 1_000 },
    ...{ onlyDifferent: false, hotSpotShare: 0.05 },
  };
  const chain = { mode: 'chain', metric: 'instructions', sensitivity: 0.05, isRelative: false, shows };
  const frequency = { ...chain, mode: 'frequency' };
  const answer = (settings) => {
    const asked = { settings };
    return [compared.rows(asked, 0, 200), compared.total(asked), compared.overview(asked, 1_000)];
  };
  const first = timed(() => answer(chain));
  const slider = timed(() => answer({ ...chain, sensitivity: 0.1 }));
  const filter = timed(() => answer({ ...chain, shows: { ...shows, onlyDifferent: true } }));
  const frequencies = timed(() => answer(frequency));
  const frequencySlider = timed(() => answer({ ...frequency, sensitivity: 0.1 }));
  const facts = timed(() => compared.summary({ settings: chain }));
  globalThis.gc?.();
  const megabytes = process.resourceUsage().maxRSS / 1024;
  const rows = [
    [
      `align ${left.size} and ${right.size} rows (${matched} matched)`,
      aligning.ms,
      entries >= 1e6 ? bars.million : undefined,
    ],
    ['first rows and overview', first.ms],
    ['another sensitivity', slider.ms, entries <= 1e5 ? bars.interactive : undefined],
    ['only what differs', filter.ms, entries <= 1e5 ? bars.interactive : undefined],
    ['frequency view', frequencies.ms],
    ['another sensitivity of it', frequencySlider.ms, entries <= 1e5 ? bars.interactive : undefined],
    [`summary (${facts.result.characteristics.length} characteristics)`, facts.ms],
  ];
  for (const [what, ms, bar] of rows)
    console.log(
      `${what}: ${ms.toFixed(0)} ms${bar === undefined ? '' : ` (bar ${bar}: ${ms <= bar ? 'met' : 'missed'})`}`,
    );
  console.log(
    `memory of the traces ${((before.heapUsed + before.arrayBuffers) / 2 ** 20).toFixed(0)} MB, of the process at most ${megabytes.toFixed(0)} MB (bar ${bars.megabytes}: ${megabytes <= bars.megabytes ? 'met' : 'missed'})\n`,
  );
  if (rows.some(([, ms, bar]) => ms > bar) || megabytes > bars.megabytes) process.exitCode = 1;
}

function timed(work) {
  const begin = performance.now();
  const result = work();
  return { result, ms: performance.now() - begin };
}
