import { describe, expect, it } from 'vitest';
import { drawStacks, type WeightedStack } from '../../../../../src/core/diagnosis/deepStart/drawStacks';
import { SampleBuffer } from '../../../../../src/core/diagnosis/deepStart/sampleBuffer';
import type { ResourcePath } from '../../../../../src/core/diagnosis/resources/focus';
import type { SearchCommand } from '../../../../../src/core/diagnosis/search/messages';
import { sample } from './samples';

const weighted = (host: string, process: string, stack: string, weight: number): WeightedStack => ({
  ...sample(host, process, stack),
  weight,
});

const stacks = [
  weighted('c1', 'p1', 'main solve', 3),
  weighted('c1', 'p1', 'main io', 1),
  weighted('c1', 'p2', 'main solve', 1),
  weighted('c2', 'p1', 'main wait', 1),
];

const enable = (experiment: number, Machine: ResourcePath): SearchCommand => ({
  type: 'enable',
  experiment,
  hypothesis: 'CPUBound',
  focus: { Code: [], Machine, SyncObject: [] },
});

describe('stack samples', () => {
  const where = (buffer: SampleBuffer): readonly string[] =>
    buffer.poll().map(({ machine }) => machine.join('/'));

  it('T1: each insertion and each removal takes one of each process that it concerns', () => {
    const buffer = new SampleBuffer(drawStacks(stacks, 1));
    buffer.onCommand(enable(0, []));
    expect(where(buffer)).toEqual(['c1/p1', 'c1/p2', 'c2/p1']);
    buffer.onCommand(enable(1, ['c1']));
    expect(where(buffer)).toEqual(['c1/p1', 'c1/p2']);
    buffer.onCommand(enable(2, ['c2', 'p1', 'thread 3']));
    expect(where(buffer)).toEqual(['c2/p1']);
    buffer.onCommand({ type: 'disable', experiment: 1 });
    expect(where(buffer)).toEqual(['c1/p1', 'c1/p2']);
    // It is removed already, or was never inserted.
    buffer.onCommand({ type: 'disable', experiment: 1 });
    expect(where(buffer)).toEqual([]);
  });

  it('T1: they wait until they are asked for, in one batch', () => {
    const buffer = new SampleBuffer(drawStacks(stacks, 1));
    buffer.onCommand(enable(0, ['c1']));
    buffer.onCommand({ type: 'disable', experiment: 0 });
    buffer.take(['c2']);
    expect(where(buffer)).toEqual(['c1/p1', 'c1/p2', 'c1/p1', 'c1/p2', 'c2/p1']);
    expect(where(buffer)).toEqual([]);
  });

  it('T1: those of a program that does not run are drawn by the weights of its stacks, the same for a seed', () => {
    const drawn = (seed: number): readonly string[] => {
      const walk = drawStacks([...stacks, weighted('c1', 'p1', 'main never', 0)], seed);
      return Array.from({ length: 4000 }, () => walk(['c1', 'p1']))
        .flat()
        .map(({ functions }) => functions.map(([, name]) => name).join(' '));
    };
    const samples = drawn(7);
    const share = (stack: string): number => samples.filter((each) => each === stack).length / samples.length;
    expect(share('main solve')).toBeCloseTo(3 / 4, 1);
    expect(share('main solve') + share('main io')).toBe(1);
    expect(drawn(7)).toEqual(samples);
    expect(drawn(8)).not.toEqual(samples);
  });
});
