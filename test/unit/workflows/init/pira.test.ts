import { describe, expect, it } from 'vitest';
import type { Target } from '../../../../src/measurement/config/config';
import { parseConfig } from '../../../../src/measurement/config/parseConfig';
import { configText } from '../../../../src/workflows/init/configText';
import { piraArguments } from '../../../../src/workflows/init/piraArguments';
import { planStudy } from '../../../../src/workflows/study/planStudy';

/** The target that a first kymo.json would have with PIRA's map of arguments. */
function imported(argmap: object): { readonly target: Target; readonly notes: string } {
  const notes: string[] = [];
  const { ranks, ...mapped } = piraArguments('app', argmap as Record<string, unknown>, notes);
  const draft = {
    name: 'app',
    build: { command: 'make CC=${cc}' },
    executable: 'app',
    ...mapped,
    ...(ranks === undefined ? {} : { launcher: { kind: 'mpirun' as const, ranks } }),
  };
  const text = configText({ targets: [draft], notes });
  const [target] = parseConfig(text, '/w/kymo.json').config.targets;
  if (target === undefined) throw new Error('no target');
  return { target, notes: notes.join('\n') };
}
const points = (argmap: object): readonly string[] =>
  planStudy(imported(argmap).target, {}).points.map((point) => Object.values(point).join(' '));

describe('maps of arguments of PIRA', () => {
  it('Linear goes through its lists side by side', () => {
    const argmap = { mapper: 'Linear', '-n ': [1, 2, 3], '--m=': ['10', '20', '30'] };
    expect(points(argmap)).toEqual(['1 10', '2 20', '3 30']);
    const { target } = imported(argmap);
    expect(target.run.arguments).toEqual(['-n', '${n}', '--m=${m}']);
    expect(target.parameters).toEqual({ n: [1], m: [10] });
    expect(target.study.design).toBe('linear');
  });
  it('Linear with one list has its values, and with one point no study', () => {
    expect(points({ mapper: 'Linear', X: [10, 12, 24] })).toEqual(['10', '12', '24']);
    expect(imported({ mapper: 'Linear', X: [30] }).target.study).toEqual({
      parameters: {},
      points: [],
      design: 'all',
    });
  });
  it('CartesianProduct has each pair once', () => {
    expect(points({ mapper: 'CartesianProduct', a: [1, 2], b: [3, 4, 5] })).toEqual([
      '1 3',
      '1 4',
      '1 5',
      '2 3',
      '2 4',
      '2 5',
    ]);
  });
  it('MPILinear has all values with each number of ranks', () => {
    const argmap = { mapper: 'MPILinear', x: [50, 60], np: [8, 16] };
    expect(points(argmap)).toEqual(['8 50', '8 60', '16 50', '16 60']);
    const { target } = imported(argmap);
    expect(target.run).toMatchObject({ arguments: ['x${x}'], launcher: { kind: 'mpirun', ranks: [8] } });
    expect(target.parameters).toEqual({ x: [50] });
  });
  it('MPILinear with several lists goes through these side by side', () => {
    expect(points({ mapper: 'MPILinear', x: [1, 2], y: [30, 40], np: [8, 16] })).toEqual([
      '8 1 30',
      '8 2 40',
      '16 1 30',
      '16 2 40',
    ]);
  });
  it('pira-file gives the program the file, and models the value', () => {
    const argmap = { mapper: 'Linear', 'pira-file': { names: ['a.in', 'b.in'], size: [5, 7] } };
    expect(imported(argmap).target.run.arguments).toEqual(['${file}']);
    expect(points(argmap)).toEqual(['a.in 5', 'b.in 7']);
    const mpi = { mapper: 'MPILinear', 'pira-file': { ...argmap['pira-file'], np: [2, 4] } };
    expect(points(mpi)).toEqual(['2 a.in 5', '2 b.in 7', '4 a.in 5', '4 b.in 7']);
  });
  it('of other mappers, and of lists that do not fit, have all combinations, with a note', () => {
    const unequal = { mapper: 'Linear', a: [1, 2], b: [3] };
    expect(points(unequal)).toEqual(['1 3', '2 3']);
    expect(imported(unequal).notes).toMatch(/Linear needs lists of one length/);
    const other = { mapper: 'Garbage', a: [1, 2], b: [3, 4] };
    expect(points(other)).toHaveLength(4);
    expect(imported(other).notes).toMatch(/Garbage is not known/);
  });
});
