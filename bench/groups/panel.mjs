// What a user waits for in the panel: each request from opening a profile of many processes to its groups, and to the values of a chosen group. Wall and processor
// milliseconds, of a file that was just written; a process for each file, for its largest memory.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { load } from '../lib/bundle.mjs';

const [file] = process.argv.slice(2);
if (file === undefined) await open();
else await measure(file);

async function open() {
  const folder = mkdtempSync(path.join(tmpdir(), 'kymo-bench-groups-'));
  try {
    for (const [width, count] of [
      [4096, 2000],
      [64, 100_000],
    ]) {
      const file = path.join(folder, `${width}.cubex`);
      writeFileSync(file, await profile(width, count));
      console.log(`${width} processes × ${count} call paths                          wall ms   processor ms`);
      spawnSync(process.execPath, [import.meta.filename, file], { stdio: 'inherit' });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measure(file) {
  const { openProfile, profileGroups, profileRegions, profileRows } = await load(
    'src/workflows/views/profileView.ts',
    'src/workflows/views/groupsView.ts',
  );
  const { header } = await timed('  opened', () => openProfile({ file }));
  const name = { file, id: header.id };
  await timed('  functions', () => profileRegions({ ...name, first: 0, count: 2000 }));
  await timed('  call paths', () => profileRows({ ...name, first: 0, count: 20_000 }));
  await timed('  groups', () => profileGroups({ ...name, grouping: {} }));
  for (const part of [0.05, 0.5, 0.95]) {
    const chosen = { ...name, processes: [0, Math.floor(part * (header.locations.length - 1))] };
    await timed(`  ${chosen.processes[1] + 1} of them chosen`, async () => {
      await openProfile(chosen);
      await profileRows({ ...chosen, first: 0, count: 20_000 });
    });
  }
  console.log(`  largest memory ${Math.round(process.resourceUsage().maxRSS / 1000)} MB`);
}

async function timed(what, work) {
  const [start, before] = [performance.now(), process.cpuUsage()];
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  const cells = [performance.now() - start, (user + system) / 1000];
  console.log(`${what.padEnd(52)} ${cells.map((value) => value.toFixed(0).padStart(12)).join(' ')}`);
  return result;
}

/** Functions that call four others each; every fifth is called by a part of the processes only, and every tenth is one of MPI. */
async function profile(width, count) {
  const { ProfileBuilder, standardMetrics, writeCube, randomNumbers } = await load(
    'test/profileBuilder.ts',
    'src/core/profile/metrics.ts',
    'src/core/randomNumbers.ts',
    'src/formats/cube4/write.ts',
  );
  const builder = new ProfileBuilder().metric(standardMetrics.visits).metric(standardMetrics.time);
  const regions = Array.from({ length: Math.min(count, 2000) }, (_, n) =>
    builder.region(
      n % 10 === 9
        ? { name: `MPI_F${n}`, paradigm: 'mpi', role: 'function' }
        : { name: `f${n}`, file: '/a.c', firstLine: n + 1, paradigm: 'compiler', role: 'function' },
    ),
  );
  for (let rank = 0; rank < width; rank++) {
    const process = builder.systemNode({ name: `rank ${rank}`, kind: 'process', rank });
    builder.location({ name: `rank ${rank}`, rank, thread: 0, kind: 'thread', process });
  }
  const paths = [builder.callPath(undefined, regions[0])];
  for (let n = 1; n < count; n++)
    paths.push(builder.callPath(paths[(n - 1) >> 2], regions[n % regions.length]));
  const random = randomNumbers(1);
  paths.forEach((at, n) => {
    for (let rank = 0; rank < width; rank++) {
      if (n % 5 === 4 && rank % 8 > (n % 3) + 1) continue;
      builder.set('visits', at, rank, 1 + (n % 100));
      const seconds = 4.5 ** -Math.floor(Math.log(3 * n + 1) / Math.log(4));
      builder.set('time', at, rank, seconds * (1 + 0.1 * random()));
    }
  });
  return writeCube(builder.build());
}
