// The process that `fuzz.mjs` starts: `fuzzer.mjs FIRST END FILE…` reads the changed files from number FIRST to before END and prints the results.
import { readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { KymoError } from '../../src/core/errors';
import { inclusive } from '../../src/core/profile/values';
import { readCube } from '../../src/formats/cube4/read';
import { mutant, specimen } from '../../test/unit/formats/cube4/mutations';

const [first = '0', end = '0', ...files] = process.argv.slice(2);
const specimens = files.map((file) => specimen(path.basename(file), new Uint8Array(readFileSync(file))));
const say = (message: object): void => {
  writeSync(1, `${JSON.stringify(message)}\n`);
};

/** `read`, or the reason that was given. */
function outcomeOf(bytes: Uint8Array): string {
  try {
    const profile = readCube(bytes, 'changed.cubex');
    for (const { name, stored } of profile.metrics) if (stored !== 'derived') inclusive(profile, name);
    return 'read';
  } catch (error) {
    if (error instanceof KymoError && error.message.includes('changed.cubex')) return String(error.reason);
    return `CRASH ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
}

/** Megabytes that the process had at most since it began (Linux). */
function highest(): number {
  const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return Number(kilobytes ?? 0) / 1000;
}

const counts: Record<string, number> = {};
let slowest = { seed: -1, milliseconds: 0 };
for (let seed = Number(first); seed < Number(end); seed++) {
  const { kind, bytes } = mutant(specimens, seed);
  // CPU time, so that what else the machine does is not counted; the one who started this process watches for what waits.
  const start = process.cpuUsage();
  const outcome = outcomeOf(bytes);
  const { user, system } = process.cpuUsage(start);
  const milliseconds = (user + system) / 1000;
  if (milliseconds > slowest.milliseconds) slowest = { seed, milliseconds };
  if (outcome.startsWith('CRASH')) say({ seed, kind, crash: outcome });
  const counted = outcome.startsWith('CRASH') ? 'crashed' : outcome;
  counts[counted] = (counts[counted] ?? 0) + 1;
  if (seed % 100 === 0) say({ at: seed });
}
say({ counts, slowest, highestMegabytes: highest() });
