import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findProgram } from '../../src/measurement/launch/findProgram';
import { mpiLayer } from '../../src/measurement/layers/mpiLayer';
import type { CounterName } from '../../src/formats/kymo-result/slots';
import type { KymoResult } from '../../src/formats/kymo-result/resultFile';
import type { Partner } from '../../src/formats/kymo-result/jobFile';
import { bytesSource, partOf } from '../../src/formats/byteSource';
import { ProcessStream } from '../../src/formats/kymo-iterations/processStream';
import { ProcessWaits } from '../../src/formats/kymo-result/processWaits';
import { readResults, type ProcessResult } from '../../src/measurement/results/readResults';
import { programs, Workbench } from './harness';
import { everything, readSites, writeSelection } from './selection';
import { onlyInFull } from '../volume';

const workbench = new Workbench();
const implementations = (['openmpi', 'mpich'] as const).map((name) => ({
  name,
  cc: `mpicc.${name}`,
  fc: name === 'openmpi' ? 'mpifort.openmpi' : 'mpif90.mpich',
  run: `mpirun.${name}`,
}));
const isHere = new Map<string, boolean>();
for (const { name, cc, run } of implementations)
  isHere.set(name, (await findProgram(cc)) !== undefined && (await findProgram(run)) !== undefined);

/** The id that `writeSelection` gives. */
const selectionId = '00000000deadbeef';

/** Whether this user may give processes a host name of their own. */
const hasHostNames = spawnSync('unshare', ['-u', 'true']).status === 0;

/** Values of MPI regions: visits and bytes sent, received, put and got. */
type Traffic = Readonly<Record<string, readonly number[]>>;

function compile(compiler: string, source: string, more: readonly string[] = []): string {
  const file = workbench.path('mpi');
  const { executable } = workbench.runtime('gcc');
  execFileSync(compiler, [
    ...['-g', '-O1', '-w', '-fpatchable-function-entry=64,58', '-fno-ipa-ra', ...more],
    ...[path.join(programs, 'mpi', source), '-o', file, ...executable],
  ]);
  return file;
}

/** Link options for a library that calls MPI before the runtime begins. */
function earlyLibrary(compiler: string): readonly string[] {
  const file = `${workbench.path('early')}.so`;
  execFileSync(compiler, ['-shared', '-fPIC', path.join(programs, 'mpi', 'early.c'), '-o', file]);
  return ['-Wl,--no-as-needed', file];
}

interface MeasuredRank extends KymoResult {
  readonly partners: readonly Partner[];
  /** Ticks by kind, of each iteration. */
  readonly waits: readonly Readonly<Record<string, number>>[];
}

interface Run {
  readonly status: number | null;
  /** What the ranks printed, which may mix in the middle of a line. */
  readonly output: string;
  readonly errors: string;
  /** By rank. */
  readonly results: readonly MeasuredRank[];
  /** The slots of regions with names follow these. */
  readonly functions: number;
  /** What the run left in the folder for results. */
  readonly files: readonly string[];
}

/** Runs a program with all its functions and MPI calls recorded. */
async function measured(
  run: string,
  program: string,
  ranks: number,
  words: readonly string[] = [],
  through: readonly string[] = [],
  phases: readonly string[] = [],
): Promise<Run> {
  const layer = await mpiLayer(program, process.env);
  if (layer.kind !== 'layer') throw new Error(`no layer: ${JSON.stringify(layer)}`);
  const folder = workbench.path('results');
  mkdirSync(folder);
  const selection = workbench.path('selection');
  const functions = everything(readSites(program), 'entry', new Map());
  const slots = writeSelection(selection, [functions], new Map(), phases);
  const recording = {
    KYMO_SELECTION: selection,
    KYMO_RESULTS: folder,
    LD_PRELOAD: layer.library,
    KYMO_JOB: '1',
  };
  const done = started(run, program, ranks, words, recording, through);
  const read = await readResults({ directory: folder, selectionId, slots }).catch(() => ({ results: [] }));
  const results = await Promise.all(
    read.results.map(async (result) => ({
      ...result,
      threads: await result.readThreads(),
      partners: (await result.readPartners?.()) ?? [],
      waits: waitsByIteration(result, slots.length),
    })),
  );
  return { ...done, results, functions: slots.length, files: readdirSync(folder) };
}

