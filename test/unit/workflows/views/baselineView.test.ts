import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silent } from '../../../../src/core/progress';
import { saveBaseline } from '../../../../src/workflows/gate';
import {
  baselineFiles,
  judgeBaseline,
  type GatedFiles,
  type JudgedBaseline,
} from '../../../../src/workflows/views/baselineView';
import { writeMeasuredStudy } from '../../../measuredStudy';

const functions = {
  main: [9, 0.5],
  assemble: [2, 4],
  smooth: [3, 2],
  norm: [4, 1.5],
  load: [5, 1],
  store: [6, 1],
} as const;
const context = { signal: new AbortController().signal, progress: silent };
let workspace = '';
const at = (...parts: readonly string[]): string => path.join(workspace, ...parts);

function configure(gate: object = {}): void {
  const target = { name: 't', build: { command: 'make' }, executable: 't', gate };
  writeFileSync(at('kymo.json'), JSON.stringify({ version: 1, targets: [target, { ...target, name: 'u' }] }));
}

/** A later measurement, in which `smooth` has these seconds. */
function measured(smooth: number, more: object = {}): Promise<string> {
  return writeMeasuredStudy(workspace, {
    ...{ startedAt: '2026-11-30T12:00:00.000Z', file: at('main.c') },
    functions: { ...functions, smooth: [3, smooth] },
    ...more,
  });
}

async function judge(
  candidate: string,
  { baseline = at('b.json'), ...more }: Partial<GatedFiles> = {},
): Promise<JudgedBaseline> {
  const sources = { sourcePaths: [], folders: [workspace] };
  return judgeBaseline({ workspace, target: 't', baseline, candidate, sources, ...more }, context);
}

