// `merger.mjs FOLDER CALL_PATHS`: merges the results in a folder and writes profile.cubex beside them, as a run does at its end. Prints one line of JSON.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { writeFileAtomically } from '../../src/measurement/files/disk';
import { cubeChunks } from '../../src/formats/cube4/write';
import { mergeResults } from '../../src/measurement/results/mergeResults';

const [folder = '', callPaths = ''] = process.argv.slice(2);
const slots = Array.from({ length: Number(callPaths) }, (_, slot) => `f${slot}`);
const start = performance.now();
const { profile } = await mergeResults({
  directory: folder,
  selectionId: '00000000000000ab',
  slots,
  samples: slots.map(() => ({ interval: 10, kind: 'probe' })),
  graph: { functions: [], edges: [] },
  executable: '/home/user/program',
});
const merged = performance.now();
const { user, system } = process.cpuUsage();
await writeFileAtomically(path.join(folder, '../profile.cubex'), cubeChunks(profile));
const whole = process.cpuUsage();
console.log(
  JSON.stringify({
    mergeSeconds: (merged - start) / 1000,
    writeSeconds: (performance.now() - merged) / 1000,
    mergeCpuSeconds: (user + system) / 1e6,
    cpuSeconds: (whole.user + whole.system) / 1e6,
    // `maxRSS` begins with what the parent process had.
    megabytes: Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1e3,
    callPaths: profile.callPaths.count,
    locations: profile.locations.length,
    metrics: profile.metrics.length,
  }),
);