function started(
  run: string,
  program: string,
  ranks: number,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  through: readonly string[] = [],
): Pick<Run, 'status' | 'output' | 'errors'> {
  const asRoot = run.endsWith('openmpi') ? ['--oversubscribe', '--allow-run-as-root'] : [];
  const command = ['-n', String(ranks), ...asRoot, ...through, program, ...words];
  const { status, stdout, stderr } = spawnSync(run, command, {
    encoding: 'utf8',
    cwd: workbench.folder,
    // More ranks than processors must not spin.
    env: { ...process.env, OMPI_MCA_mpi_yield_when_idle: '1', ...environment },
    timeout: 120_000,
  });
  return { status, output: stdout, errors: stderr };
}

/** What the program says of each rank. */
function truthOf(text: string): readonly Traffic[] {
  const ranks: Record<string, number[]>[] = [];
  for (const [, rank = '', name = '', values = ''] of text.matchAll(/^= (\d+) (MPI_\w+)((?: \d+)+)$/gm))
    (ranks[Number(rank)] ??= {})[name] = values.trim().split(' ').map(Number);
  return ranks;
}

function trafficOf({ regions, threads }: KymoResult, functions: number): Traffic {
  const traffic: Record<string, number[]> = {};
  for (const { slot, visits, counters } of threads)
    slot.forEach((number, node) => {
      const region = regions[number - functions];
      if (region?.kind !== 'mpi') return;
      const columns = ['bytesSent', 'bytesReceived', 'bytesPut', 'bytesGot'] as const;
      const values = [visits, ...columns.map((name) => counters.get(name))].map(
        (column) => column?.[node] ?? 0,
      );
      const before = traffic[region.name] ?? [];
      traffic[region.name] = values.map((value, index) => value + (before[index] ?? 0));
    });
  return traffic;
}

function total(traffic: readonly Traffic[], column: number): number {
  const values = traffic.flatMap((functions) => Object.values(functions));
  return values.reduce((sum, of) => sum + (of[column] ?? 0), 0);
}

