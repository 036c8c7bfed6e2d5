import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { at } from '../../../../src/core/at';
import { countsOf } from '../../../../src/core/functions/programTime';
import { reading } from '../../../../src/core/trace/traceSource';
import { frequencyTrace } from '../../../../src/core/trace/frequency';
import { inclusiveValues } from '../../../../src/core/trace/values';
import { readCube } from '../../../../src/formats/cube4/read';
import { readTraces } from '../../../../src/workflows/comparing/traceInputs';
import { sharedData } from '../../../shared';
import { finished } from '../../../../src/core/steps';
import { compareTraceInputs } from '../../../../src/workflows/compareTraces';

const folder = sharedData('scorep/lulesh-mpi-trace/lulesh.p8.s4.i20.trace') ?? '';
const given = path.join(folder, 'traces.otf2');

describe.skipIf(folder === '')('Score-P’s trace of eight ranks', () => {
  test('M1: call paths are visited as often, and take as long, as in the profile of the same run', () => {
    const { views, table } = readTraces([{ given, name: 'run', part: {} }]);
    const traces = [...reading(at(views, 0).traces)];
    const merged = frequencyTrace(traces, table);
    const visits = new Map<string, number>();
    const seconds = new Map<string, number>();
    const inclusive = inclusiveValues(merged, merged.seconds);
    const names: string[] = [];
    for (const [row, key] of merged.key.entries()) {
      const own = at(table.keys, key);
      names.length = at(merged.depth, row) - 1;
      names.push(own.kind === 'context' ? own.name : 'message');
      if (own.kind !== 'context') continue;
      visits.set(names.join(' > '), at(merged.count, row));
      seconds.set(names.join(' > '), at(inclusive, row));
    }
    const profile = readCube(readFileSync(path.join(folder, 'profile.cubex')), 'profile.cubex');
    const { callPaths, regions, locations } = profile;
    const counts = countsOf(profile).visits;
    const expected = new Map<string, number>();
    const paths: string[] = [];
    for (let own = 0; own < callPaths.count; own++) {
      const parent = at(callPaths.parent, own);
      const { name, role } = at(regions, at(callPaths.region, own));
      // The program itself is no call of the trace.
      paths.push(
        role === 'artificial'
          ? ''
          : [paths[Math.max(0, parent)] ?? '', name].filter((part) => part !== '').join(' > '),
      );
      if (role === 'artificial') continue;
      const sum = counts
        .subarray(own * locations.length, (own + 1) * locations.length)
        .reduce((all, value) => all + value, 0);
      if (sum > 0) expected.set(at(paths, own), sum);
    }
    expect(visits).toEqual(expected);
    expect(seconds.get('int main(int, char**)')).toBeGreaterThan(1);
  });

  test('M18: iterations by a function, ranks, and a trace with itself', () => {
    const compare = (
      parts: readonly Parameters<typeof compareTraceInputs>[0][number]['part'][],
      phase?: string,
    ) =>
      finished(
        compareTraceInputs(
          parts.map((part) => ({ given, name: 'run', part })),
          phase === undefined ? {} : { phase },
        ),
      );
    const same = compare([{ ranks: [[0, 0]] }, { ranks: [[0, 0]] }]);
    expect([same.differences, same.pairs[0]?.changed]).toEqual([[], 0]);
    const iterations = compare(
      [
        { ranks: [[1, 1]], iterations: [3, 3] },
        { ranks: [[1, 1]], iterations: [5, 5] },
      ],
      'LagrangeLeapFrog',
    );
    expect(iterations.pairs[0]).toMatchObject({ added: 0, deleted: 0 });
    expect(iterations.inputs.map(({ name }) => name)).toEqual([
      'run, rank 1, iteration 3',
      'run, rank 1, iteration 5',
    ]);
    expect(() => compare([{ iterations: [1, 1] }, { iterations: [2, 2] }])).toThrow(/no marks of iterations/);
    expect(() =>
      compare(
        [
          { ranks: [[0, 0]], iterations: [1, 1] },
          { ranks: [[0, 0]], iterations: [21, 21] },
        ],
        'LagrangeLeapFrog',
      ),
    ).toThrow(/has iterations 1–20 and no iteration 21/);
    const ranks = compare([{ ranks: [[0, 0]] }, { ranks: [[7, 7]] }]);
    expect(ranks.differences.length).toBeGreaterThan(0);
    for (const { sentence, callPath } of ranks.differences) {
      expect(sentence).toMatch(/\.$/);
      expect(sentence).not.toMatch(/NaN|undefined|Infinity/);
      expect(callPath.length).toBeGreaterThan(0);
    }
  });
});
