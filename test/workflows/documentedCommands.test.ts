import { spawnSync } from 'node:child_process';
import {
  cpSync,
  readdirSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { patience } from '../../scripts/lib/machine.mjs';
import { documentedCommands, documents } from '../documentedCommands';
import { guideSteps, onThisMachine, stopSlurm, type Step } from './guideSteps';

const root = path.resolve(import.meta.dirname, '../..');
let folder: string;
const at = (...parts: readonly string[]): string => path.join(folder, ...parts);

const source = `#include <stdio.h>
#include <stdlib.h>
double __attribute__((noinline)) work(int n) {
  double sum = 0;
  for (int i = 1; i < n; ++i) sum += 1.0 / (i % 97 + 1);
  return sum;
}
double __attribute__((noinline)) step(int i) { return work(100000 + 1000 * i); }
int main(int count, char **words) {
  double sum = 0;
  int steps = count > 1 ? atoi(words[1]) : 60;
  for (int i = 0; i < steps; ++i) sum += step(i);
  printf("%g\\n", sum);
  return 0;
}
`;
const target = {
  name: 'own',
  build: { command: 'make CC=${cc}', clean: 'make clean' },
  executable: './own',
  run: { arguments: ['${steps}'] },
  parameters: { steps: [60] },
  repetitions: 1,
  phase: 'step',
  refinement: { maximumIterations: 2 },
};
const configuration = JSON.stringify({ version: 1, targets: [target] });

/** An own program, as a user has it before there is a `kymo.json`. */
function ownProgram(folderName: string, program = 'own'): void {
  mkdirSync(at(folderName), { recursive: true });
  writeFileSync(at(folderName, 'own.c'), source);
  writeFileSync(
    at(folderName, 'Makefile'),
    `CC = cc\n${program}: own.c\n\t$(CC) -O2 -g own.c -o ${program}\nclean:\n\trm -f ${program}\n.PHONY: clean\n`,
  );
}

function example(name: string): void {
  cpSync(path.join(root, 'examples', name), at('examples', name), { recursive: true });
}

/** Series of a phase and a function over 60 iterations, the function with a step after the 30th. */
function series(file: string, widths: number, repetition = 0): void {
  const values = (level: number): readonly number[] =>
    Array.from({ length: 60 }, (_, i) => level + (((i + repetition) * 7) % 5) / 1000 + (i < 30 ? 0 : 0.2));
  const lines = [
    { kymoSeries: 1, unit: 's', phase: 'step' },
    { region: '<phase>', values: values(0.5) },
    { region: 'velo', values: values(0.2) },
    { region: 'widths', metric: 'width', values: Array.from({ length: 60 }, () => widths) },
  ];
  writeFileSync(at('series', file), `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
}

/** What fits below a folder, the newest first; of folders of results only the studies themselves. */
function newest(pattern: RegExp, inFolder: string): readonly string[] {
  const age = (file: string): number => -statSync(at(inFolder, file)).mtimeMs;
  return (readdirSync(at(inFolder), { recursive: true }) as string[])
    .filter((file) => pattern.test(file))
    .sort((a, b) => age(a) - age(b));
}

const profiles = /\/profile\.cubex$/;
const measured = /^\.kymo\/[^/]+\/measure-[^/]+$/;
const comparable = /^\.kymo\/[^/]+\/(measure|study)-[^/]+$/;
const studies = /^\.kymo\/[^/]+\/(measure|refine|study)-[\w-]+$/;

/** The placeholders of the documentation, with what a user puts in their place. */
function filledIn(line: string, inFolder: string): string {
  const first = (pattern: RegExp, position = 0): string =>
    newest(pattern, inFolder)[position] ?? `nothing like ${pattern.source}`;
  return onThisMachine(line)
    .replace('.kymo/<target>/<before>', () => first(comparable, 1))
    .replace('.kymo/<target>/<after>', () => first(comparable))
    .replace(/\.kymo\/(<target>|app)\/<study>/, () => first(studies))
    .replace(/\.kymo\/bottlenecks\/measure-[\dT-]+/, () => first(measured))
    .replace('<trace>', () => first(/\/traces\.otf2$/))
    .replace('A1,A2,A3,A4,A5', () => newest(/^before\/\.kymo\/[^/]+\/measure-[^/]+$/, inFolder).join(','))
    .replace('B1,B2,B3,B4,B5', () => newest(/^after\/\.kymo\/[^/]+\/measure-[^/]+$/, inFolder).join(','));
}

/** Runs a line of shell as it is documented, and asserts that it does what it should. */
function run(inFolder: string, line: string, statuses: readonly number[] = [0]): string {
  const kymo = `kymo() { "${process.execPath}" "${path.join(root, 'dist/cli.js')}" "$@"; }`;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', `${kymo}\n${line}`], {
    cwd: at(inFolder),
    encoding: 'utf8',
    timeout: patience(300_000),
    killSignal: 'SIGKILL',
  });
  expect(statuses, `${line}\n${stdout.slice(-2000)}\n${stderr.slice(-2000)}`).toContain(status);
  return stdout;
}

const small = '--iterations 1 --repetitions 1';
const edited = (): void =>
  writeFileSync(at('own', 'own.c'), source.replace('100000 + 1000 * i', '200000 + 1000 * i'));
const configured = (inFolder: string): void => {
  ownProgram(inFolder);
  writeFileSync(at(inFolder, 'kymo.json'), configuration);
};
const measurements = (): void =>
  void run(
    'examples/growth',
    filledIn('kymo model .kymo/<target>/<study> --measurements measurements.txt', 'examples/growth'),
  );
const fewPoints = '--ranks 1,2,3,4,5 --design one-at-a-time --repetitions 1';

/** In the order in which they are run. */
const steps: Readonly<Record<string, readonly Step[]>> = {
  'README.md': [
    {
      line: 'kymo refine --workspace examples/nbody',
      in: '.',
      more: `${small} --parameter bodies=300`,
      shows: /Stopped: /,
      before: () => example('nbody'),
    },
    {
      line: 'kymo refine -- ./solver input.txt',
      in: 'solver',
      more: `--yes ${small}`,
      shows: /Stopped: /,
      before: () => ownProgram('solver', 'solver'),
    },
    { line: 'kymo refine', in: 'own', more: small, shows: /Stopped: /, before: () => configured('own') },
    { line: 'kymo refine --vanilla', in: 'own', more: small, shows: /Idle patch points/ },
    { line: 'kymo refine --online', in: 'own', more: '--window 0.2 --iterations 2 --parameter steps=2000' },
    { line: 'kymo refine --strategy tor', in: 'own', more: small },
    { line: 'kymo properties .kymo/<target>/<study>', in: 'own', shows: /work/ },
    { line: 'kymo accept', in: 'own', shows: /./ },
    { line: 'kymo profile show .kymo/<target>/<study>', in: 'own', shows: /work/ },
    { line: 'kymo profile convert .kymo/<target>/<study> run.speedscope.json', in: 'own' },
    { line: 'kymo measure', in: 'own' },
    { line: 'kymo dynamics', in: 'own', shows: /iterations|step/ },
    { line: 'kymo measure --trace-iterations 45-48', in: 'own' },
    { line: 'kymo trace show <trace>', in: 'own', shows: /work/ },
    { line: 'kymo dynamics r1.ndjson r2.ndjson r3.ndjson', in: 'series' },
    { line: 'kymo measure --repetitions 5', in: 'own', more: '--repetitions 2' },
    { line: 'kymo measure --repetitions 5', in: 'own', more: '--repetitions 2', before: edited },
    {
      line: 'kymo compare .kymo/<target>/<before> .kymo/<target>/<after>',
      in: 'own',
      shows: /call paths in both/,
    },
    {
      line: 'kymo compare .kymo/<target>/<after> --ranks 0:1',
      in: 'examples/roles',
      before: () => {
        example('roles');
        run(
          '.',
          'kymo measure --workspace examples/roles --filter examples/roles/all.filter --repetitions 1 --parameter steps=5',
        );
      },
    },
    {
      line: 'kymo study --values n=16,32,64,128,256 --ranks 1,2,4,8,16',
      in: 'examples/growth',
      more: fewPoints,
      before: () => example('growth'),
    },
    {
      line: 'kymo model .kymo/<target>/<study> --predict p=1024,n=100000',
      in: 'examples/growth',
      shows: /n²/,
    },
    { line: 'kymo model --mode extra-p measurements.txt', in: 'examples/growth', before: measurements },
  ],
  'docs/first-refinement.md': [
    { line: 'kymo refine -- ./solver input.txt', in: 'solver', more: small, shows: /Stopped: / },
    { line: 'kymo refine', in: 'solver', more: small, shows: /Stopped: / },
    { line: 'kymo properties .kymo/<target>/<study>', in: 'solver', shows: /severity/ },
  ],
  'docs/compare.md': [
    {
      line: 'kymo measure --workspace before --repetitions 1',
      in: '.',
      before: () =>
        ['before', 'after'].forEach((name) => {
          cpSync(at('own'), at(name), { recursive: true });
          rmSync(at(name, '.kymo'), { recursive: true, force: true });
        }),
    },
    { line: 'kymo measure --workspace after --repetitions 1', in: '.' },
    { line: 'kymo compare A1,A2,A3,A4,A5 B1,B2,B3,B4,B5', in: '.' },
  ],
  'docs/gate.md': [
    { line: 'kymo refine', in: 'own', more: small },
    { line: 'kymo accept', in: 'own' },
    {
      line: 'kymo gate --baseline origin/main',
      in: 'own',
      more: '--repetitions 2',
      // Two repetitions may not tell.
      statuses: [0, 4],
      shows: /measured by turns/,
      before: () => {
        writeFileSync(at('own', '.gitignore'), '.kymo/\nown\n');
        const commit = 'git -c user.name=a -c user.email=a@b commit -qm all';
        run('own', `git init -q && git add -A && ${commit} && git update-ref refs/remotes/origin/main HEAD`);
      },
    },
  ],
  'docs/dynamics.md': [
    {
      line: 'kymo measure --workspace examples/degrading',
      in: '.',
      more: '--repetitions 1',
      before: () => example('degrading'),
    },
    { line: 'kymo dynamics --workspace examples/degrading', in: '.', shows: /Contacts|Plate/ },
    { line: 'kymo dynamics run.ndjson', in: 'series', shows: /velo/ },
    { line: 'kymo dynamics .kymo/app/<study>', in: 'own' },
    {
      line: 'kymo dynamics profile.cubex --call-paths',
      in: 'series',
      before: () => {
        const [profile = ''] = newest(profiles, 'examples/degrading');
        for (const file of ['profile.cubex', 'iterations.kymo', 'experiment.json'])
          cpSync(at('examples/degrading', path.dirname(profile), file), at('series', file));
      },
    },
    { line: 'kymo dynamics run.ndjson --report-threshold 5%', in: 'series', shows: /velo/ },
    { line: 'kymo dynamics run.ndjson --explain', in: 'series', shows: /velo/ },
    { line: 'kymo dynamics run.ndjson --method periscope', in: 'series' },
    { line: 'kymo dynamics counters.csv --set missing=linear thresholdTime=0.02', in: 'series' },
    { line: 'kymo dynamics run.ndjson --json', in: 'series', shows: /"kymoDynamics"/ },
    { line: 'kymo dynamics run.ndjson --out report.md', in: 'series' },
    {
      line: 'kymo dynamics report.json',
      in: 'series',
      shows: /velo/,
      before: () => void run('series', 'kymo dynamics run.ndjson --out report.json'),
    },
    { line: 'kymo dynamics run.ndjson --fail-above 30', in: 'series', statuses: [3] },
    { line: 'kymo dynamics a.ndjson --compare b.ndjson --axis widths', in: 'series' },
  ],
  'docs/groups.md': [
    {
      line: 'kymo measure --workspace examples/roles --filter examples/roles/all.filter',
      in: '.',
      more: '--repetitions 1',
    },
    {
      line: 'kymo groups examples/roles/.kymo/roles/measure-*/i0/measured.p6steps30.r1',
      in: '.',
      more: '',
      before: () => {
        for (const older of newest(measured, 'examples/roles').slice(1))
          rmSync(at('examples/roles', older), { recursive: true });
      },
      shows: /group/,
    },
  ],
  'docs/models.md': [
    {
      line: 'kymo study --values n=16,32,64,128,256 --ranks 1,2,4,8,16 --repetitions 3',
      in: 'examples/growth',
      more: fewPoints,
    },
    {
      line: 'kymo refine --strategy model --values n=128,256,512,1024,2048 --ranks 1,2,4,8,16 --design one-at-a-time',
      in: 'examples/growth',
      more: `--ranks 1,2,3,4,5 ${small}`,
    },
  ],
  'docs/diagnosis.md': [
    {
      line: 'kymo measure --parameter bottleneck=late-sender --ranks 2 --repetitions 1',
      in: 'examples/bottlenecks',
      more: '--parameter steps=20',
      before: () => example('bottlenecks'),
    },
    {
      line: 'kymo diagnose .kymo/bottlenecks/measure-2026-11-29T23-05-44',
      in: 'examples/bottlenecks',
      shows: /MPI_Recv/,
    },
    {
      line: 'kymo diagnose',
      in: 'examples/bottlenecks',
      // The search begins after a few seconds.
      more: '--parameter bottleneck=late-sender --parameter steps=250 --ranks 2',
    },
  ],
  'docs/report.md': [
    { line: 'kymo report', in: 'own', shows: /Written to .*\.html .*summary, / },
    {
      line: 'kymo report .kymo/<target>/<study> --out report.html',
      in: 'own',
      shows: /Written to report\.html/,
    },
  ],
  'examples/bottlenecks/README.md': [
    {
      line: 'kymo measure --workspace examples/bottlenecks --parameter bottleneck=late-sender',
      in: '.',
      more: '--repetitions 1 --parameter steps=20',
    },
  ],
  'examples/channel/README.md': [
    {
      line: 'kymo refine --workspace examples/channel',
      in: '.',
      more: `${small} --parameter columns=250`,
      before: () => example('channel'),
    },
  ],
  'examples/heat/README.md': [
    {
      line: 'kymo refine --workspace examples/heat',
      in: '.',
      more: `${small} --parameter cells=160`,
      before: () => example('heat'),
    },
  ],
  ...guideSteps({ at, example, configured }),
};
/** Lines that run as those of other documents do, or beside another command. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  'README.md': ['kymo run', 'kymo watch'],
  'docs/compare.md': [
    'kymo measure --repetitions 5',
    'kymo compare .kymo/<target>/<before> .kymo/<target>/<after>',
  ],
  'docs/cluster.md': ['kymo run', 'kymo watch'],
  'docs/dynamics.md': ['kymo dynamics r1.ndjson r2.ndjson r3.ndjson'],
  'examples/degrading/README.md': ['kymo dynamics run.ndjson'],
  'examples/growth/README.md': [
    'kymo study --workspace examples/growth --filter examples/growth/everything.filter',
    'kymo study --workspace examples/growth --design one-at-a-time',
  ],
  'examples/roles/README.md': [
    'kymo measure --workspace examples/roles --filter examples/roles/all.filter',
    'kymo groups examples/roles/.kymo/roles/measure-*/i0/measured.p6steps30.r1',
  ],
};

describe('commands that README, guides and examples show', () => {
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'kymo-documented-'));
    mkdirSync(at('series'));
    for (const [repetition, file] of ['run', 'r1', 'r2', 'r3'].entries())
      series(`${file}.ndjson`, 0.01, repetition);
    series('a.ndjson', 0.01);
    series('b.ndjson', 0.02);
    const rows = Array.from({ length: 30 }, (_, i) => `${i + 1},${i === 4 ? '' : 0.1 + (i < 15 ? 0 : 0.2)}`);
    writeFileSync(at('series', 'counters.csv'), ['iteration,velo', ...rows].join('\n'));
  });
  afterAll(async () => {
    await stopSlurm();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(documents())('of %s are all run here', (file) => {
    const shown = documentedCommands(file).filter(({ isBlock }) => isBlock);
    const here = [...(steps[file] ?? []).map(({ line }) => line), ...(elsewhere[file] ?? [])];
    expect(new Set(here)).toEqual(new Set(shown.map(({ line }) => line)));
  });

  describe.each(Object.entries(steps))('%s', (_, list) => {
    it.each(list)('$line', async (step) => {
      await step.before?.();
      // Words behind -- are the program's.
      const [line = '', ...typed] = filledIn(step.line, step.in).split(' -- ');
      const own = [`${line} ${step.more ?? ''}`, ...typed].join(' -- ');
      const printed = run(step.in, own, step.statuses);
      if (step.shows !== undefined) expect(printed).toMatch(step.shows);
      if (own.includes('run.speedscope.json'))
        expect(readFileSync(at(step.in, 'run.speedscope.json'), 'utf8')).toContain('work');
    });
  });

  it('README.md: kymo run, and kymo watch beside it', () => {
    // The second terminal waits until the run has begun.
    const line =
      'kymo run --parameter steps=2500 & run=$!; for i in $(seq 60); do kymo watch 2>&1 && break; kill -0 $run || break; sleep 0.5; done; wait $run';
    // Its iterations are nothing but `work`: a busy machine decides of which of both the time is told.
    expect(run('own', line)).toMatch(
      / work +own\.c:3\n[^]*Time of (?:work|step) .*own\.c:\d[^]*own has ended\. Its profile: /,
    );
  });
});