describe.each(implementations)('MPI calls with $name', ({ name, cc, fc, run }) => {
  const present = isHere.get(name) === true;

  it.skipIf(!present)('C: each function has the visits and bytes that the program exchanges', async () => {
    const folder = workbench.path('truth');
    mkdirSync(folder);
    const { status, errors, results, functions } = await measured(
      run,
      compile(cc, 'traffic.c', earlyLibrary(cc)),
      4,
      [folder],
    );
    expect({ status, errors }).toEqual({ status: 0, errors: '' });
    expect(results.map(({ rank, rankCount }) => [rank, rankCount])).toEqual(
      [0, 1, 2, 3].map((rank) => [rank, 4]),
    );
    const texts = [0, 1, 2, 3].map((rank) => readFileSync(path.join(folder, `truth.${rank}`), 'utf8'));
    const traffic = results.map((result) => trafficOf(result, functions));
    expect(traffic).toEqual(truthOf(texts.join('')));
    expect(total(traffic, 1)).toBe(total(traffic, 2));
    expect(total(traffic, 1)).toBeGreaterThan(0);
  });

  it.skipIf(!present).each(['mpif', 'mpi', 'f08'])(
    'Fortran by %s: the same, with the names of the standard',
    async (how) => {
      const flags = [`-DINTERFACE_${how}`, '-fallow-argument-mismatch', `-J${workbench.folder}`];
      const { status, output, results, functions } = await measured(
        run,
        compile(fc, 'traffic.F90', flags),
        3,
      );
      expect(status).toBe(0);
      const truth = truthOf(output);
      expect(truth.map((functionsOf) => Object.keys(functionsOf).length)).toEqual([11, 11, 11]);
      results.forEach((result, rank) =>
        expect(trafficOf(result, functions)).toMatchObject(truth[rank] ?? {}),
      );
    },
  );

  // In a long program, logs are exchanged while it runs. With MPICH, more ranks than processors would need minutes for it.
  const kinds =
    name === 'openmpi'
      ? ['plain', 'many', ...onlyInFull(['threads'])]
      : ['threads', ...onlyInFull(['plain'])];
  // On a busy machine a process may lose the processor between its own clock and its call: the truth of that run is none.
  it.skipIf(!present).each(kinds)(
    'waiting (%s): for late senders, receivers, roots and members',
    { retry: 2 },
    async (kind) => {
      const folder = workbench.path('truth');
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
      const run4 = await measured(run, compile(cc, 'waits.c'), 4, [folder, kind], [], ['stage']);
      expectWaits(run4, folder, kind === 'many');
    },
  );

  // MPICH's launcher starts the processes of nodes that are this machine; each has its own name of the host. Again where other work stopped a rank
  // between its own reading of the time and the call.
  it.skipIf(!present || name !== 'mpich' || !hasHostNames)(
    'waiting in a job of two hosts, whose clocks are compared',
    { retry: 2 },
    async () => {
      const folder = workbench.path('truth');
      mkdirSync(folder);
      const rename = 'hostname kymo$((PMI_RANK / 2)); exec "$0" "$@"';
      const nodes = ['-launcher', 'fork', '-hosts', 'a,b', '-ppn', '2', 'unshare', '-u', 'sh', '-c', rename];
      const run4 = await measured(run, compile(cc, 'waits.c'), 4, [folder], nodes, ['stage']);
      expect(run4.results.map(({ host }) => host)).toEqual(['kymo0', 'kymo0', 'kymo1', 'kymo1']);
      expectWaits(run4, folder, false);
    },
  );

  // The program's own output and its exit status never change.
  it.skipIf(!present)(
    'faults: a program ends as it does unmeasured, and what was measured is there',
    async () => {
      const program = compile(cc, 'faults.c', ['-pthread']);
      for (const [how, ranks] of Object.entries(faults)) {
        const [plain, folder] = [workbench.path('plain'), workbench.path('measured')];
        for (const made of [plain, folder]) mkdirSync(made);
        const { status } = started(run, program, 3, [how, plain, '1'], {});
        const { results, functions, ...outcome } = await measured(run, program, 3, [how, folder]);
        const sums = (of: string): readonly string[] =>
          readdirSync(of).map((file) => readFileSync(path.join(of, file), 'utf8'));
        // How mpirun takes a rank that leaves without MPI_Finalize depends on which one it notices first.
        const ofJob = how === 'exit' ? status : outcome.status;
        expect({ how, status: ofJob, sums: sums(folder) }).toEqual({ how, status, sums: sums(plain) });
        expect(outcome.errors.match(/kymo: .*/g) ?? []).toEqual(
          how === 'full' ? [expect.stringContaining('the result could not be written')] : [],
        );
        const ended = results.filter(({ flags }) => !flags.incomplete).map(({ rank }) => rank);
        const surely = how === 'spawn' && status !== 0 ? [] : [...ranks];
        expect({ how, ended }).toEqual({ how, ended: expect.arrayContaining(surely) as unknown });
        const calls = results.map((result) => trafficOf(result, functions).MPI_Sendrecv?.[0] ?? 0);
        if (how === 'threads') expect(calls).toEqual([4000, 4000, 4000]);
      }
    },
  );

  const other = implementations.find((one) => one.name !== name);
  it.skipIf(!present || other === undefined || isHere.get(other.name) !== true)(
    'a layer for another library than the one at run time changes nothing, and says so',
    async () => {
      const [program, foreign] = [
        compile(cc, 'faults.c', ['-pthread']),
        compile(other?.cc ?? '', 'traffic.c'),
      ];
      const layer = await mpiLayer(foreign, process.env);
      const LD_PRELOAD = layer.kind === 'layer' ? layer.library : '';
      const [selection, results] = [workbench.path('selection'), workbench.path('results')];
      mkdirSync(results);
      writeSelection(selection, [everything(readSites(program), 'entry', new Map())]);
      const recording = { KYMO_SELECTION: selection, KYMO_RESULTS: results };
      const ends = [{}, { LD_PRELOAD, KYMO_JOB: '1' }, { LD_PRELOAD, KYMO_JOB: '1', ...recording }].map(
        (environment) => {
          const folder = workbench.path('sums');
          mkdirSync(folder);
          const { status, errors } = started(run, program, 2, ['status', folder], environment);
          const sums = readdirSync(folder).map((file) => readFileSync(path.join(folder, file), 'utf8'));
          return { status, sums, said: errors.match(/kymo: .*/g) ?? [] };
        },
      );
      const [plain, loaded, recorded] = ends;
      expect(plain?.sums).not.toEqual([]);
      expect(loaded).toEqual(plain);
      const sentence = expect.stringMatching(/MPI calls are not recorded: .* another MPI library/) as string;
      expect(recorded).toEqual({ ...plain, said: [sentence, sentence] });
    },
  );
});

