import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareSides } from '../../../../src/core/compare/sides';
import { timeMetric, type ComparedRun } from '../../../../src/core/compare/run';
import type { GateFacts, GateSide } from '../../../../src/core/gate/side';
import { readBaseline, writeBaseline } from '../../../../src/formats/kymo-baseline/baselineFile';

const facts: GateFacts = {
  ...{ target: 'nbody', command: ['nbody', '--steps', '150'], parameters: { bodies: '1500' }, ranks: 1 },
  ...{ compiler: 'gcc 12', host: 'node7', git: { commit: 'a'.repeat(40), dirty: false } },
};
const measured = [1, 2].map((second) => ({
  ...{ buildId: 'b1', host: 'node7', command: ['/w/p/nbody', '--steps', '150'] },
  ...{ startedAt: `2026-11-30T10:00:0${second}.000Z`, wallSeconds: 2, cpuSeconds: 1.9 },
}));

/** main calls solve twice: at two call paths. */
function run(scale: number): ComparedRun {
  const seconds = Float64Array.of(0.1, 1.23456789, 0.5).map((value) => value * scale);
  const regions = [
    { name: 'main', file: '/w/p/main.c', firstLine: 3, paradigm: 'compiler', role: 'function' },
    {
      name: 'solve',
      // As that of the program itself, which is its path.
      mangledName: '/w/p/build/solve',
      file: '/w/p/src/solve.cpp',
      firstLine: 12,
      paradigm: 'compiler',
      role: 'function',
    },
  ];
  return {
    callPaths: { count: 3, parent: Int32Array.of(-1, 0, 1), region: Uint32Array.of(0, 1, 1) },
    ...{ regions, keys: ['main@/w/p/main.c:3', '_Z5solve'], names: ['main', 'solve'] },
    ...{ seconds, values: seconds, visits: Float64Array.of(1, 10, 20), doubts: Float64Array.of(0, 0.01, 0) },
    ...{ metric: timeMetric, processes: 1, locations: 1 },
    base: { run: 'i0.r1', clock: 'cpu', seconds: 2 * scale, leftOut: [] },
  };
}

const side: GateSide = {
  ...{ name: 'x', runs: [run(1), run(1.1)], measured, facts },
  figures: { memory: [1e6, 2e6], overhead: [0.01, 0.02], dynamics: [0.1, 0.25] },
  growth: [1.1, 1.25].map((whole) => ({ whole, functions: new Map([['_Z5solve', whole * 2]]) })),
  isRecorded: ({ name }) => name === 'solve',
};
const text = writeBaseline(side, { facts, measured, root: '/w/p' });

describe('a baseline file', () => {
  it('is read as it was written: sums of functions, in six digits, and how it was measured', () => {
    const read = readBaseline(text, 'b.json');
    expect(read.facts).toEqual(facts);
    expect(read.figures.memory).toEqual([1e6, 2e6]);
    expect(read.figures.overhead).toEqual([0.01, 0.02]);
    expect(read.figures.dynamics?.map((value) => value.toFixed(6))).toEqual(['0.100000', '0.250000']);
    expect(read.figures.imbalance).toBeUndefined();
    expect(read.growth).toEqual(side.growth);
    expect(read.runs.map(({ seconds }) => [...seconds])).toEqual([
      [0.1, 1.73457],
      [0.11, 1.90802],
    ]);
    expect([...(read.runs[0]?.visits ?? [])]).toEqual([1, 30]);
    expect(read.isRecorded?.({ key: 'k', name: 'solve', file: '/elsewhere/src/solve.cpp' })).toBe(true);
    expect(read.isRecorded?.({ key: 'k', name: 'main', file: '/w/p/main.c' })).toBe(false);
  });

  it('is compared with the measurement that it was made of without any difference', () => {
    const sides = compareSides({ ...readBaseline(text, 'b.json') }, side);
    const sums = new Map<string, number[]>();
    for (const { function: own, seconds } of sides.paths) {
      const name = sides.functions[own]?.name ?? '';
      sums.set(
        name,
        [...seconds].map((value, index) => value + (sums.get(name)?.[index] ?? 0)),
      );
    }
    const [before, again, ...measuredNow] = sums.get('solve') ?? [];
    expect(measuredNow[0]).toBeCloseTo(before ?? 0, 4);
    expect(measuredNow[1]).toBeCloseTo(again ?? 0, 4);
    expect(sides.functions.map(({ name }) => name).sort()).toEqual(['main', 'solve']);
  });

  it('of a version without growth and overhead is read, and neither is judged', () => {
    const content = JSON.parse(text) as { runs: Record<string, unknown>[] };
    for (const one of content.runs) {
      delete one.growth;
      delete one.overhead;
    }
    const read = readBaseline(JSON.stringify(content), 'b.json');
    expect(read.growth).toBeUndefined();
    expect(Object.keys(read.figures)).toEqual(['memory']);
  });

  it('says nothing of the folders of the machine', () => {
    expect(text).not.toContain('/w/p');
  });

  it('of a later version, or cut, or changed, is an error that says what to do', () => {
    expect(() => readBaseline(text.replace('"kymoBaseline": 1', '"kymoBaseline": 2'), 'b.json')).toThrow(
      /b\.json was written by a newer Kymo.*Update/,
    );
    expect(() => readBaseline('{}', 'b.json')).toThrow(/no baseline of Kymo.*kymo gate --save b\.json/);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: text.length - 3 }), (length) => {
        expect(() => readBaseline(text.slice(0, length), 'b.json')).toThrow(/b\.json is no baseline/);
      }),
    );
    const content = JSON.parse(text) as { runs: { seconds: number[] }[] };
    content.runs[1]?.seconds.pop();
    expect(() => readBaseline(JSON.stringify(content), 'b.json')).toThrow(
      /\/runs\/1\/seconds must have 2 numbers/,
    );
  });

  it('of anything is read or refused with a reason', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(() => readBaseline(json, 'b.json')).toThrow(/b\.json/);
      }),
    );
  });
});
