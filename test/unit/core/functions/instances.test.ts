import { describe, expect, it } from 'vitest';
import { instancesAt } from '../../../../src/core/functions/instances';
import type { FunctionRow } from '../../../../src/core/functions/functionRow';

function row(name: string, share: number, rest: Partial<FunctionRow> = {}): FunctionRow {
  return {
    ...{ key: name, name, selected: true, hasSite: true },
    ...{ inclusiveShare: share, exclusiveShare: share / 2, visits: 10, overheadPercent: 1 },
    ...rest,
  };
}

describe('instances at one place', () => {
  const [one, two] = [row('f<int>', 0.3), row('f<double>', 0.2)];

  it('are summed', () => {
    expect(instancesAt([one, two], [one, two])).toMatchObject({
      measures: 'sum',
      count: 2,
      row: { name: 'f<int>', inclusiveShare: 0.5, exclusiveShare: 0.25, visits: 20, overheadPercent: 2 },
    });
  });

  it('pay the overhead of those that are recorded', () => {
    const idle = row('f<char>', 0.1, { selected: false });
    expect(instancesAt([one, idle], [one, idle])?.row).toMatchObject({ selected: true, overheadPercent: 1 });
  });

  it('are not summed where one runs within another, also indirectly: that would count time twice', () => {
    const between = row('g', 0.3, { callers: [0] });
    const inner = row('f<double>', 0.2, { callers: [1] });
    expect(instancesAt([one, inner], [one, between, inner])).toMatchObject({
      measures: 'largest',
      row: { inclusiveShare: 0.3, visits: 10 },
    });
  });

  it('end the search in circles of callers, and one function is no instance', () => {
    const a = row('a', 0.1, { callers: [1] });
    const b = row('b', 0.1, { callers: [0] });
    const called = row('f<char>', 0.1, { callers: [0] });
    expect(instancesAt([one, called], [a, b, one, called])?.measures).toBe('sum');
    expect(instancesAt([one], [one])).toBeUndefined();
  });

  it('of earlier rounds are not added to those of the last one', () => {
    const earlier = row('f<char>', 0.4, { earlier: true });
    expect(instancesAt([one, earlier], [one, earlier])).toMatchObject({
      measures: 'largest',
      row: { inclusiveShare: 0.3 },
    });
  });
});