/** @param isOpen whether ranks may also have waited, outside of the phase, in calls of which the program takes no times */
function expectWaits({ status, errors, results, files }: Run, folder: string, isOpen: boolean): void {
  expect({ status, errors, files }).toEqual({
    status: 0,
    errors: '',
    files: [expect.stringMatching(/\.job$/)],
  });
  const wrong = waitsOf(folder).flatMap((stages, rank) =>
    stages.flatMap((kinds, stage) =>
      Object.entries(kinds).flatMap(([kind, seconds]) => {
        const found = (results[rank]?.waits[stage]?.[kind] ?? 0) / (results[rank]?.ticksPerSecond ?? 1);
        return Math.abs(found - seconds) <= 0.05 * seconds + 0.001
          ? []
          : [{ rank, stage, kind, seconds, found }];
      }),
    ),
  );
  expect(wrong).toEqual([]);
  for (const kind of ['lateSender', 'lateReceiver', 'lateRoot', ...(isOpen ? [] : ['lateMember'])])
    for (const result of results)
      expect([kind, sum(result.waits.map((of) => of[kind] ?? 0))]).toEqual([
        kind,
        ticksOf(result, kind as CounterName),
      ]);
  // Receives of even ranks waited for the next rank, and for nobody else.
  const blamed = results.map(
    ({ partners }) => new Set(partners.flatMap((p) => (p.waitedTicks > 0 ? [p.peer] : []))),
  );
  expect(blamed).toEqual([new Set([1]), new Set(), new Set([3]), new Set()]);
}

/** Seconds of each kind by rank and stage. */
function waitsOf(folder: string): readonly (readonly Readonly<Record<string, number>>[])[] {
  return [0, 1, 2, 3].map((rank) => {
    const stages: Record<string, number>[] = [];
    const text = readFileSync(path.join(folder, `truth.${rank}`), 'utf8');
    for (const [, stage, kind = '', value] of text.matchAll(/^= \d (\d+) (\w+) (\d+)$/gm))
      (stages[Number(stage)] ??= {})[kind] = Number(value) / 1e9;
    expect(stages.length).toBeGreaterThan(20);
    return stages;
  });
}

/** Ticks that a process waited, in all its calls. */
function ticksOf({ threads }: KymoResult, kind: CounterName): number {
  return sum(threads.flatMap(({ counters }) => [...(counters.get(kind) ?? [])]));
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** What the job's file has of each iteration. */
function waitsByIteration({ iterationsFile }: ProcessResult, functions: number): MeasuredRank['waits'] {
  const { file, range, waits } = iterationsFile;
  if (range === undefined || waits === undefined || range.length === 0) return [];
  const bytes = bytesSource(readFileSync(file));
  const stream = new ProcessStream(partOf(bytes, range), file, selectionId);
  const waiting = new ProcessWaits(partOf(bytes, waits));
  const found: Record<string, number>[] = [];
  while (stream.next() !== undefined) {
    const kinds: Record<string, number> = {};
    for (const { node, counter, ticks } of waiting.of(found.length)) {
      expect(stream.nodes[node]?.slot).toBeGreaterThanOrEqual(functions);
      kinds[counter] = (kinds[counter] ?? 0) + ticks;
    }
    found.push(kinds);
  }
  return found;
}

/** How the program of the faults ends, and the ranks that surely leave a complete result: `mpirun` ends the others of a job that failed. */
const faults: Readonly<Record<string, readonly number[]>> = {
  abort: [],
  kill: [],
  exit: [1],
  fork: [0, 1, 2],
  threads: [0, 1, 2],
  error: [0, 1, 2],
  status: [0, 1, 2], // The first rank that ends with a status other than 0 ends the job, but the results are merged by then.
  full: [0, 2], // One rank may not write files: the others write their own.
  hang: [0, 2],
  spawn: [0, 1, 2], // where the library can
};
