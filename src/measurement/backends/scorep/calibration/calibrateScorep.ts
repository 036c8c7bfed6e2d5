import { readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { KymoError } from '../../../../core/errors';
import { regionTimes } from '../../../../core/functions/regionTimes';
import { scorepPairCosts } from '../../../../core/cost/pairCost';
import { readCube } from '../../../../formats/cube4/read';
import { writeFileAtomically } from '../../../files/disk';
import type { SiteCost } from '../../../../core/profile/experiment';
import { runProcess, succeeded, type ProcessResult } from '../../../launch/process';
import { costsOf, type CalibratedCosts, type CalibrationRound } from './calibrationRounds';
import type { ScorepInstallation } from '../installation/findScorep';
import { measurementEnvironment, totalMemoryBytes } from '../installation/measurementEnvironment';
import { scratchFolder } from '../../../files/leftovers';
import { makeOwnFolder } from '../../../files/ownFiles';

/** Cost of instrumentation on this machine. */
export interface ScorepCalibration {
  /** Cost of a recorded visit. */
  readonly recorded: SiteCost;
  /** Cost of a visit that the run's filter skips, without the optimisations that the call prevents. */
  readonly filteredSeconds: number;
  /** The reason why the costs are a rule of thumb and not measured. */
  readonly assumed?: string;
  /** The machine was so busy that the costs may be too large; the next calibration measures again. */
  readonly unsteady?: true;
}

export interface CalibrateOptions {
  readonly scorep: Pick<ScorepInstallation, 'path' | 'version' | 'tools'>;
  /** Environment of the processes that are started. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Variables of measured runs: metrics add to the cost of each visit. */
  readonly measurement: Readonly<Record<string, string>>;
  /** Folder that stores the result for the next time. */
  readonly cache: string;
  readonly signal: AbortSignal;
}

/**
 * Builds a small program without and with Score-P and compares its calls: plain, recorded, and skipped by a filter. Takes a second or two
 * the first time. Where that fails, a rule of thumb stands in, with the reason.
 * @throws KymoError `cancelled`
 */
export async function calibrateScorep(options: CalibrateOptions): Promise<ScorepCalibration> {
  const key = keyOf(options);
  const file = path.join(options.cache, 'scorep-calibration.json');
  const before = await readCached(file, key);
  if (before !== undefined) return before;
  const scratch = await scratchFolder('scorep');
  try {
    const { unsteady, ...measured } = await measure(options, scratch);
    if (unsteady) return { ...measured, unsteady };
    await makeOwnFolder(options.cache);
    await writeFileAtomically(file, `${JSON.stringify({ key, ...measured }, undefined, 1)}\n`);
    return measured;
  } catch (error) {
    if (options.signal.aborted) throw new KymoError('cancelled', 'Cancelled while calibrating Score-P.');
    const why = error instanceof Error ? error.message : String(error);
    return { ...ruleOfThumb, assumed: why };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

const ruleOfThumb: ScorepCalibration = {
  recorded: {
    pairSeconds: scorepPairCosts.probe.pairSeconds,
    spreadSeconds: 5e-9,
    insideSeconds: scorepPairCosts.probe.insideSeconds,
    outsideSeconds: scorepPairCosts.probe.outsideSeconds,
  },
  filteredSeconds: 1.5e-9,
};

const batches = 15;
const callsPerBatch = 20_000;
/** More rounds than the least only while they differ. */
const rounds = { least: 5, most: 11 } as const;
/** Disturbances of a processor last for some tenths of a second; the rounds must not all fall into one. */
const pauseMilliseconds = 150;

/**
 * Calls of a function that does next to nothing, in batches; prints seconds per call: CPU time of each batch, and the wall time of all. A batch is
 * shorter than what a scheduler gives a program at once.
 */
const program = `#include <stdio.h>
#include <time.h>
static double now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
__attribute__((noinline)) void kymo_called(volatile int *counter) { ++*counter; }
int main(void) {
  volatile int counter = 0;
  double wall = 0;
  for (int batch = 0; batch < ${batches}; batch++) {
    double begin = now(CLOCK_MONOTONIC), cpu = now(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < ${callsPerBatch}; i++) kymo_called(&counter);
    printf("%.6e\\n", (now(CLOCK_THREAD_CPUTIME_ID) - cpu) / ${callsPerBatch});
    wall += now(CLOCK_MONOTONIC) - begin;
  }
  printf("%.6e\\n", wall / ${batches} / ${callsPerBatch});
  return 0;
}
`;

const filterOfBuild =
  'SCOREP_REGION_NAMES_BEGIN\n  EXCLUDE *\n  INCLUDE MANGLED main kymo_called\nSCOREP_REGION_NAMES_END\n';
const filterOfRun = 'SCOREP_REGION_NAMES_BEGIN\n  EXCLUDE MANGLED kymo_called\nSCOREP_REGION_NAMES_END\n';

async function measure(options: CalibrateOptions, scratch: string): Promise<CalibratedCosts> {
  const { scorep } = options;
  const inScratch = (name: string): string => path.join(scratch, name);
  await writeFile(inScratch('calls.c'), program);
  await writeFile(inScratch('build.filter'), filterOfBuild);
  await writeFile(inScratch('run.filter'), filterOfRun);
  const compiler = await compilerOf(options);
  const instrument = [
    ...[scorep.path, '--mpp=none', '--thread=none', '--nomemory'],
    `--instrument-filter=${inScratch('build.filter')}`,
  ];
  const compile = [...compiler, '-O2', inScratch('calls.c'), '-o'];
  await run(options, scratch, [...compile, inScratch('plain')], {});
  await run(options, scratch, [...instrument, ...compile, inScratch('instrumented')], {});
  const measured: CalibrationRound[] = [];
  for (;;) {
    await setTimeout(measured.length === 0 ? 0 : pauseMilliseconds);
    measured.push(await measureRound(options, scratch));
    if (measured.length < rounds.least) continue;
    const costs = costsOf(measured);
    if (costs.unsteady && measured.length < rounds.most) continue;
    requirePlausible(costs.recorded.pairSeconds);
    return costs;
  }
}

async function measureRound(options: CalibrateOptions, scratch: string): Promise<CalibrationRound> {
  const inScratch = (name: string): string => path.join(scratch, name);
  const results = inScratch('results');
  const runOf = async (name: string, filter?: string): Promise<Times> => {
    await rm(results, { recursive: true, force: true });
    const environment = measurementEnvironment({
      results,
      filter,
      totalMemoryBytes: totalMemoryBytes(),
      environment: options.measurement,
    });
    return timesOf(await run(options, scratch, [inScratch(name)], environment));
  };
  const plain = await runOf('plain');
  const filtered = await runOf('instrumented', inScratch('run.filter'));
  const recorded = await runOf('instrumented');
  return {
    plain: plain.batches,
    filtered: filtered.batches,
    recorded: recorded.batches,
    plainWall: plain.wall,
    recordedWall: recorded.wall,
    shown: await shownInside(results),
  };
}

function requirePlausible(seconds: number): void {
  if (seconds > 0 && seconds < 1e-3) return;
  throw new Error(`the cost of a visit came out as ${seconds} s`);
}

/** Seconds per visit of the called function in the profile. */
async function shownInside(results: string): Promise<number> {
  const file = path.join(results, 'profile.cubex');
  const profile = readCube(await readFile(file), file);
  const region = profile.regions.findIndex(({ name }) => name === 'kymo_called');
  const { inclusiveSeconds = 0, visits = 0 } = regionTimes(profile, () => undefined).regions[region] ?? {};
  if (visits === 0) throw new Error('the called function is not in the profile');
  return inclusiveSeconds / visits;
}

/** The C compiler that Score-P was built with: its plug-in fits that one. */
async function compilerOf(options: CalibrateOptions): Promise<readonly [string, ...string[]]> {
  const { config } = options.scorep.tools;
  if (config === undefined) return ['cc'];
  const answer = await run(options, '/', [config, '--cc'], {});
  const [compiler, ...rest] = answer.stdout.trim().split(/\s+/);
  return compiler === undefined || compiler === '' ? ['cc'] : [compiler, ...rest];
}

async function run(
  { environment, signal }: CalibrateOptions,
  cwd: string,
  argv: readonly string[],
  more: Readonly<Record<string, string>>,
): Promise<ProcessResult> {
  const [name = '', ...rest] = argv;
  const result = await runProcess(
    { argv: [name, ...rest] },
    { cwd, env: { ...environment, LC_ALL: 'C', ...more }, signal, timeoutSeconds: 60 },
  );
  if (succeeded(result)) return result;
  const lastLine = result.stderr.trim().split('\n').at(-1)?.slice(0, 300) ?? '';
  throw new Error(`${path.basename(name)} did not succeed${lastLine === '' ? '' : ` (${lastLine})`}`);
}

/** Output of the program; seconds per call. */
interface Times {
  readonly batches: readonly number[];
  readonly wall: number;
}

function timesOf({ stdout }: ProcessResult): Times {
  const numbers = stdout
    .split('\n')
    .map(Number)
    .filter((number) => number > 0 && Number.isFinite(number));
  const wall = numbers.at(-1);
  if (numbers.length !== batches + 1 || wall === undefined)
    throw new Error('the program did not print its times');
  return { batches: numbers.slice(0, batches), wall };
}

function keyOf({ scorep, measurement }: CalibrateOptions): string {
  return JSON.stringify([2, scorep.path, scorep.version, hostname(), Object.entries(measurement).sort()]);
}

async function readCached(file: string, key: string): Promise<ScorepCalibration | undefined> {
  try {
    const value = JSON.parse(await readFile(file, 'utf8')) as Partial<ScorepCalibration> & { key?: unknown };
    const { recorded, filteredSeconds } = value;
    if (value.key !== key || !isCost(recorded) || !isSeconds(filteredSeconds)) return undefined;
    return { recorded, filteredSeconds };
  } catch {
    return undefined;
  }
}

function isCost(cost: SiteCost | undefined): cost is SiteCost {
  if (typeof cost !== 'object') return false;
  const { pairSeconds, spreadSeconds, insideSeconds, outsideSeconds } = cost;
  return [pairSeconds, spreadSeconds, insideSeconds, outsideSeconds].every(isSeconds);
}

function isSeconds(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < 1;
}
