// One process per measurement: `reader.mjs values|dump|open FILE`. Prints one line of JSON on the error channel.
import { readFileSync, writeSync } from 'node:fs';
import { exclusivePerLocation, inclusive, inclusivePerLocation } from '../../src/core/profile/values';
import { CubeValues } from '../../src/formats/cube4/cubeValues';
import { openExpanded, readCube } from '../../src/formats/cube4/read';
import { openProfileFile } from '../../src/measurement/experiments/profileFile';

/** Megabytes that the process had at most so far, Node itself included. */
function highest(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS / 1e3;
  // `maxRSS` begins with what the parent process had.
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1e3;
}
const milliseconds = (since: number): number => performance.now() - since;

const modes: Record<string, (file: string) => object> = {
  /** Inclusive and exclusive values of every metric, at each call path and location: in a new process, and again in it. */
  values(file) {
    const times: number[] = [];
    let values = 0;
    for (let i = 0; i < 6; i++) {
      const start = performance.now();
      const profile = readCube(readFileSync(file), file);
      values = 0;
      for (const { name } of profile.metrics) {
        if (!profile.stored.has(name)) continue;
        values += inclusivePerLocation(profile, name, 'as-stored').length;
        values += exclusivePerLocation(profile, name, 'as-stored').length;
      }
      times.push(milliseconds(start));
    }
    return { milliseconds: times[0], again: Math.min(...times), values };
  },
  /** As `cube_dump -m all -c all -t aggr -z incl -s csv2`: text of each metric's inclusive values, over all locations. */
  dump(file) {
    const start = performance.now();
    const profile = readCube(readFileSync(file), file);
    const metrics = profile.metrics.filter(({ stored }) => stored !== 'derived');
    const columns = metrics.map(({ name }) => inclusive(profile, name));
    const lines = [`Cnode ID,${metrics.map(({ name }) => name).join(',')}`];
    profile.callPaths.fileId.forEach((id, at) => {
      lines.push(`${id},${columns.map((column) => column[at] ?? 0).join(',')}`);
    });
    writeSync(1, `${lines.join('\n')}\n`);
    return { milliseconds: milliseconds(start) };
  },
  /** What a viewer needs first, then one metric for the call tree, then one call path for the system tree. */
  open(file) {
    const start = performance.now();
    const opened = openProfileFile(file);
    const cube = openExpanded(opened.source, file);
    const values = new CubeValues(cube);
    const shown = {
      milliseconds: milliseconds(start),
      highestMegabytes: highest(),
    };
    const steps = ['time', 'visits', 'min_time'].map((metric) => {
      const from = performance.now();
      inclusive(values.combined([metric]), metric);
      return { metric, milliseconds: milliseconds(from) };
    });
    const from = performance.now();
    values.atCallPath('time', Math.floor(cube.definitions.callPaths.count / 2), 'exclusive');
    const row = milliseconds(from);
    opened.close();
    return { shown, steps, row, highestMegabytes: highest() };
  },
};

const [mode = '', file = ''] = process.argv.slice(2);
process.stderr.write(`${JSON.stringify(modes[mode]?.(file))}\n`);