beforeEach(async () => {
  workspace = realpathSync(mkdtempSync(path.join(tmpdir(), 'kymo baseline ü ')));
  writeFileSync(at('main.c'), 'int x;\n'.repeat(12));
  configure();
  const before = await writeMeasuredStudy(workspace, {
    ...{ startedAt: '2026-11-29T12:00:00.000Z', file: at('main.c'), functions },
  });
  await saveBaseline(at('b.json'), { workspace, target: 't', candidate: before, ...context });
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

describe('a measurement that is compared with a baseline file', () => {
  it('has a regression at the line of the function that became slower, and nowhere else', async () => {
    const { verdict, sentence, properties, changes, worst, markdown, ...more } = await judge(
      await measured(2.4),
    );
    expect([verdict, sentence]).toEqual(['regression', expect.stringMatching(/^Regression: /)]);
    const found = properties.filter(({ kind, region }) => kind === 'regression' && region !== undefined);
    expect(found.map(({ region }) => [region?.name, region?.file, region?.line])).toEqual([
      ['smooth', at('main.c'), 3],
    ]);
    expect(found[0]?.evidence.ratio).toBeCloseTo(1.2, 2);
    expect(changes[0]).toMatch(/^All functions together take longer: /);
    expect(worst).toMatch(/^smooth takes longer itself: 2 s → 2.4 s, \+20/);
    expect(markdown).toMatch(/\| regression \| smooth \| \+20/);
    expect(more).toMatchObject({ incomparable: [], missingSources: [] });
    expect(more.studyDirectory).toBe(at('.kymo', 't', 'measure-2026-11-30T12-00-00'));
  });

  it('may be a round, whose lines are those of its study', async () => {
    const { verdict, studyDirectory } = await judge(path.join(await measured(2.4), 'i0'));
    expect([verdict, studyDirectory]).toEqual([
      'regression',
      at('.kymo', 't', 'measure-2026-11-30T12-00-00'),
    ]);
  });

  it('has an improvement, or nothing, where that is so', async () => {
    expect((await judge(await measured(1.2))).verdict).toBe('improvement');
    const same = await judge(await measured(2));
    expect([same.verdict, same.changes, same.worst, same.properties]).toEqual([
      'no-change',
      [],
      undefined,
      [],
    ]);
  });

  it('exceeds the budget of kymo.json', async () => {
    configure({ budgets: { functions: { smooth: { seconds: 1.9 } } } });
    const { properties } = await judge(await measured(2));
    expect(properties.map(({ kind, region }) => [kind, region?.line])).toEqual([['over-budget', 3]]);
  });

  it('is never judged where it was measured otherwise, or once, or is the baseline itself', async () => {
    for (const [change, reason] of [
      [{ host: 'node8' }, /another host: node7, and the candidate with node8/],
      [{ compiler: 'clang 16' }, /another compiler/],
      [{ target: 'u' }, /another target/],
    ] as const) {
      const { verdict, incomparable, properties } = await judge(await measured(2, { change }));
      expect([verdict, incomparable.join()]).toEqual(['cannot-tell', expect.stringMatching(reason)]);
      expect(properties.map(({ kind }) => kind)).toEqual(['cannot-tell']);
    }
    const slower = await measured(2.6, { change: { host: 'node8', compiler: 'clang 16' } });
    const refused = await judge(slower);
    expect(refused.allowable).toEqual(['machine', 'compiler']);
    expect(refused.markdown).toContain('--allow machine compiler');
    const half = await judge(slower, { allow: ['machine'] });
    expect([half.verdict, half.allowable]).toEqual(['cannot-tell', ['compiler']]);
    const anyway = await judge(slower, { allow: refused.allowable });
    expect(anyway).toMatchObject({ verdict: 'regression', incomparable: [], allowable: [] });
    expect(anyway.markdown).toMatch(/another host: node7, and the candidate with node8/);
    rmSync(at('.kymo', 't', 'measure-2026-11-30T12-00-00'), { recursive: true });
    const once = await judge(await measured(2, { repetitions: 1 }));
    expect(once.verdict).not.toBe('improvement');
    const itself = await judge(at('.kymo', 't', 'measure-2026-11-29T12-00-00'));
    expect([itself.verdict, itself.incomparable.join()]).toEqual([
      'cannot-tell',
      expect.stringContaining('itself'),
    ]);
    expect(itself.allowable).toEqual([]);
  });

  it('of a baseline that is cut, of a later version or gone is an error that says so', async () => {
    const text = readFileSync(at('b.json'), 'utf8');
    const candidate = await measured(2);
    writeFileSync(at('b.json'), text.slice(0, text.length / 2));
    await expect(judge(candidate)).rejects.toMatchObject({ reason: 'baseline-invalid' });
    writeFileSync(at('b.json'), text.replace('"kymoBaseline": 1', '"kymoBaseline": 2'));
    await expect(judge(candidate)).rejects.toMatchObject({ reason: 'baseline-newer' });
    await expect(judge(candidate, { baseline: at('gone.json') })).rejects.toMatchObject({
      reason: 'file-missing',
    });
  });
});

describe('the baseline files of a target', () => {
  const asked = () => baselineFiles({ workspace, target: 't' });

  it('are those in the folder and directly below it, also damaged ones, but not those of other targets', async () => {
    const text = readFileSync(at('b.json'), 'utf8');
    mkdirSync(at('ci', 'deep'), { recursive: true });
    mkdirSync(at('.hidden'));
    mkdirSync(at('folder.json'));
    for (const file of ['ci/c.json', 'ci/deep/d.json', '.hidden/e.json']) writeFileSync(at(file), text);
    writeFileSync(at('cut.json'), text.slice(0, 40));
    writeFileSync(at('u.json'), text.replace('"target": "t"', '"target": "u"'));
    writeFileSync(at('other.json'), JSON.stringify({ about: '{"kymoBaseline": 1}' }));
    writeFileSync(at('empty.json'), '');
    expect(await asked()).toEqual({ found: [at('b.json'), at('ci/c.json'), at('cut.json')] });
    expect(await baselineFiles({ workspace, target: 'u' })).toEqual({
      found: [at('cut.json'), at('u.json')],
    });
  });

  it('begin with what kymo.json names, if that is there', async () => {
    configure({ baseline: 'b.json' });
    expect(await asked()).toEqual({ configured: at('b.json'), found: [] });
    configure({ baseline: 'origin/main' });
    expect(await asked()).toEqual({ absent: 'origin/main', found: [at('b.json')] });
  });
});
