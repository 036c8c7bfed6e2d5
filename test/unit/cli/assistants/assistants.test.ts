import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  ageText,
  cleaned,
  cleanMessage,
  findingAnswer,
  placeText,
} from '../../../../src/cli/assistants/answers';
import { ProgressNotes } from '../../../../src/cli/assistants/progressNotes';
import { ServedFolder } from '../../../../src/cli/assistants/servedFolder';
import { tools } from '../../../../src/cli/assistants/tools';
import type { ToolContext } from '../../../../src/cli/assistants/tool';
import { silent } from '../../../../src/core/progress';
import { shareOf } from '../../../../src/core/functions/share';
import { failureOf } from '../../../processes';

const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'kymo served ')));
const folder = path.join(base, 'own');
mkdirSync(path.join(folder, 'below'), { recursive: true });
mkdirSync(path.join(base, 'own-not'));
writeFileSync(path.join(base, 'secret'), '');
writeFileSync(path.join(folder, 'below', 'a.c'), '');
symlinkSync('../secret', path.join(folder, 'link'));
symlinkSync('below', path.join(folder, 'inner'));
symlinkSync(folder, path.join(base, 'alias'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const served = new ServedFolder(folder);
const context: ToolContext = {
  served,
  signal: new AbortController().signal,
  progress: silent,
  now: Date.parse('2026-01-02T00:00:00Z'),
  permission: { ask: undefined, isAllowed: false },
};

describe('the served folder', () => {
  it.each([
    ['below/a.c', 'below/a.c'],
    ['inner/a.c', 'below/a.c'],
    ['.', '.'],
    [folder, '.'],
    ['below/../below', 'below'],
  ])('has %s', (given, shown) => {
    expect(served.shown(served.existing(given))).toBe(shown);
  });
  it.each([
    '..',
    '../own-not',
    '../secret',
    '/',
    '/etc/passwd',
    'link',
    'below/../../secret',
    path.join(base, 'missing'),
  ])('has no %s', (given) => {
    expect(() => served.existing(given)).toThrow(
      expect.objectContaining({ reason: 'outside-folder' }) as Error,
    );
  });
  it('names what is missing, without characters that control a terminal', () => {
    expect(() => served.existing('mi\u202es\u001b[2J')).toThrow(/no “mi\ufffds\ufffd\[2J” .*list_results/);
  });
  it('may be named through a link, as results name their sources', () => {
    const alias = new ServedFolder(path.join(base, 'alias'));
    expect(alias.shown(path.join(base, 'alias', 'below', 'a.c'))).toBe('below/a.c');
    expect(alias.shown('/usr/include/stdio.h')).toBe('/usr/include/stdio.h');
  });
});

describe('answers', () => {
  it('have no control characters in names and values, and no digits that nobody reads', () => {
    const answer = cleaned({
      'a\nb': ['x\u001b', 0.123456789, 45000, undefined],
      c: { d: 'y\u202e' },
      e: undefined,
    });
    expect(answer).toEqual({ 'a\ufffdb': ['x\ufffd', 0.1235, 45000, undefined], c: { d: 'y\ufffd' } });
  });
  it('are short: texts are cut, messages keep their lines', () => {
    expect(String(cleaned('x'.repeat(10_000))).length).toBeLessThan(1000);
    expect(cleanMessage('a\nb\u0007')).toBe('a\nb\ufffd');
    expect(cleanMessage('x\n'.repeat(10_000)).length).toBeLessThan(3000);
  });
  it('have ages, and places relative to the folder', () => {
    expect(ageText('2026-01-01T22:30:00Z', context.now)).toBe('1 h 30 min ago');
    expect(ageText('2026-01-03T00:00:00Z', context.now)).toBe('1 s ago');
    expect(ageText('yesterday', context.now)).toBe('unknown');
    expect(placeText({ file: path.join(folder, 'below/a.c'), line: 3 }, served)).toBe('below/a.c:3');
    expect(placeText({}, served)).toBeUndefined();
  });
  it('have findings with their base, place and evidence', () => {
    const run = { run: 'i0.r1', clock: 'cpu', seconds: 2, leftOut: [] } as const;
    const finding = findingAnswer(
      {
        ...{ id: 'x', kind: 'hot-spot', title: 'solve takes 50 % of the computing time', confidence: 1 },
        severity: shareOf(1, run),
        base: run,
        region: { name: 'solve', file: path.join(folder, 'below/a.c'), line: 3 },
        evidence: { exclusiveSeconds: 1 },
      },
      served,
    );
    expect(finding).toEqual({
      ...{ kind: 'hot-spot', finding: 'solve takes 50 % of the computing time', function: 'solve' },
      ...{ severityPercent: 50, percentOf: '2 s computing time in run i0.r1', place: 'below/a.c:3' },
      ...{ confidence: 1, evidence: { exclusiveSeconds: 1 } },
    });
  });
});

describe.each(tools.map((one) => [one.name, one] as const))('the tool %s', (_, one) => {
  it.each([
    [[], /its arguments must be object/],
    ['x', /its arguments must be object/],
    [{ nonsense: 1 }, /no argument “nonsense”\. Its arguments are /],
    [{ target: 'a\u0000' }, /“target” must match/],
    [{ target: '' }, /“target” must NOT have fewer/],
    [{ target: { toString: 1 } }, /“target” must be string/],
  ])('refuses %j', async (given, message) => {
    const call = Promise.resolve().then(() => one.call(given, context));
    expect(await failureOf(call)).toMatchObject({
      reason: 'usage',
      message: expect.stringMatching(message) as string,
    });
  });
  it('names kymo.json where there is none', async () => {
    if (one.name === 'list_results')
      expect(await one.call({}, context)).toMatchObject({ targets: [], results: [] });
    else expect((await failureOf(one.call({}, context))).reason).toBe('config-missing');
  });
});

it('progress grows with every notification, whatever the work reports', () => {
  const sent: { readonly progress: number; readonly message: string }[] = [];
  const logged: string[] = [];
  const notes = new ProgressNotes(
    (step) => {
      sent.push(step);
      return Promise.reject(new Error('the client is gone'));
    },
    { log: (line) => void logged.push(line) },
  );
  notes.report({ message: 'Building\u001b' });
  notes.report({ message: 'Run 1', fraction: 0.5 });
  notes.report({ message: 'Again', fraction: 0.2 });
  notes.log('$ make');
  notes.end();
  expect(sent.map(({ message }) => message)).toEqual(['Building\ufffd', 'Run 1', 'Again']);
  const values = sent.map(({ progress }) => progress);
  expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
  expect(values[1]).toBe(50);
  expect(logged).toEqual(['$ make']);
});
