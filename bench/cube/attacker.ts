// `attacker.mjs write ATTACK BYTES FILE` makes a file; `attacker.mjs read|view|json FILE` reads it in a process of its own and prints what that took.
import { readFileSync, writeFileSync, writeSync } from 'node:fs';
import { KymoError } from '../../src/core/errors';
import { exclusive, inclusive } from '../../src/core/profile/values';
import { CubeValues } from '../../src/formats/cube4/cubeValues';
import { openExpanded, readWhole } from '../../src/formats/cube4/read';
import { profileJson } from '../../src/formats/exports/json';
import { openProfileFile } from '../../src/measurement/experiments/profileFile';
import { attacks } from '../../test/unit/formats/cube4/attacks';

/** Megabytes that the process had at most since it began (Linux). */
function highest(): number {
  const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return Number(kilobytes ?? 0) / 1000;
}

const uses: Readonly<Record<string, (file: string) => void>> = {
  /** As analyses do: everything, and both values of each metric. */
  read(file) {
    const profile = readWhole(openProfileFile(file).source, file);
    for (const { name, stored } of profile.metrics) {
      if (stored === 'derived') continue;
      inclusive(profile, name);
      exclusive(profile, name);
    }
  },
  /** As the editor does: definitions, then one metric after the other. */
  view(file) {
    const values = new CubeValues(openExpanded(openProfileFile(file).source, file));
    for (const { name, stored } of values.cube.definitions.metrics.slice(0, 100))
      if (stored !== 'derived') inclusive(values.combined([name]), name);
  },
  json(file) {
    JSON.stringify(profileJson(readWhole(openProfileFile(file).source, file)));
  },
};

const [mode = '', name = '', bytes = '', into = ''] = process.argv.slice(2);
if (mode === 'write') writeFileSync(into, attacks[name]?.(Number(bytes)) ?? new Uint8Array());
else if (mode === 'names') writeSync(1, JSON.stringify(Object.keys(attacks)));
else {
  const before = highest();
  const start = process.cpuUsage();
  let outcome = 'read';
  try {
    uses[mode]?.(name);
  } catch (error) {
    outcome =
      error instanceof KymoError ? `${String(error.reason)}: ${error.message}` : `CRASH ${String(error)}`;
  }
  const { user, system } = process.cpuUsage(start);
  writeSync(1, JSON.stringify({ outcome, seconds: (user + system) / 1e6, megabytes: highest() - before }));
}
