import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { standardMetrics } from '../../../../src/core/profile/metrics';
import { silent } from '../../../../src/core/progress';
import { writeCube } from '../../../../src/formats/cube4/write';
import { lockStudy } from '../../../../src/measurement/experiments/studyLock';
import { expectedModels } from '../../../../src/workflows/expectedModels';
import { modelsInSource } from '../../../../src/workflows/views/modelsInSource';
import { ProfileBuilder } from '../../../profileBuilder';

let workspace: string;
beforeEach(() => (workspace = mkdtempSync(path.join(tmpdir(), 'kymo-models-'))));
afterEach(() => rmSync(workspace, { recursive: true }));

interface Called {
  readonly name: string;
  readonly line: number;
  readonly file?: string;
  /** Position of its caller; default: the first function. */
  readonly below?: number;
  readonly seconds: (p: number) => number;
}

const usual: readonly Called[] = [
  { name: 'main', line: 10, seconds: () => 1 },
  { name: 'solve', line: 20, seconds: (p) => 3 * p },
  { name: 'pack', line: 30, seconds: (p) => 0.001 * p },
];

/** A study of the target `t` at five numbers of ranks. */
function study(functions = usual, name = 'study-1'): string {
  const directory = path.join(workspace, '.kymo', 't', name);
  const points = [1, 2, 4, 8, 16].map((p) => {
    const folder = `measured.p${p}.r1`;
    mkdirSync(path.join(directory, folder), { recursive: true });
    writeFileSync(path.join(directory, folder, 'profile.cubex'), profile(functions, p));
    const runs = [{ repetition: 1, folder, wallSeconds: 1, spentSeconds: 1 }];
    return { coordinates: { p: String(p) }, planned: true, runs };
  });
  const file = {
    ...{ kymoParameterStudy: 1, target: 't', study: name, startedAt: '', variant: 'measured', seed: 1 },
    ...{ fingerprint: '', buildId: '', selection: '', design: 'all', repetitions: 1, points },
  };
  writeFileSync(path.join(directory, 'parameter-study.json'), JSON.stringify(file));
  return directory;
}

function profile(functions: readonly Called[], p: number): Uint8Array {
  const builder = new ProfileBuilder().metric(standardMetrics.visits).metric(standardMetrics.time);
  const process = builder.systemNode({ name: 'p', kind: 'process', rank: 0 });
  builder.location({ name: 't', rank: 0, thread: 0, process, kind: 'thread' });
  const paths: number[] = [];
  const times = functions.map(({ seconds }) => seconds(p));
  for (const { name, line, file = '/w/a.c', below } of functions) {
    const place = { file, firstLine: line, lastLine: line + 5 };
    const region = builder.region({ name, ...place, paradigm: 'compiler', role: 'function' });
    paths.push(builder.callPath(paths[below ?? 0], region));
  }
  const inside = (at: number): number =>
    functions.reduce(
      (sum, { below = 0 }, one) => sum + (one > 0 && below === at && one !== at ? inside(one) : 0),
      times[at] ?? 0,
    );
  paths.forEach((at, n) => builder.set('visits', at, 0, 1).set('time', at, 0, inside(n)));
  return writeCube(builder.build());
}

function configure(expect: object): void {
  const target = { name: 't', build: { command: 'make CC=${cc}' }, executable: './t', expect };
  writeFileSync(path.join(workspace, 'kymo.json'), JSON.stringify({ version: 1, targets: [target] }));
}

const ask = (known?: string) =>
  modelsInSource({
    workspace,
    sources: { sourcePaths: [], folders: [] },
    ...(known === undefined ? {} : { known }),
  });
const found = async () => (await ask())?.found?.properties ?? [];

describe('models of a workspace', () => {
  it('are none without a study over parameters', async () => expect(await ask()).toBeUndefined());

  it('are about functions that grow and dominate, at their measured places', async () => {
    study();
    const properties = await found();
    expect(properties).toMatchObject([
      {
        id: 'growth:solve',
        title: 'solve grows with p: 100 % of the time predicted for p = 160 (98 % measured at p = 16)',
        region: { name: 'solve', file: '/w/a.c', line: 20 },
        endLine: 25,
        callPath: ['main', 'solve'],
        model: { formula: '3 s · p', growth: 'O(p)', whole: 'the time predicted for p = 160' },
        origin: { run: 'study-1', analysis: 'models' },
      },
    ]);
    expect(properties[0]?.model?.facts).toEqual([
      expect.stringMatching(/^Predicted for p = 160: 8 min 0 s, with a probability of 95 % between /),
      'The formula describes all points within their noise.',
      'SMAPE 0.0 % over 5 points.',
      'Time with waiting, without callees, mean of the ranks and threads that take part, in study-1.',
    ]);
  });

  it('have the shares of the table of kymo model', async () => {
    const directory = study();
    const { models } = await expectedModels({ paths: [directory] }, { progress: silent });
    const row = models.find(({ callPath, metric }) => callPath === 'main->solve' && metric === 'time');
    expect((await found())[0]?.severity).toBeCloseTo(row?.share ?? 0, 12);
  });

  it('compare all metrics of a function with what kymo.json expects of it', async () => {
    study();
    configure({ solve: 'O(1)', pack: 'O(p)', main: 'O(1)' });
    expect(await found()).toMatchObject([
      {
        id: 'scales-worse-than-expected:time:solve',
        title: 'solve grows with p, and O(1) is expected (time, 100 % certain)',
        region: { line: 20 },
        model: { expected: 'O(1)' },
      },
    ]);
    const [worse] = await found();
    expect(worse?.severity).toBeGreaterThan(0.9);
    expect(worse?.model?.facts).toContain(
      'Expected is O(1) at most; it grows faster with a probability of 100 %.',
    );
  });

  it('are sums over call paths; two functions of one name have no place', async () => {
    study([
      ...usual,
      { name: 'solve', line: 20, below: 2, seconds: (p) => p },
      { name: 'twice', line: 50, seconds: (p) => p },
      { name: 'twice', line: 50, file: '/w/b.c', below: 2, seconds: (p) => p },
    ]);
    const [solve, twice] = await found();
    expect(solve).toMatchObject({ region: { name: 'solve', line: 20 }, model: { formula: '4 s · p' } });
    expect(solve?.callPath).toBeUndefined();
    expect(solve?.model?.facts.at(-1)).toContain('sum of 2 call paths');
    expect(twice?.region).toEqual({ name: 'twice' });
  });

  it('are made again only for another study, or another kymo.json', async () => {
    study();
    configure({});
    const { identity = '' } = (await ask()) ?? {};
    expect(await ask(identity)).toEqual({ identity });
    configure({ solve: 'O(log p)' });
    const changed = await ask(identity);
    expect(changed?.identity).not.toBe(identity);
    expect(changed?.found?.properties).toMatchObject([{ kind: 'scales-worse-than-expected' }]);
  });

  it('wait for the end of a study that is being measured', async () => {
    const directory = study();
    const lock = await lockStudy(path.dirname(directory));
    await lock.nameStudy('study-1');
    expect(await ask()).toBeUndefined();
    expect(await ask('before')).toEqual({ identity: 'before' });
    await lock.nameStudy('refine-1');
    expect(await found()).toHaveLength(1);
    await lock.release();
  });

  it('say why there are none', async () => {
    const directory = study();
    for (const p of [1, 2, 4, 8, 16])
      writeFileSync(path.join(directory, `measured.p${p}.r1`, 'profile.cubex'), 'damaged');
    const { found } = (await ask()) ?? {};
    expect(found?.properties).toEqual([]);
    expect(found?.missing).toContain('profile.cubex');
  });
});
