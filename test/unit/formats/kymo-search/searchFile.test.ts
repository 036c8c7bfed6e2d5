import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SearchRecord } from '../../../../src/core/diagnosis/search/searchRecord';
import { isKymoError } from '../../../../src/core/errors';
import { readSearch, writeSearch } from '../../../../src/formats/kymo-search/searchFile';
import { functionPath, io, smallIo, sync, VirtualRun } from '../../core/diagnosis/search/virtualRun';

/** A search with everything that a record can have: shadows, circles, starters, problems, stale nodes, notices, hostile names. */
function searched(): SearchRecord {
  const run = new VirtualRun({
    hypotheses: [io, smallIo, sync],
    calls: { '': ['main'], main: ['f', 'g'], f: ['__proto__'], g: ['f', 'main'], ['__proto__']: [] },
    machines: { '': ['c1', 'c/2, >'], c1: ['p{1}'] },
    value: (hypothesis, at) => (hypothesis === 'SmallIO' ? 17 : at.includes('g -') ? 0.1 : 1),
    cost: (_, at) => (at.startsWith('f c1') ? 0.7 : 0.01),
    answer: (at) => (at === '- c/2, > -' ? 'failed' : 'accepted'),
    rules: { minTimeToTrue: 3, minTimeToFalse: 3 },
  });
  run.start().advance(6);
  run.obey(
    run.search.addStarter({
      time: 6,
      trigger: 0,
      function: functionPath('deep'),
      connecting: [functionPath('f')],
    }),
  );
  run.advance(30);
  run.send({ type: 'lost', time: run.time, machine: ['c1'] });
  run.advance(1.5);
  return run.search.record();
}

const record: SearchRecord = {
  ...searched(),
  program: {
    base: {
      ...{ run: 'i3.r1', clock: 'cpu', seconds: 20, processes: 'ranks 2-4', partlyRecorded: 1 },
      leftOut: [{ what: 'recording', seconds: 0.1 }],
    },
    threads: [
      { machine: ['c1', 'c/2, >', 'thread 0'], rank: 0, seconds: 10 },
      { machine: ['c1', 'c/2, >', 'thread 1'], rank: 0, seconds: 10 },
    ],
    functions: [
      { code: ['m', 'f'], key: 'f@m:3', name: 'f', place: { name: 'f', file: '/src/m', line: 3 } },
      { code: ['m', '__proto__'], key: '__proto__', name: '__proto__', place: { name: '__proto__' } },
    ],
  },
};
const text = writeSearch(record);
type Json = Record<string, unknown>;
const parsed = (): Json => JSON.parse(text) as Json;

