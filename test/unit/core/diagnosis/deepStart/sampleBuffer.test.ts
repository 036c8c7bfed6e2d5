import { describe, expect, it } from 'vitest';
import type { StackSample } from '../../../../../src/core/diagnosis/deepStart/functionCountGraph';
import { SampleBuffer } from '../../../../../src/core/diagnosis/deepStart/sampleBuffer';
import { isWithin } from '../../../../../src/core/diagnosis/resources/containment';
import type { ResourcePath } from '../../../../../src/core/diagnosis/resources/focus';
import type { SearchCommand } from '../../../../../src/core/diagnosis/search/messages';
import { sample } from './samples';

/** One sample of each process of a part of the machine. */
const walk = (machine: ResourcePath): readonly StackSample[] =>
  [
    sample('c1', 'p1', 'main solve'),
    sample('c1', 'p2', 'main solve'),
    sample('c2', 'p1', 'main wait'),
  ].filter((one) => isWithin(one.machine.slice(0, 2), machine.slice(0, 2)));

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
    const buffer = new SampleBuffer(walk);
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
    const buffer = new SampleBuffer(walk);
    buffer.onCommand(enable(0, ['c1']));
    buffer.onCommand({ type: 'disable', experiment: 0 });
    buffer.take(['c2']);
    expect(where(buffer)).toEqual(['c1/p1', 'c1/p2', 'c1/p1', 'c1/p2', 'c2/p1']);
    expect(where(buffer)).toEqual([]);
  });
});
