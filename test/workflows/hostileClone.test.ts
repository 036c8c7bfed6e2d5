import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EngineClient } from '../../src/engine/client';
import type { DocumentQuestions } from '../../src/engine/questions';
import type { SearchNode } from '../../src/core/diagnosis/search/searchRecord';
import { requests } from '../../src/engine/requests/requests';
import { usualFilter } from '../../src/protocol/comparison';
import { bundleCli, type BundledCli } from '../bundledCli';
import { kymo } from '../refineProgram';

/**
 * A clone that tries everything to have a program of its own started: by git, by names in `kymo.json`, by `PATH` and by the folder in which the
 * tool is started. It brings results along, with links to a folder of the user's.
 */
const root = mkdtempSync(path.join(tmpdir(), 'kymo hostile ü-'));
const clone = path.join(root, 'clone');
const victim = path.join(root, 'home');
/** What a started program of the clone leaves. */
const trapped = path.join(root, 'trapped');
/** Every program that a process of ours starts, one per line as JSON; itself a module that Node loads first. */
const started = path.join(root, 'started');
const watch = path.join(root, 'watch.cjs');
const trap = `#!/bin/sh\necho "$0 $*" >> '${trapped}'\nexit 1\n`;
const programNames = [
  'git',
  'gcc',
  'cc',
  'g++',
  'c++',
  'c++filt',
  'llvm-cxxfilt',
  'scorep',
  'make',
  'cmake',
  'sh',
  'mpirun',
];

type RequestName = keyof typeof requests;
const names = Object.keys(requests) as RequestName[];
const runsCommands = names.filter((name) => requests[name].runsCommands);

let engineFile: BundledCli;
let cli: BundledCli;
let study: string;
let profile: string;
/** A trace whose folder of results is a link. */
const trace = path.join(clone, 'traced', 'every.otf2');

beforeAll(async () => {
  makeStudy();
  mkdirSync(victim);
  writeFileSync(path.join(victim, 'secret'), 'old');
  for (const name of programNames) writeTrap(path.join(clone, name));
  writeConfig();
  writeTrace();
  makeRepository();
  linkOut();
  writeFileSync(
    watch,
    `const { appendFileSync } = require('node:fs');
     const processes = require('node:child_process');
     for (const name of ['spawn', 'execFile', 'exec', 'fork', 'spawnSync', 'execFileSync', 'execSync']) {
       const original = processes[name];
       processes[name] = function (file, ...rest) {
         appendFileSync(${JSON.stringify(started)}, JSON.stringify(file) + '\\n');
         return original.call(this, file, ...rest);
       };
     }`,
  );
  process.env.NODE_OPTIONS = `--require=${JSON.stringify(watch)}`;
  process.env.PATH = `.:${clone}/none::${process.env.PATH ?? ''}`;
  [engineFile, cli] = await Promise.all([bundleCli('src/engine/main.ts'), bundleCli()]);
});
const { NODE_OPTIONS, PATH } = process.env;
afterAll(async () => {
  process.env.NODE_OPTIONS = NODE_OPTIONS ?? '';
  process.env.PATH = PATH;
  await Promise.all([engineFile.remove(), cli.remove()]);
  rmSync(root, { recursive: true, force: true });
});

