import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filterNames } from '../../../../src/workflows/filters/filterNames';
import {
  effectiveDecisions,
  inspectFilter,
  ruleMatchesOf,
} from '../../../../src/workflows/filters/inspectFilter';
import { knownFunctions } from '../../../../src/workflows/filters/knownFunctions';
import { listPins, pinByFilter, undoPin } from '../../../../src/workflows/pins';
import { sharedData } from '../../../shared';

const workspace = mkdtempSync(path.join(tmpdir(), 'kymo-filters-'));
const study = path.join(workspace, 'study');
const source = { studyDirectory: study };
const swap = '_ZN4Heap4swapEii';

beforeAll(() => {
  rmSync(study, { recursive: true, force: true });
  writeFunctions();
});
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

function writeFunctions(more: readonly object[] = []): void {
  const functions = [
    {
      key: 'main',
      name: 'main',
      mangledName: 'main',
      file: '/p/main.c',
      line: 10,
      endLine: 20,
      exclusiveShare: 0.1,
    },
    {
      key: swap,
      name: 'Heap::swap(int, int)',
      mangledName: swap,
      file: '/p/heap/heap.cc',
      line: 5,
      endLine: 9,
      exclusiveShare: 0.7,
    },
    {
      key: '_ZN4Heap4lessEii',
      name: 'Heap::less(int, int)',
      mangledName: '_ZN4Heap4lessEii',
      file: '/p/heap/less.cc',
      line: 5,
      selected: false,
    },
    ...more,
  ].map((one) => ({ selected: true, reason: 'in: it is a hot spot', hasSite: true, ...one }));
  mkdirSync(study, { recursive: true });
  writeFileSync(path.join(study, 'functions.json'), JSON.stringify({ kymoFunctions: 1, functions }));
}

const list = `SCOREP_REGION_NAMES_BEGIN
  EXCLUDE *
  INCLUDE MANGLED ${swap} *less*
  EXCLUDE MANGLED *lessEii
SCOREP_REGION_NAMES_END
`;

describe('a filter against the functions of a study', () => {
  test('counts what each rule matches and decides', async () => {
    const found = await inspectFilter(list, source);
    expect(found).toMatchObject({ known: { kind: 'study', label: 'study' }, total: 3 });
    expect(found.instrumented).toEqual({ 'compile-time': 1, 'run-time': 1 });
    expect([...found.matches]).toEqual([3, 1, 1, 1]);
    expect([...found.wins]).toEqual([1, 1, 0, 1]);
    expect(found.diagnostics.map(({ code }) => code)).toContain('no-effect');
  });

  test('names the functions of a rule, the heaviest first, and which rule decides', async () => {
    const { total, matches } = await ruleMatchesOf(list, [0], source, 2);
    expect(total).toBe(3);
    expect(matches).toEqual([
      { name: 'Heap::swap(int, int)', file: '/p/heap/heap.cc', line: 5, instrumented: true, decided: false },
      { name: 'main', file: '/p/main.c', line: 10, instrumented: false, decided: true },
    ]);
    expect((await ruleMatchesOf(list, [1, 3], source, 10)).total).toBe(2);
    expect(await ruleMatchesOf(list, [99], source, 10)).toEqual({ total: 0, matches: [] });
  });

  test('without functions, only the language is judged', async () => {
    const found = await inspectFilter('SCOREP_REGION_NAMES_BEGIN\nEXCLUDE gone\nSCOREP_REGION_NAMES_END', {});
    expect(found).toMatchObject({ known: { kind: 'none' }, total: 0, diagnostics: [] });
  });

  test('a study that cannot be read knows nothing, and is read when it can be', async () => {
    const broken = path.join(workspace, 'broken');
    mkdirSync(broken);
    writeFileSync(path.join(broken, 'functions.json'), '{');
    expect((await knownFunctions({ studyDirectory: broken })).kind).toBe('none');
    writeFileSync(path.join(broken, 'functions.json'), '{"kymoFunctions":1,"functions":[]}');
    expect((await knownFunctions({ studyDirectory: broken })).kind).toBe('study');
  });

  test('a name of 10 kB is cut, and the functions are read again when they change', async () => {
    writeFunctions([{ key: 'long', name: `l${'o'.repeat(10_000)}ng`, mangledName: 'long' }]);
    const { matches } = await ruleMatchesOf(
      'SCOREP_REGION_NAMES_BEGIN EXCLUDE MANGLED long',
      [0],
      source,
      10,
    );
    expect(matches[0]?.name).toHaveLength(200);
    writeFunctions();
    expect((await inspectFilter(list, source)).total).toBe(3);
  });
});