/** The file with a value at a place, given as a JSON pointer; undefined removes it. */
function changed(pointer: string, value: unknown): string {
  const all = parsed();
  const keys = pointer.split('/').slice(1);
  let inner: Json = all;
  for (const key of keys.slice(0, -1)) inner = inner[key] as Json;
  Object.defineProperty(inner, keys.at(-1) ?? '', {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
  return JSON.stringify(all);
}

function mistake(file: string): string {
  try {
    readSearch(file, 'search.json');
  } catch (error) {
    if (!isKymoError(error)) throw error;
    return `${error.reason}: ${error.message}`;
  }
  return 'none';
}

describe('search files', () => {
  test('P10: the record that is read is that which was written, with structure, times and values', () => {
    expect(record.nodes.some(({ stale }) => stale)).toBe(true);
    expect(record.nodes.some(({ problem }) => problem !== undefined)).toBe(true);
    expect(record.nodes.some(({ parents }) => parents.some(({ by }) => by === 'deep starter'))).toBe(true);
    expect(record.nodes.some(({ id, parents }) => parents.some(({ node = -1 }) => node > id))).toBe(true);
    expect(record.notices.length).toBeGreaterThan(0);
    expect(readSearch(text, 'search.json')).toEqual(record);
    expect(writeSearch(readSearch(text, 'search.json'))).toBe(text);
    expect(text).toContain('"kymoSearch": 1');
  });

  test.each([
    ['/strategy', 'guessing', '/strategy must be equal to one of the allowed values'],
    ['/run', 7, '/run must be string'],
    ['/costLimit', 0.5, '/costLimit must be >= 1'],
    ['/end', -1, '/end must be >= 0'],
    ['/nodes', {}, '/nodes must be array'],
    ['/nodes/0', null, '/nodes/0 must be object'],
    ['/nodes/1/id', 0, '/nodes/1/id must be 1, its position'],
    ['/nodes/0/id', 1.5, '/nodes/0/id must be integer'],
    ['/nodes/1/hypothesis', '__proto__', '/nodes/1/hypothesis must be the id of a hypothesis'],
    ['/nodes/1/focus', '< /Code >', '/nodes/1/focus is wrong: "< /Code >" is no focus'],
    ['/nodes/1/truth', 'unsure', '/nodes/1/truth must be'],
    ['/nodes/0/truth', 'false', '/nodes/0/truth must be "true", its last conclusion'],
    ['/nodes/1/value', '1', '/nodes/1/value must be number'],
    ['/nodes/1/value', null, '/nodes/1/value must be number'],
    ['/nodes/1/threshold', NaN, '/nodes/1/threshold must be number'],
    ['/nodes/1/predictedCost', 2, '/nodes/1/predictedCost must be <= 1'],
    ['/nodes/1/data', [5, 4], '/nodes/1/data must begin before it ends'],
    ['/nodes/1/data', [5], '/nodes/1/data must NOT have fewer than 2 items'],
    ['/nodes/1/stale', false, '/nodes/1/stale must be'],
    ['/nodes/1/runs', [1], '/nodes/1/runs must NOT have fewer than 2 items'],
    ['/nodes/1/runs', [1, '2'], '/nodes/1/runs/1 must be number'],
    ['/nodes/1/ranks', [-1], '/nodes/1/ranks/0 must be >= 0'],
    ['/program/base/clock', 'sun', '/program/base/clock must be equal to one of'],
    ['/program/base/seconds', 1e308, '/program/base/seconds must be <= 1000000000000'],
    ['/program/threads/0/seconds', -1, '/program/threads/0/seconds must be >= 0'],
    ['/program/threads/1/rank', 0.5, '/program/threads/1/rank must be integer'],
    [
      '/program/threads/1/machine',
      '/Code/a',
      '/program/threads/1/machine is wrong: "/Code/a" is no focus: "/Code/a" must begin with /Machine',
    ],
    ['/program/functions/0/code', '/Code/%', '/program/functions/0/code is wrong: "/Code/%" is no focus'],
    ['/program/functions/0/place/line', 0, '/program/functions/0/place/line must be >= 1'],
    ['/program/functions/0/__proto__', {}, '/program/functions/0 must NOT have additional properties'],
    ['/nodes/1/__proto__', { polluted: true }, '/nodes/1 must NOT have additional properties'],
    ['/nodes/1/constructor', 1, '/nodes/1 must NOT have additional properties'],
    ['/__proto__', { polluted: true }, 'the file must NOT have additional properties'],
    ['/nodes/1/parents', [], '/nodes/1/parents must NOT have fewer than 1 items'],
    ['/nodes/1/parents/0', { by: 'where', time: 1 }, '/nodes/1/parents/0 must have a node unless'],
    ['/nodes/1/parents/0', { by: 'root', time: 1, node: 0 }, '/nodes/1/parents/0 must have a node unless'],
    ['/nodes/2/parents/0/node', 2, '/nodes/2/parents/0/node must be an earlier node than 2'],
    ['/nodes/2/parents/0/node', 3, '/nodes/2/parents/0/node must be an earlier node than 2'],
    ['/nodes/1/parents/0/node', -1, '/nodes/1/parents/0/node must be >= 0'],
    [
      '/nodes/2/parents/1',
      { by: 'where', time: 30, node: 2 },
      '/nodes/2/parents/1/node must be another node',
    ],
    [
      '/nodes/2/parents/1',
      { by: 'where', time: 30, node: 1e300 },
      '/nodes/2/parents/1/node must be another node',
    ],
    ['/nodes/2/parents/1', { by: 'where', time: 0, node: 1 }, '/nodes/2/parents/1/time must be from'],
    ['/nodes/0/parents/0/time', 1e9, '/nodes/0/parents/0/time must be from 0 to 38, the end of the search'],
    [
      '/nodes/0/conclusions/1',
      { time: 1, truth: 'true', value: 1 },
      '/nodes/0/conclusions/1/time must be from',
    ],
    ['/hypotheses/1/id', 'IO', '/hypotheses/0/id must not be that of another one'],
    ['/hypotheses/0/children', ['Nothing'], '/hypotheses/0/children/0 must be the id of a hypothesis'],
    ['/hypotheses/1/children', ['IO'], '/hypotheses/0/children must not lead back to it'],
    ['/hypotheses/0/children', ['IO'], '/hypotheses/0/children must not lead back to it'],
    ['/hypotheses/0/pruned', ['Cloud'], '/hypotheses/0/pruned/0 must be equal to one of the allowed values'],
    ['/notices', [{ time: 1 }], "/notices/0 must have required property 'message'"],
    ['/kymoSearch', '1', '/kymoSearch must be equal to constant'],
  ])('P10: %s = %j is refused, and the place is named', (pointer, value, expected) => {
    expect(mistake(changed(pointer, value))).toContain(
      `search-invalid: search.json is no search that Kymo can show: ${expected}`,
    );
    expect({}).not.toHaveProperty('polluted');
  });

  test('P10: the same experiment twice is refused', () => {
    const { hypothesis, focus } = (parsed().nodes as Json[])[1] ?? {};
    const all = parsed();
    Object.assign((all.nodes as Json[])[2] ?? {}, { hypothesis, focus });
    expect(mistake(JSON.stringify(all))).toContain(
      '/nodes/2 must not have the hypothesis and focus of node 1',
    );
  });

  test('P10: no JSON, other JSON, numbers that are too large, and a newer version', () => {
    for (const other of ['', '{', 'null', '[]', '7', '"x"', '{}', '['.repeat(100_000)])
      expect(mistake(other)).toContain('search-invalid: ');
    expect(mistake(text.replace('"costLimit": 1.5', '"costLimit": 1e999'))).toContain(
      '/costLimit must be number',
    );
    expect(mistake(changed('/kymoSearch', 2))).toContain(
      'search-newer: search.json was written by a newer Kymo (format 2',
    );
  });

  test('P10: any change of the text is read, or refused with a reason', () => {
    const places = fc.nat(text.length - 1);
    fc.assert(
      fc.property(
        places,
        places,
        fc.constantFrom('', '0', '-', '"', '}', ',', '1e99', 'null'),
        (at, length, piece) => {
          expect(mistake(text.slice(0, at) + piece + text.slice(at + (length % 9)))).toMatch(
            /^none$|^search-(invalid|newer): /,
          );
        },
      ),
      { numRuns: 200 },
    );
  });
});
