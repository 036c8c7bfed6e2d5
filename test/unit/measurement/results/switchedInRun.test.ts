import { describe, expect, it } from 'vitest';
import { joinedRanges, SwitchMarks } from '../../../../src/measurement/results/switchedInRun';

const process = { pid: 7, host: 'node1' };

describe('the iterations in which something was switched', () => {
  it('are those of the merged run in which a process was in a switch, also where it has other phases', () => {
    const marks = new SwitchMarks([
      { process, iterations: [10, 11] },
      { process, iterations: [31, 31] },
    ]);
    // Each third iteration of the process is one of the phase.
    for (let merged = 0; merged < 20; merged++) {
      marks.see(process, 3 * merged, merged);
      marks.see({ pid: 8, host: 'node1' }, 1000, merged);
    }
    expect(marks.ranges(20)).toEqual([
      [4, 4],
      [11, 11],
    ]);
  });

  it('are until the end of the run where it ended meanwhile, and none where it ended before', () => {
    const marks = new SwitchMarks([
      { process, iterations: [4, 9] },
      { process, iterations: [9, 9] },
    ]);
    for (let merged = 0; merged < 6; merged++) marks.see(process, merged, merged);
    expect(marks.ranges(6)).toEqual([[4, 5]]);
  });

  it('are joined where they touch', () => {
    expect(
      joinedRanges([
        [5, 6],
        [1, 2],
        [3, 3],
        [9, 9],
        [5, 9],
      ]),
    ).toEqual([
      [1, 3],
      [5, 9],
    ]);
  });
});