describe('the decision on a function', () => {
  const filter = { file: '/nowhere/a.filter', text: list };

  test('at compile time and at run time, with the rule', async () => {
    expect(await effectiveDecisions(filter, { keys: [swap] }, source)).toEqual([
      expect.objectContaining({ when: 'compile-time', instrumented: true, line: 3 }),
      expect.objectContaining({ when: 'run-time', instrumented: true, line: 3 }),
    ]);
  });

  test('by its place', async () => {
    const [first] = await effectiveDecisions(filter, { file: '/p/main.c', line: 15 }, source);
    expect(first).toMatchObject({ name: 'main', instrumented: false, line: 2 });
  });

  test('nobody knows the function, or the filter is gone', async () => {
    await expect(effectiveDecisions(filter, { file: '/p/main.c', line: 99 }, source)).rejects.toMatchObject({
      reason: 'unknown-function',
    });
    await expect(
      effectiveDecisions({ file: '/nowhere/a.filter' }, { keys: [swap] }, source),
    ).rejects.toMatchObject({ reason: 'file-missing' });
  });
});

describe('names to choose from', () => {
  const names = async (block: 'file' | 'region', typed: string, mangled = false) =>
    (await filterNames({ block, mangled, typed }, source)).map((one) => one.pattern);

  test('C++ by mangled names, C by the only one, the heaviest first', async () => {
    expect(await names('region', '')).toEqual([swap, 'main', '_ZN4Heap4lessEii']);
  });

  test('by a part of any of its names, with escapes or stars typed before', async () => {
    expect(await names('region', 'heap::less')).toEqual(['_ZN4Heap4lessEii']);
    expect(await names('region', '*swap')).toEqual([swap]);
    expect(await names('region', 'swap(int,\\ int', true)).toEqual([swap]);
  });

  test('files with what Score-P needs before them, and folders of several', async () => {
    expect(await names('file', '')).toEqual(['*/heap.cc', '*/less.cc', '*/main.c', '*/heap/*']);
    expect(await names('file', '*/ma')).toEqual(['*/main.c']);
  });
});

describe('a filter as pins', () => {
  const apply = (text: string) => pinByFilter({ workspace, studyDirectory: study, name: 'a.filter', text });

  test('only what it decides otherwise, and one undo takes all of it back', async () => {
    const { pins, message } = await apply(list);
    expect(pins.map(({ key, state }) => `${state} ${key}`)).toEqual(['out main']);
    expect(message).toContain('Applied a.filter: 0 in, 1 out');
    expect((await apply(list)).message).toContain('nothing was changed');
    expect((await undoPin(workspace)).pins).toEqual([]);
  });

  test('a list of exclusions pins nothing in', async () => {
    const text = `SCOREP_REGION_NAMES_BEGIN EXCLUDE MANGLED ${swap} SCOREP_REGION_NAMES_END`;
    expect((await apply(text)).pins.map(({ key, state }) => `${state} ${key}`)).toEqual([`out ${swap}`]);
    await undoPin(workspace);
  });

  test('a filter that Score-P refuses changes nothing', async () => {
    await expect(apply('SCOREP_REGION_NAMES_BEGIN lost')).rejects.toMatchObject({ reason: 'filter-invalid' });
    expect((await listPins(workspace)).pins).toEqual([]);
  });
});

const profile = sharedData('scorep/tiny/tiny.256.unfiltered/profile.cubex');

describe.skipIf(profile === undefined)('a profile of a real Score-P', () => {
  const profiles = { profiles: [profile ?? ''] };

  test('knows the functions as Score-P spells them', async () => {
    const { kind, functions } = await knownFunctions(profiles);
    expect(kind).toBe('profiles');
    expect(functions.length).toBeGreaterThan(10);
    expect(functions.every(({ exactName }) => exactName === true)).toBe(true);
  });

  test('its demangled names match with their return types', async () => {
    const text = 'SCOREP_REGION_NAMES_BEGIN EXCLUDE bool\\ Heap::* SCOREP_REGION_NAMES_END';
    const { matches } = await ruleMatchesOf(text, [0], profiles, 10);
    expect(matches.length).toBeGreaterThan(0);
    expect(matches.every(({ name }) => name.startsWith('bool Heap::'))).toBe(true);
  });
});
