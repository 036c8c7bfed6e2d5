import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { standardMetrics } from '../src/core/profile/metrics';
import type { Experiment } from '../src/core/profile/experiment';
import { writeCube } from '../src/formats/cube4/write';
import { writeSources } from '../src/workflows/studies/sources';
import { ProfileBuilder } from './profileBuilder';

interface MeasuredStudy {
  /** Default: `t`. */
  readonly target?: string;
  readonly startedAt: string;
  /** The source of all functions; absolute. */
  readonly file: string;
  /** Line and exclusive seconds of each function; the first one calls the others. */
  readonly functions: Readonly<Record<string, readonly [line: number, seconds: number]>>;
  readonly repetitions?: number;
  /** Of the experiments. */
  readonly change?: Partial<Experiment>;
}

/** A measurement as `kymo measure` leaves it, with exact times and noise of 0.3 % in place of measured ones. Returns its folder. */
export async function writeMeasuredStudy(workspace: string, given: MeasuredStudy): Promise<string> {
  const { target = 't', startedAt, file, functions, repetitions = 5, change } = given;
  const study = `measure-${startedAt.slice(0, 19).replaceAll(':', '-')}`;
  const directory = path.join(workspace, '.kymo', target, study);
  for (let run = 0; run < repetitions; run++) {
    const folder = path.join(directory, 'i0', `measured.r${run + 1}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'profile.cubex'), profileOf(file, functions, run));
    const experiment: Experiment = {
      ...{ kymoExperiment: 1, target, study, iteration: 0, repetition: run + 1, variant: 'measured' },
      ...{ parameters: {}, ranks: 1, command: [`./${target}`], host: 'node7', compiler: 'gcc 12' },
      ...{ buildId: startedAt, startedAt: new Date(Date.parse(startedAt) + run * 60_000).toISOString() },
      ...{ wallSeconds: 10, cpuSeconds: 10, exitStatus: 0, instrumented: 3, ...change },
    };
    writeFileSync(path.join(folder, 'experiment.json'), JSON.stringify(experiment));
  }
  const rows = Object.entries(functions).map(([name, [line]]) => ({
    ...{ key: name, name, file, line, visits: 1, selected: true, reason: 'in: by hand', hasSite: true },
  }));
  writeJson(directory, 'functions.json', { kymoFunctions: 1, functions: rows });
  writeJson(directory, 'study.json', {
    ...{ kymoStudy: 1, kind: 'measurement', target, study, startedAt, state: 'complete', fingerprint: '0' },
    ...{ buildId: startedAt, buildSeconds: 1, stopReason: 'measured' },
    iterations: [
      {
        ...{ index: 0, instrumented: rows.length, executed: rows.length, visits: rows.length, changed: 0 },
        ...{ medianSeconds: 10, baselineSeconds: 10, overheadPercent: 0, noisePercent: 0.3 },
      },
    ],
  });
  await writeSources(directory, [file]);
  return directory;
}

function profileOf(file: string, functions: MeasuredStudy['functions'], run: number): Uint8Array {
  const builder = new ProfileBuilder().metric(standardMetrics.visits).metric(standardMetrics.time);
  const owner = builder.systemNode({ name: 'process', kind: 'process', rank: 0 });
  const thread = builder.location({ name: 'thread', rank: 0, thread: 0, kind: 'thread', process: owner });
  const measured = Object.entries(functions).map(([name, [firstLine, seconds]], own) => ({
    ...{ name, firstLine },
    seconds: seconds * (1 + 0.0015 * (((run * 7 + own * 3) % 5) - 2)),
  }));
  const whole = measured.reduce((sum, { seconds }) => sum + seconds, 0);
  let root: number | undefined;
  for (const { name, firstLine, seconds } of measured) {
    const region = builder.region({ name, file, firstLine, paradigm: 'compiler', role: 'function' });
    const at = builder.callPath(root, region);
    // Inclusive: of the caller with all that it calls.
    const inclusive = root === undefined ? whole : seconds;
    root ??= at;
    builder.set('visits', at, thread, 1).set('time', at, thread, inclusive);
  }
  return writeCube(builder.build());
}

function writeJson(directory: string, name: string, value: object): void {
  writeFileSync(path.join(directory, name), JSON.stringify(value));
}
