// What a user waits for in the panel: the groups of a profile of many processes, and the values of a chosen group. Wall milliseconds, of a file that was just written.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { load } from '../lib/bundle.mjs';

const { ProfileBuilder, standardMetrics, writeCube, openProfile, profileGroups, profileRows } = await load(
  'test/profileBuilder.ts',
  'src/core/profile/metrics.ts',
  'src/formats/cube4/write.ts',
  'src/workflows/views/profileView.ts',
  'src/workflows/views/groupsView.ts',
);
const folder = mkdtempSync(path.join(tmpdir(), 'kymo-bench-groups-'));
try {
  await open(4096, 2000);
  await open(64, 100_000);
} finally {
  rmSync(folder, { recursive: true });
}

async function open(width, count) {
  const file = path.join(folder, `${width}.cubex`);
  writeFileSync(file, profile(width, count));
  let name;
  await timed(`${width} processes × ${count} call paths: opened, and their groups`, async () => {
    const { header } = await openProfile({ file });
    name = { file, id: header.id };
    await profileGroups(name);
  });
  for (const part of [0.05, 0.5, 0.95]) {
    const chosen = { ...name, processes: [0, Math.floor(part * (width - 1))] };
    await timed(`  ${chosen.processes[1] + 1} of them chosen`, async () => {
      await openProfile(chosen);
      await profileRows({ ...chosen, first: 0, count: 20_000 });
    });
  }
  console.log(`  memory ${Math.round(process.memoryUsage.rss() / 1e6)} MB`);
}

async function timed(what, work) {
  const start = performance.now();
  await work();
  console.log(`${what.padEnd(68)} ${(performance.now() - start).toFixed(0).padStart(8)} ms`);
}

/** Functions that call four others each; every fifth is called by a part of the processes only. */
function profile(width, count) {
  const builder = new ProfileBuilder().metric(standardMetrics.visits).metric(standardMetrics.time);
  const regions = Array.from({ length: Math.min(count, 2000) }, (_, n) =>
    builder.region({ name: `f${n}`, file: '/a.c', firstLine: n + 1, paradigm: 'compiler', role: 'function' }),
  );
  for (let rank = 0; rank < width; rank++) {
    const process = builder.systemNode({ name: `rank ${rank}`, kind: 'process', rank });
    builder.location({ name: `rank ${rank}`, rank, thread: 0, kind: 'thread', process });
  }
  const paths = [builder.callPath(undefined, regions[0])];
  for (let n = 1; n < count; n++)
    paths.push(builder.callPath(paths[(n - 1) >> 2], regions[n % regions.length]));
  paths.forEach((at, n) => {
    for (let rank = 0; rank < width; rank++) {
      if (n % 5 === 4 && rank % 8 > (n % 3) + 1) continue;
      builder.set('visits', at, rank, 1 + (n % 100));
      builder.set('time', at, rank, 4.5 ** -Math.floor(Math.log(3 * n + 1) / Math.log(4)));
    }
  });
  return writeCube(builder.build());
}