/** A real study of a small program, and one that looks like it in each way that is refused. */
function makeStudy(): void {
  mkdirSync(clone, { recursive: true });
  writeFileSync(
    path.join(clone, 'main.c'),
    `volatile double sink;
     void work(int n) { for (int i = 0; i < n; i++) { sink += i; sink *= 0.5; sink -= 1; sink += 2; } }
     int main(void) { for (int i = 0; i < 50; i++) work(20000); return 0; }\n`,
  );
  const build = { command: '${cc} -O1 -g -o program main.c' };
  const target = {
    name: 'it',
    build,
    executable: 'program',
    phase: 'work',
    repetitions: 1,
    refinement: { maximumIterations: 1 },
  };
  writeFileSync(path.join(clone, 'kymo.json'), JSON.stringify({ version: 1, targets: [target] }));
  kymo(['refine', '--workspace', clone]);
  const folder = path.join(clone, '.kymo', 'it');
  study = path.join(
    folder,
    readdirSync(folder).find((name) => existsSync(path.join(folder, name, 'study.json'))) ?? '',
  );
  const runs = path.join(study, 'i0');
  profile = path.join(
    runs,
    readdirSync(runs).find((name) => existsSync(path.join(runs, name, 'profile.cubex'))) ?? '',
    'profile.cubex',
  );
  cpSync(path.join(folder, 'build'), path.join(clone, 'kept'), { recursive: true });
}

function writeTrap(file: string): void {
  writeFileSync(file, trap);
  chmodSync(file, 0o755);
}

function writeConfig(): void {
  const target = {
    name: 'it',
    build: { command: './make CC=${cc}', configure: './cmake .', clean: './make clean' },
    executable: 'program',
    backend: 'scorep',
    scorep: { instrumenter: './scorep' },
    phase: 'work',
  };
  writeFileSync(
    path.join(clone, 'kymo.json'),
    JSON.stringify({
      version: 1,
      targets: [target, { ...target, name: 'other', scorep: { instrumenter: path.join(clone, 'gcc') } }],
    }),
  );
  writeTrap(path.join(clone, 'program'));
  const sizes = [1, 2, 4, 8, 16, 32];
  const points = sizes.flatMap((p) => sizes.map((n) => `( ${p} ${n} )`)).join(' ');
  const measured = sizes.flatMap((p) => sizes.map((n) => `DATA ${p * n}`)).join('\n');
  writeFileSync(
    path.join(clone, 'scaling.txt'),
    `PARAMETER p\nPARAMETER n\nPOINTS ${points}\nREGION work\n${measured}\n`,
  );
}

/** A trace in text form. */
function writeTrace(): void {
  writeFileSync(
    path.join(clone, 'it.mvtrace'),
    '#mvtrace 1  rank=0 nranks=1\nF\t1\tmain.c\nE\t1\t1\nX\t1\t9\t0.5\t1000\n',
  );
}

