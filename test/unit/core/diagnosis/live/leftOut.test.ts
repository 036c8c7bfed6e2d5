import { describe, expect, test } from 'vitest';
import { usualHypotheses } from '../../../../../src/core/diagnosis/hypotheses/usual';
import { answerable } from '../../../../../src/core/diagnosis/live/leftOut';
import { windowOf } from './windows';

describe('hypotheses that a run cannot answer', () => {
  const window = windowOf({ region: { name: 'main' }, seconds: [1] });
  const { hypotheses, notices } = answerable(usualHypotheses, window);
  const ids = hypotheses.map(({ id }) => id);

  test('are left out, also as children of others, with the reason', () => {
    const atEnd = ['WaitingInMPI', 'LateSender', 'LateReceiver', 'WaitAtCollective'];
    const neverRecorded = ['CacheMisses', 'MemoryTraffic', 'ExcessiveIOBlockingTime', 'TooManySmallIOOps'];
    const left = [...atEnd, ...neverRecorded, 'Blocked'];
    expect(
      usualHypotheses
        .map(({ id }) => id)
        .filter((id) => !ids.includes(id))
        .sort(),
    ).toEqual(left.sort());
    expect(hypotheses.find(({ id }) => id === 'CPUBound')?.children).toEqual([]);
    expect(hypotheses.flatMap(({ children }) => children).filter((id) => !ids.includes(id))).toEqual([]);
    expect(notices).toHaveLength(left.length);
    expect(notices.find(({ message }) => message.includes('CacheMisses'))).toEqual({
      time: 0,
      message: expect.stringContaining('SCOREP_METRIC_PAPI') as string,
    });
  });

  test('are not those that threads, processes or waiting may answer later', () => {
    for (const id of ['WaitingAtBarriers', 'ImbalanceOfProcesses', 'SerialPart', 'LoadImbalance'])
      expect(ids).toContain(id);
    const sync = hypotheses.find(({ id }) => id === 'ExcessiveSyncWaitingTime');
    expect(sync?.children).toEqual(['WaitingAtBarriers', 'WaitingForLocks']);
  });

  test('do not take with them what they lead to and can be answered', () => {
    const [io, ...others] = [...usualHypotheses].sort((a) => (a.id === 'ExcessiveIOBlockingTime' ? -1 : 0));
    const leading = [
      { ...io!, children: ['Answered'] },
      { ...others[0]!, id: 'Answered', metric: 'computing' },
    ];
    expect(answerable(leading, window).hypotheses.map(({ id }) => id)).toEqual(['Answered']);
  });
});
