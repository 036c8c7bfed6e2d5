import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { completenessOf } from '../../../../src/formats/otf2/completeness';
import { readTraces, type ReadViews } from '../../../../src/workflows/comparing/traceInputs';
import { smallTrace, type SmallEvent } from '../../formats/otf2/smallTrace';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kymo-iterations-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Turn n calls work n times. */
const turns = [1, 2, 3].flatMap((turn): SmallEvent[] => [
  ['enter', 100 * turn, 0],
  ...Array.from({ length: turn }, (_, n): SmallEvent[] => [
    ['enter', 100 * turn + 10 * n + 1, 1],
    ['leave', 100 * turn + 10 * n + 9, 1],
  ]).flat(),
  ['leave', 100 * turn + 90, 0],
]);

function read(
  properties: ReadonlyMap<string, string>,
  iterations: readonly [number, number] | undefined,
  phase?: string,
): ReadViews {
  smallTrace({
    functions: [{ name: 'turn', isPhase: true }, 'work'],
    ranks: [turns],
    options: { properties },
  }).save(folder);
  const given = path.join(folder, 'traces.otf2');
  return readTraces([{ given, name: 'A', part: iterations === undefined ? {} : { iterations } }], phase);
}

const works = ({ table, views }: ReadViews): number => {
  const trace = views[0]!.traces[0]?.read();
  const isWork = [...trace!.key]
    .map((key) => table.keys[key]!)
    .map((key) => key.kind === 'context' && key.name === 'work');
  return [...trace!.count].reduce((sum, count, entry) => sum + (isWork[entry] === true ? count : 0), 0);
};
const some = completenessOf('first', [], { first: 20, last: 22 }, 0);

describe('iterations of a trace', () => {
  it('are those of the function that it marks', () => {
    expect(works(read(new Map(), [2, 2]))).toBe(2);
    expect(works(read(new Map(), [2, 3]))).toBe(5);
    expect(read(new Map(), undefined).views[0]!.iterations).toBe(3);
  });

  it('have the numbers of the run, where it has some of them only', () => {
    expect(works(read(some, [21, 21]))).toBe(2);
    expect(works(read(some, [20, 22], 'turn'))).toBe(6);
    expect(read(some, undefined).views[0]!.iterations).toBe(22);
    expect(() => read(some, [1, 1])).toThrow(/has iterations 20–22 and no iteration 1\.$/);
    expect(() => read(some, [19, 20])).toThrow(/no iteration 19\.$/);
    expect(() => read(some, [22, 23])).toThrow(/no iteration 23\.$/);
  });

  it('are counted from 1 for a function that it does not mark', () => {
    expect(works(read(some, [6, 6], 'work'))).toBe(1);
  });

  it('say when their numbers are unknown, for the first events are lost', () => {
    const lost = [{ location: '0', events: 5, seconds: 0.1 }];
    const counted = expect.stringContaining('counted from the first one that it has') as string;
    expect(read(completenessOf('last', lost, undefined, 0), [1, 1]).notes()).toContainEqual(counted);
    expect(read(completenessOf('first', lost, undefined, 0), [1, 1]).notes()).not.toContainEqual(counted);
  });
});