/** Settings that make git start something: of the clone, and of a bare repository that lies in it as files. */
function makeRepository(): void {
  const git = (...words: string[]): void => {
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.invalid', ...words], { cwd: clone });
  };
  git('init', '-q');
  git('add', 'main.c', 'kymo.json');
  git('commit', '-q', '-m', 'first');
  const settings = `[core]\n\tfsmonitor = ${clone}/git\n\thooksPath = ${clone}/hooks\n[filter "x"]\n\tclean = ${clone}/git\n\tprocess = ${clone}/git\n\trequired = true\n`;
  mkdirSync(path.join(clone, 'hooks'));
  for (const hook of ['post-index-change', 'post-checkout']) writeTrap(path.join(clone, 'hooks', hook));
  writeFileSync(path.join(clone, '.git', 'config'), settings, { flag: 'a' });
  writeFileSync(path.join(clone, '.gitattributes'), '* filter=x\n');
  const bare = path.join(clone, '.kymo');
  for (const folder of ['objects', 'refs']) mkdirSync(path.join(bare, folder));
  writeFileSync(path.join(bare, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(
    path.join(bare, 'config'),
    `[core]\n\trepositoryformatversion = 0\n\tworktree = ${clone}\n${settings}`,
  );
}

function linkOut(): void {
  cpSync(path.resolve(import.meta.dirname, '../fixtures/otf2/every'), path.dirname(trace), {
    recursive: true,
  });
  symlinkSync(victim, path.join(path.dirname(trace), '.kymo'));
  const results = path.join(clone, '.kymo');
  symlinkSync(victim, path.join(results, 'linked'));
  symlinkSync(path.join(victim, 'secret'), path.join(results, 'pins.json'));
  symlinkSync(path.join(victim, 'secret'), path.join(results, 'it', 'accepted.json'));
  mkdirSync(path.join(results, 'it', 'study-1'));
  symlinkSync(path.join(victim, 'secret'), path.join(results, 'it', 'study-1', 'parameter-study.json'));
  writeFileSync(
    path.join(results, 'it', 'lock'),
    JSON.stringify({ pid: 1, host: 'elsewhere', processStart: '', nonce: '0123456789abcdef', since: 'then' }),
  );
}

function untouched(): void {
  expect(existsSync(trapped) ? readFileSync(trapped, 'utf8') : '').toBe('');
  expect(readdirSync(victim)).toEqual(['secret']);
  expect(readFileSync(path.join(victim, 'secret'), 'utf8')).toBe('old');
}

function programsStarted(): readonly string[] {
  if (!existsSync(started)) return [];
  const names = readFileSync(started, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as string);
  rmSync(started);
  return names;
}

type View = 'profile' | 'cube' | 'dynamics' | 'models' | 'timeline' | 'traces' | 'diagnosis';

/** What a request is about, by its name: the first that matches. */
const views: readonly (readonly [RegExp, View])[] = [
  [/timeline/i, 'timeline'],
  [/^cube/, 'cube'],
  [/^(model|openModels|saveModels)/, 'models'],
  [/^(open|save)Comparison$|^comparison(Summary|Rows|Overview|Find|Place)$/, 'traces'],
  [/diagnosis/i, 'diagnosis'],
  [/^(dynamics|save)/, 'dynamics'],
];

/** An experiment that names a function. */
let functionNode = -1;

function questionOf(view: View): object {
  if (view === 'models') return { request: { paths: [path.join(clone, 'scaling.txt')] }, revision: 0 };
  if (view === 'diagnosis') return { path: profile, thresholds: {}, revision: 0 };
  return {
    request: { inputs: [path.dirname(profile)] },
    workspace: clone,
    paths: [path.join(clone, 'it.mvtrace'), path.join(clone, 'it.mvtrace')],
  };
}

/** One bag that has what each request wants. */
function optionsOf(ids: Readonly<Record<View, string>>, name: RequestName): object {
  const view = views.find(([names]) => names.test(name))?.[1] ?? 'profile';
  const [isOfTimeline, isOfDiagnosis] = [view === 'timeline', view === 'diagnosis'];
  const question = questionOf(view);
  const id = ids[view];
  const isWritten = name.startsWith('export') || name.startsWith('save');
  const file = isWritten ? path.join(root, `${name}.json`) : isOfTimeline ? trace : profile;
  const source = { studyDirectory: study, profiles: [profile] };
  const here = { sourcePaths: [], folders: [clone], found: {} };
  return {
    ...{
      workspace: clone,
      target: 'it',
      studyDirectory: study,
      folder: path.join(clone, '.kymo', 'linked'),
      file,
      id,
      question,
    },
    ...{
      first: 0,
      count: 10,
      metric: 0,
      processes: [0, 0],
      grouping: { kMeans: 2, coarser: 'filter' },
      one: 0,
      other: 0,
      order: 'time',
      isWhole: true,
      extent: 'exclusive',
      region: 0,
      regions: [0],
      callPath: 0,
      iteration: 0,
      from: 0,
      to: 0,
      series: 0,
      map: 0,
      row: 0,
      rows: { paths: Uint32Array.of(0), ends: Uint32Array.of(1) },
      outliers: true,
      score: 'imbalance',
      offset: 0,
      of: 'series',
      point: [64, 64],
      pixels: 10,
      isBackwards: false,
      settings: {
        ...{ mode: 'chain', metric: 'time', sensitivity: 0.05, isRelative: false },
        shows: usualFilter,
      },
      parameter: 0,
    },
    ...(isOfTimeline
      ? { firstRow: 0, rowCount: 2, to: 1, pixels: 10, most: 10, function: 0, seconds: 0, isBackwards: false }
      : {}),
    ...{
      path: path.join(clone, 'main.c'),
      lines: [1],
      current: { hashes: '' },
      minus: [],
      selected: [],
      rules: [0],
      properties: [],
    },
    ...{
      key: 'work',
      keys: ['work'],
      state: 'in',
      name: 'a.filter',
      text: 'SCOREP_REGION_NAMES_BEGIN\nEXCLUDE work\nSCOREP_REGION_NAMES_END\n',
    },
    ...{
      source,
      sources: here,
      files: [path.join(clone, 'main.c')],
      isOfStudy: true,
      ...here,
      asked: { keys: ['work'] },
    },
    ...{
      filter: name === 'measure' ? profile : { file: path.join(clone, 'main.c') },
      format: 'json',
      destination: path.join(root, 'out.json'),
    },
    ...(name === 'forecastStudy' ? { study: 'study-1' } : {}),
    ...(name === 'modelPlane' ? { parameters: [0, 1], logarithmic: [true, false] } : {}),
    ...(isOfDiagnosis
      ? { path: profile, thresholds: {}, node: functionNode, edges: Uint32Array.of(0, 1), sources: here }
      : {}),
    baseline: name === 'saveBaseline' ? path.join(root, 'baseline.json') : profile,
    candidate: path.dirname(profile),
    paths: [path.join(clone, 'it.mvtrace'), path.join(clone, 'it.mvtrace')],
    ...{
      inputs: [profile, profile],
      axis: ['time'],
      threshold: 0,
      request: 'request' in question ? question.request : undefined,
    },
  };
}

const client = (isTrusted: boolean): EngineClient =>
  new EngineClient({ file: engineFile.file, onOutput: () => undefined, isTrusted: () => isTrusted });

/** Asks in the way and in the process that the request declares; the names in the casts stand for all of their kind. */
async function askAny(
  engine: EngineClient,
  document: DocumentQuestions,
  name: RequestName,
  options: never,
): Promise<unknown> {
  const { way, home } = requests[name];
  if (way === 'job') return engine.job(name as 'doctor', options);
  if (way === 'query' && home === 'shared') return engine.query(name as 'studies', options);
  if (way === 'query') return document.query(name as 'openCube', options);
  const streams = {
    shared: () => engine.stream(name as 'functions', options),
    document: () => document.stream(name as 'dynamicsFound', options),
    own: () => engine.follow(name as 'refine', options),
  };
  const parts: unknown[] = [];
  for await (const part of streams[home]()) parts.push(part);
  return parts;
}

describe('a hostile clone', () => {
  it('has nothing of it started by a command that is not there to run it', async () => {
    const filter = path.join(study, 'scorep.filter');
    const names = path.join(root, 'names');
    writeFileSync(names, 'work\n');
    const commands = [
      ['doctor'],
      ['dynamics', path.dirname(profile)],
      ['profile', 'show', profile],
      ['profile', 'convert', profile, path.join(root, 'out.csv')],
      ['properties', profile],
      ['diagnose', profile],
      ['model', path.join(clone, 'scaling.txt')],
      ['filter', 'check', filter],
      ['filter', 'match', filter, '--names', names],
      ['filter', 'convert', filter, path.join(root, 'out.filter')],
      ['filter', 'format', filter],
      ['filter', 'diff', filter, filter],
      ['init', '--force', '--no-run'],
    ];
    const refused = [['accept'], ['pins'], ['pin', 'work', '--in']];
    for (const words of [...commands, ...refused]) {
      const { status, stdout, stderr } = await cli.run(words, { cwd: clone });
      const isRefused = refused.includes(words);
      // Doctor finds that the measuring compilers are missing: this command line is a file on its own.
      const expected = words[0] === 'doctor' ? 1 : 0;
      expect(isRefused ? status !== 0 : status === expected, `${words.join(' ')}\n${stderr}`).toBe(true);
      if (isRefused) expect(stderr).toContain('is a symbolic link');
      if (words[0] === 'doctor') {
        expect(stdout).toContain('kymo doctor --trust');
        expect(stdout).toContain('Reinstall Kymo');
      }
      untouched();
    }
    // init has replaced it.
    writeConfig();
    await cli.run(['doctor', '--trust'], { cwd: clone });
    expect(readFileSync(trapped, 'utf8')).toContain('scorep --version');
    rmSync(trapped);
  });

  it('has nothing of it started by any request of the engine before it is trusted', async () => {
    const engine = client(false);
    const here = process.cwd();
    process.chdir(clone);
    try {
      const document = engine.document(60_000);
      const ask = (name: RequestName, options: object): Promise<unknown> =>
        askAny(engine, document, name, options as never);
      const idOf = (opened: unknown): string => {
        const { id, header } = opened as { id?: string; header?: { id?: string } };
        return id ?? header?.id ?? '';
      };
      const ids = {
        ...{ profile: '', cube: '', dynamics: '', models: '', timeline: '', traces: '' },
        diagnosis: '',
      };
      const bag = (name: RequestName): object => optionsOf(ids, name);
      ids.profile = idOf(await ask('openProfile', bag('openProfile')));
      ids.cube = idOf(await ask('openCube', bag('openCube')));
      ids.dynamics = idOf(await ask('openDynamics', bag('openDynamics')));
      ids.models = idOf(await ask('openModels', bag('openModels')));
      ids.timeline = idOf(await ask('openTimeline', bag('openTimeline')));
      ids.traces = idOf(await ask('openComparison', bag('openComparison')));
      ids.diagnosis = idOf(await ask('openDiagnosis', bag('openDiagnosis')));
      const nodes = (await ask('diagnosisNodes', bag('diagnosisNodes'))) as readonly SearchNode[];
      functionNode = nodes.find(({ focus }) => focus.Code.length === 2)?.id ?? -1;
      const failed: Record<string, unknown> = {};
      const asksMachine: readonly RequestName[] = ['doctor', 'scorepOptions'];
      programsStarted();
      // What is deleted is asked for by none after it.
      const inOrder = [...names].sort((a, b) => Number(a === 'deleteStudy') - Number(b === 'deleteStudy'));
      for (const name of inOrder) {
        await ask(name, bag(name)).catch((error: unknown) => (failed[name] = error));
        const programs = programsStarted();
        if (!asksMachine.includes(name)) expect(programs, name).toEqual([]);
        else if (name === 'doctor') expect(programs.length, name).toBeGreaterThan(0);
        for (const program of programs) expect(program, name).not.toContain(clone);
        untouched();
      }
      for (const name of runsCommands) expect(failed[name], name).toMatchObject({ reason: 'untrusted' });
      const linked = Object.keys(failed).filter((name) => !runsCommands.includes(name as RequestName));
      expect(linked.sort()).toEqual([
        'accept',
        'changeRecording',
        'forecastStudy',
        'functionsUnderWay',
        'pinByFilter',
        'pins',
        'removeLock',
        'setPin',
        'suspendRun',
        'undoPin',
      ]);
      // No run is under way behind a link.
      const ofRuns = ['suspendRun', 'functionsUnderWay', 'changeRecording'];
      const why = (name: string): string => (ofRuns.includes(name) ? 'is over' : 'is a symbolic link');
      for (const name of linked) expect(String(failed[name]), name).toContain(why(name));
    } finally {
      process.chdir(here);
      engine.dispose();
    }
  });

  it('has the Score-P that it names asked once it is trusted', async () => {
    const engine = client(true);
    await engine.query('scorepOptions', { workspace: clone });
    engine.dispose();
    expect(readFileSync(trapped, 'utf8')).toContain('scorep --version');
    rmSync(trapped);
  });
});
