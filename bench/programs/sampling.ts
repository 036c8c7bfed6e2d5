// What an independent profiler measures in a program: `perf` with call graphs unwound by debug information.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import {
  linkedAddress,
  mergedSamples,
  readInlineChains,
  readSegments,
  readStacks,
  readTailCalls,
  sampledProfile,
  type Frame,
  type NamesAt,
  type SampledProfile,
  type TailCalls,
} from './perfScript';

/** A run of a program as a user would start it. */
export interface ProgramRun {
  /** Program and arguments. */
  readonly words: readonly string[];
  readonly cwd: string;
  /** File for standard input. */
  readonly input: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Exit statuses that mean success. */
  readonly statuses: readonly number[];
}

/** The software clock works in virtual machines, too; kernel time counts for the functions that asked for it. */
const event = ['-e', 'cpu-clock'];

export function canSample(): boolean {
  return spawnSync('perf', ['record', '-q', ...event, '-o', '/dev/null', 'true']).status === 0;
}

export interface SamplingOptions {
  /** How much of the stack each sample stores; deeper frames are missing. */
  readonly stackBytes?: number;
  readonly samplesPerSecond?: number;
}

/** On machines that are shared, the parts of a program are now faster and now slower: one run shows them up to four points off. */
const sampledRuns = 4;

/**
 * @param tree folder of the program; functions of files elsewhere are nobody's
 * @param folder for what `perf` records
 */
export function sampleProgram(
  run: ProgramRun,
  tree: string,
  folder: string,
  options: SamplingOptions = {},
): SampledProfile & { readonly tailCalls: TailCalls } {
  const scripts = Array.from({ length: sampledRuns }, () => sampleOnce(run, folder, options));
  const places = scripts.flatMap((script) => readStacks(script).stacks.flat());
  const own = new Set(places.map(({ object }) => object).filter((object) => object.startsWith(`${tree}/`)));
  const code = [...own].map((object) => output('objdump', ['-d', '--no-show-raw-insn', object]));
  const names = functionNames(places, own);
  return {
    ...mergedSamples(scripts.map((script) => sampledProfile(script, names))),
    tailCalls: readTailCalls(code.join('\n')),
  };
}

/** What `perf script` prints of a run. */
function sampleOnce(
  run: ProgramRun,
  folder: string,
  { stackBytes = 16_384, samplesPerSecond = 2999 }: SamplingOptions,
): string {
  const data = path.join(folder, 'perf.data');
  const rate = ['-F', String(samplesPerSecond)];
  const options = [...event, ...rate, '--call-graph', `dwarf,${String(stackBytes)}`, '-o', data];
  const recorded = spawnSync(
    'bash',
    [
      '-c',
      'exec perf record -q "$@" <"$KYMO_BENCH_INPUT" >/dev/null',
      'bash',
      ...options,
      '--',
      ...run.words,
    ],
    {
      cwd: run.cwd,
      env: { ...process.env, ...run.environment, KYMO_BENCH_INPUT: run.input },
      encoding: 'utf8',
    },
  );
  if (recorded.status === null || !run.statuses.includes(recorded.status))
    throw new Error(`perf record ended with ${String(recorded.status)}: ${recorded.stderr.slice(-1000)}`);
  const script = output('perf', ['script', '-i', data, '--no-inline', '-F', 'comm,tid,ip,sym,dso']);
  rmSync(data);
  return script;
}

/** The functions at each place of the program's own files. */
function functionNames(places: readonly Frame[], own: ReadonlySet<string>): NamesAt {
  const offsets = new Map<string, Set<number>>();
  for (const { object, offset } of places)
    if (own.has(object)) offsets.set(object, (offsets.get(object) ?? new Set<number>()).add(offset));
  const names = new Map([...offsets].map(([object, found]) => [object, namesIn(object, found)]));
  return ({ object, offset }) => names.get(object)?.get(offset) ?? [];
}

function namesIn(object: string, offsets: ReadonlySet<number>): ReadonlyMap<number, readonly string[]> {
  const segments = readSegments(output('readelf', ['-lW', object]));
  const addresses = [...offsets].map((offset) => [offset, linkedAddress(segments, offset)] as const);
  const input = addresses.map(([, address]) => `0x${address.toString(16)}\n`).join('');
  const chains = readInlineChains(output('addr2line', ['-a', '-f', '-i', '-e', object], input));
  return new Map(addresses.map(([offset, address]) => [offset, chains.get(address) ?? []]));
}

function output(program: string, words: readonly string[], input = ''): string {
  const run = spawnSync(program, words, { input, encoding: 'utf8', maxBuffer: 1 << 30 });
  if (run.status !== 0)
    throw new Error(`${program} ended with ${String(run.status)}: ${run.stderr.slice(-1000)}`);
  return run.stdout;
}
