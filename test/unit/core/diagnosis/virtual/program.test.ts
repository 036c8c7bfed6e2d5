import { describe, expect, test } from 'vitest';
import { randomNumbers } from '../../../../../src/core/randomNumbers';
import { wholeProgram, type Focus } from '../../../../../src/core/diagnosis/resources/focus';
import { hypotheses } from './hypotheses';
import { VirtualProgram } from './program';
import { alaraLike, dracoLike, om3Like, su3Like } from './shapes';
import { oneSlowProcess, smallProgram } from './smallProgram';
import { truthOf } from './truth';

const at = (name: string) => ({ ...wholeProgram, Code: [name === 'main' ? 'main.c' : 'solve.c', name] });

describe('the synthetic program', () => {
  test('inclusive values contain what is called, at any focus', () => {
    const program = new VirtualProgram({ ...smallProgram(2), variants: [() => 1], variantOf: () => 0 });
    const value = (name: string, metric = 'cpu'): number => program.gauge(metric, at(name))(0, 1);
    expect(value('smooth')).toBeCloseTo(0.36);
    expect(value('solve')).toBeCloseTo(0.02 + 0.36 + 0.02 + 0.15);
    expect(value('main')).toBeCloseTo(0.01 + 0.02 + 0.55);
    expect(program.gauge('cpu', wholeProgram)(0, 1)).toBeCloseTo(0.58);
    // The slack to a full second is no waiting, because none is slower than the others.
    expect(value('exchange', 'sync')).toBeCloseTo(0.27 + 0.15);
    const objects = (...SyncObject: readonly string[]): number =>
      program.gauge('sync', { ...wholeProgram, SyncObject })(0, 1);
    expect(objects('Message', 'world:17')).toBeCloseTo(0.27);
    expect(objects('Message')).toBeCloseTo(0.27);
    expect(objects('Message', 'world:18')).toBe(0);
  });

  test('all processes wait for the slowest', () => {
    const program = new VirtualProgram(oneSlowProcess(8, 5));
    const sync = (process: number): number =>
      program.gauge('sync', {
        ...wholeProgram,
        Machine: [program.hostNames[program.hostOf(process)]!, program.processNames[process]!],
      })(0, 1);
    expect(sync(0)).toBeGreaterThan(0.4);
    expect(sync(5)).toBeLessThan(0.1);
    expect(program.gauge('sync', wholeProgram)(0, 1)).toBeCloseTo((7 * sync(0) + sync(5)) / 8);
  });

  test('phases: an interval has the mean over time', () => {
    const program = new VirtualProgram({
      ...smallProgram(1),
      variants: [() => 1],
      variantOf: () => 0,
      phases: [
        { from: 0, factor: () => 1 },
        { from: 10, factor: (fn) => (fn === 2 ? 0 : 1) },
      ],
    });
    const smooth = program.gauge('cpu', at('smooth'));
    expect([smooth(0, 10), smooth(10, 20), smooth(8, 12)].map((x) => x.toFixed(3))).toEqual([
      '0.360',
      '0.000',
      '0.180',
    ]);
  });

  test('stacks are drawn from the distribution of the time over call paths', () => {
    const program = new VirtualProgram({ ...smallProgram(1), variants: [() => 1], variantOf: () => 0 });
    const random = randomNumbers(5);
    const stacks = Array.from({ length: 20_000 }, () => program.stack(0, 0, random).map(([, name]) => name));
    const share = (name: string): number =>
      stacks.filter((stack) => stack.includes(name)).length / stacks.length;
    expect(stacks.every(([first]) => first === 'main')).toBe(true);
    expect(share('smooth')).toBeCloseTo(0.36, 1);
    expect(share('solve')).toBeCloseTo(0.97, 1);
  });

  test.each([
    ['A', alaraLike(), 720, 1],
    ['B', dracoLike(), 398, 1],
    ['C', om3Like(), 36, 8],
    ['D', su3Like(8), 189, 8],
    ['D', su3Like(1024), 189, 1024],
  ])(
    'shape %s has its functions and processes, and takes no more than all of the time',
    (_, spec, functions, processes) => {
      const program = new VirtualProgram(spec);
      expect(spec.functions).toHaveLength(functions);
      expect(program.processCount).toBe(processes);
      const used = ['cpu', 'sync', 'io'].reduce(
        (sum, metric) => sum + program.gauge(metric, wholeProgram)(0, 1),
        0,
      );
      expect(used).toBeGreaterThan(0.7);
      expect(used).toBeLessThanOrEqual(1 + 1e-9);
    },
  );

  test('T8: in shape D, mult_su3_nn is true, and none of its callers is', () => {
    const spec = su3Like(8);
    const program = new VirtualProgram(spec);
    const trueOnes = program.trueFunctions(hypotheses[0]!);
    const hidden = spec.functions.findIndex(({ name }) => name === 'mult_su3_nn');
    const callers = spec.calls
      .filter(({ callee }) => callee === hidden)
      .map(({ caller }) => program.pathOf(caller).join('/'));
    expect(trueOnes).toContain(program.pathOf(hidden).join('/'));
    expect(callers.length).toBe(9);
    expect(callers.filter((caller) => trueOnes.includes(caller))).toEqual([]);
    const known = truthOf(spec).nodes.filter(
      ({ focus, truth }) => truth === 'true' && focus.Code[1] === 'mult_su3_nn',
    );
    expect(known.map(({ focus }) => focus.Machine.length).sort()).toEqual([
      0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2,
    ]);
  });

  test('small I/O operations are true where the I/O is that takes long, when it cannot be refined any more', () => {
    const truths = truthOf(alaraLike()).nodes.filter(({ truth }) => truth === 'true');
    const placesOf = (id: string): readonly Focus[] =>
      truths.filter(({ hypothesis }) => hypothesis === id).map(({ focus }) => focus);
    const [place, ...others] = placesOf('TooManySmallIOOps');
    expect(others).toEqual([]);
    expect(place?.Machine).toHaveLength(2);
    expect(placesOf('ExcessiveIOBlockingTime')).toContainEqual(place);
  });
});
