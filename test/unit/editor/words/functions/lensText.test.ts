import { describe, expect, it } from 'vitest';
import { LineMap } from '../../../../../src/core/lines/lineMap';
import { placeGroups } from '../../../../../src/editor/state/places/placedGroups';
import { FunctionIndex } from '../../../../../src/editor/state/studies/functionIndex';
import { functionTableText } from '../../../../../src/editor/words/functions/functionTableText';
import {
  decision,
  explanation,
  lensesOf,
  isShown,
  lensTitle,
  lensTooltip,
  placedTitle,
} from '../../../../../src/editor/words/functions/lensText';
import { explainReason, explanationOf } from '../../../../../src/core/selection/explainReason';
import type { Reason } from '../../../../../src/core/selection/selection';
import type { FunctionRow } from '../../../../../src/core/functions/functionRow';

const measured: FunctionRow = {
  key: 'sweep',
  name: 'sweep',
  file: '/w/a.cpp',
  line: 12,
  selected: true,
  hasSite: true,
  decision: { clause: '31 % of the run time', details: '' },
  visits: 1_200_000,
  inclusiveShare: 0.31,
  exclusiveShare: 0.12,
  overheadPercent: 0.42,
};
const undecided: FunctionRow = { key: 'f', name: 'f', selected: false, hasSite: true };
const rejected: FunctionRow = {
  key: 'smooth',
  name: 'smooth',
  file: '/w/a.cpp',
  line: 8,
  selected: false,
  hasSite: true,
  decision: { clause: '3 statements', details: ', fewer than 10' },
};
const at = (...functions: readonly FunctionRow[]) => ({ line: functions[0]?.line ?? 1, functions });
const titleOf = (group: Parameters<typeof lensTitle>[0]): string => lensTitle(group, []);

describe('the text of a lens', () => {
  it('has share, visits and overhead', () =>
    expect(titleOf(at(measured))).toBe('31 % · 1.2 M visits · overhead 0.4 %'));
  it('begins with the processes where it is not of all', () => {
    const base = { run: 'i3.r1', clock: 'cpu', processes: 'ranks 2–4', seconds: 2, leftOut: [] } as const;
    const chosen = { ...measured, base };
    expect(titleOf(at(chosen))).toBe('only ranks 2–4 · 31 % · 1.2 M visits · overhead 0.4 %');
    expect(explanation(chosen, [])).toEqual(
      expect.arrayContaining([
        ['1,200,000', 'visits by all threads of ranks 2–4'],
        ['Shares', 'are of 2 s computing time of ranks 2–4 in run i3.r1'],
      ]),
    );
  });
  it('begins with when it was recorded where that was not the whole run', () => {
    const recordedPart = { from: 12.3, to: 30, seconds: 17.7, stretches: 1, ofSeconds: 30 };
    const switched = { ...measured, recordedPart };
    expect(titleOf(at(switched))).toBe('only from 12.3 s on · 31 % · 1.2 M visits · overhead 0.4 %');
    expect(explanation(switched, [])[0]).toEqual([
      'Only a part of the run',
      'recorded from 12.3 s on, for 59.0 % of the run: the numbers are of the visits that began then, and its callers have the time of the others',
    ]);
    const index = new FunctionIndex();
    index.add([switched]);
    expect(functionTableText(index)).toMatch(/12\.0 % from 12\.3 s on +31\.0 % from/);
  });
  it('says when not every visit is timed', () => {
    const sampled = { ...measured, timedOneIn: 64 };
    expect(titleOf(at(sampled))).toBe('31 % · 1.2 M visits, 1 in 64 timed · overhead 0.4 %');
    expect(explanation(sampled, [])).toContainEqual([
      '1 in 64',
      'visits is timed; all are counted, times are estimated',
    ]);
  });
  it('has how well ranks are used, with what the words mean', () => {
    const own = { parallel: 0.45, loadBalance: 0.9, communication: 0.5, runSeconds: 2 };
    const words =
      'parallel efficiency with everything it calls (mean computation ÷ 2 s): load balance 90 % (mean ÷ largest) × communication efficiency 50 % (largest ÷ time)';
    expect(explanation({ ...measured, efficiency: own }, [])).toContainEqual(['45 %', words]);
    expect(explanation({ ...measured, efficiency: { ...own, slowestRanks: '3,5' } }, [])).toContainEqual([
      '45 %',
      `${words}; most computation on ranks 3,5`,
    ]);
  });
  it('says which ranks compute least and most, once', () => {
    const ranks = {
      leastSeconds: 1,
      meanSeconds: 1.5,
      mostSeconds: 1.9,
      leastRanks: '3',
      mostRanks: '0-2,7',
    };
    const words =
      'of computation on an average rank, with everything it calls: least 1 s on rank 3, most 1.9 s on ranks 0-2,7';
    const own = { parallel: 0.45, loadBalance: 0.9, communication: 0.5, runSeconds: 2, slowestRanks: '0-2' };
    const told = explanation({ ...measured, ranks, efficiency: own }, []);
    expect(told).toContainEqual(['1.5 s', words]);
    expect(told.flat().join()).not.toContain('most computation');
    expect(explanation({ ...measured, ranks: { ...ranks, hidesMpi: true } }, [])).toContainEqual([
      '1.5 s',
      `${words}; waiting in MPI may be a part of it, because the profile does not show MPI`,
    ]);
  });
  it('shows of a set of ranks only ranks, whatever the file has', () => {
    const efficiency = { parallel: 1, loadBalance: 1, communication: 1, runSeconds: 2 };
    const forged = { ...efficiency, slowestRanks: '3,[click](command:x)5' };
    const words = explanation({ ...measured, efficiency: forged }, [])
      .flat()
      .join('\n');
    expect(words).toContain('most computation on ranks 3,5\n');
    expect(words).not.toContain('click');
  });
  it('has whose time is in that of a recorded function, and where that of one that is not is', () => {
    const holder = { ...measured, contains: { count: 9, functions: [1, 2] } };
    const table = [holder, { ...rejected, timeIn: [0] }, { ...rejected, name: 'ns::value(int) const' }];
    const list = 'smooth, value and 7 more';
    expect(explanation(holder, table)).toContainEqual([list, 'in its time, not recorded themselves']);
    const one = { ...holder, contains: { count: 1, functions: [1] } };
    expect(explanation(one, table)).toContainEqual(['smooth', 'in its time, not recorded itself']);
    expect(lensTooltip(at(holder), table)).toContain(`\n${list} in its time, not recorded themselves`);
    expect(lensTooltip(at({ ...rejected, timeIn: [0] }), table)).toMatch(/\nsweep holds its time$/);
    expect(lensTooltip(at({ ...rejected, timeIn: [0, 2] }), table)).toMatch(
      /\nsweep and value hold its time$/,
    );
  });
  it('has seconds and time per visit where the base is known', () => {
    const base = { run: 'i2.r1', clock: 'cpu', seconds: 10, leftOut: [] } as const;
    expect(explanation({ ...measured, visits: 1000, base }, []).map((part) => part.join(' '))).toEqual(
      expect.arrayContaining([
        '31 % of the computing time, with everything it calls: 3.1 s, 3.1 ms per visit',
        '12 % of the computing time in the function itself: 1.2 s, 1.2 ms per visit',
      ]),
    );
  });
  it('leaves out how visits are timed where it would become long', () => {
    const group = { line: 12, endLine: 20, measuredLine: 12, functions: [{ ...measured, timedOneIn: 64 }] };
    expect(placedTitle({ ...group, stale: false }, new Map(), [])).toBe(
      '31 % · 1.2 M visits, 1 in 64 timed · overhead 0.4 %',
    );
    expect(placedTitle({ ...group, stale: true }, new Map(), [])).toBe(
      '31 % · 1.2 M visits · overhead 0.4 % · changed since the run',
    );
  });
  it('says why a function is not instrumented', () =>
    expect(titleOf(at(rejected))).toBe('not instrumented: 3 statements, fewer than 10'));
  it('does not claim an overhead that is no longer paid', () =>
    expect(titleOf(at({ ...measured, selected: false }))).toBe('31 % · 1.2 M visits · not instrumented'));
  it('says that a selected function did not run', () =>
    expect(titleOf(at({ ...measured, visits: 0 }))).toBe('instrumented · not executed'));
  it('sums the instances at one place, unless one may run within another', () => {
    const other = { ...measured, name: 'sweep<2>' };
    const whole = '62 % · 2.4 M visits · overhead 0.8 % · sum of 2 instances';
    expect(lensTitle(at(measured, other), [measured, other])).toBe(whole);
    const inner = { ...other, callers: [0] };
    expect(lensTitle(at(measured, inner), [measured, inner])).toBe(
      '31 % · 1.2 M visits · overhead 0.4 % · largest of 2 instances',
    );
  });
  it('stands above functions from the limit on, and above those that the user pinned', () => {
    const small = { ...measured, inclusiveShare: 0.004 };
    const shown = (group: ReturnType<typeof at>, pinned = new Map<string, 'in' | 'out'>()): boolean =>
      isShown(group, 0.01, pinned, group.functions);
    expect(shown(at(measured))).toBe(true);
    expect(shown(at(small))).toBe(false);
    expect(shown(at(rejected))).toBe(false);
    expect(shown(at(rejected), new Map([['smooth', 'in']]))).toBe(true);
    const instances = ['a', 'b', 'c'].map((key) => ({ ...small, key }));
    expect(shown(at(...instances))).toBe(true);
    expect(isShown(at(rejected), 0, new Map(), [])).toBe(true);
  });
  it('stays short with a name and a reason of 10 kB', () => {
    const long = {
      ...rejected,
      name: 'x'.repeat(10_000),
      decision: { clause: 'y'.repeat(10_000), details: '' },
    };
    expect(titleOf(at(long)).length).toBeLessThanOrEqual(60);
    expect(lensTooltip(at(long), []).split('\n')[0]?.length).toBeLessThanOrEqual(120);
  });
  it.each<[Reason, string]>([
    [{ rule: 'no-site' }, 'not instrumented: inlined'],
    [{ rule: 'unreachable' }, 'not instrumented: no call path from the entry function'],
    [{ rule: 'not-executed' }, 'not instrumented: it was recorded and never called'],
    [{ rule: 'not-measured' }, 'not instrumented: never recorded; nothing hot leads to it'],
    [{ rule: 'not-measured', value: 170, threshold: 100 }, 'not instrumented: never recorded'],
    [
      { rule: 'too-small', value: 1200, threshold: 4400 },
      'not instrumented: 1200 statements in it and its callees',
    ],
  ])('has room for the first clause of why a function is out: %j', (reason, title) => {
    const one = { ...rejected, decision: explanationOf(reason) };
    expect(titleOf(at(one))).toBe(title);
    expect(lensTooltip(at(one), [])).toBe(
      `smooth\nnot instrumented: ${explainReason(reason).slice('out: '.length)}`,
    );
  });
  it('gives the whole reason in the tooltip', () =>
    expect(lensTooltip(at(rejected), [])).toBe('smooth\nnot instrumented: 3 statements, fewer than 10'));
  it('says only the state without a reason', () => {
    expect(decision(undecided)).toBe('not instrumented');
  });
});

describe('which functions have a lens', () => {
  it.each([
    [measured, 0, true],
    [measured, 0.31, true],
    [measured, 0.32, false],
    [rejected, 0, true],
    [rejected, 0.01, false],
  ])('%# with minimum share %d', (one, minimum, shown) =>
    expect(isShown(at(one), minimum, new Map(), [])).toBe(shown),
  );
});

describe('the index of functions', () => {
  it('gives the functions of a file by line, the heaviest of a line first', () => {
    const index = new FunctionIndex();
    const before = { earlier: true as const, name: 'hotter before', inclusiveShare: 0.9 };
    index.add([{ ...measured, ...before }, measured, { ...measured, name: 'heavier', inclusiveShare: 0.5 }]);
    index.add([
      rejected,
      { ...rejected, name: 'elsewhere', file: '/w/b.cpp' },
      { ...rejected, name: 'nowhere' },
    ]);
    const lines = index
      .inFile('/w/a.cpp')
      .map(({ line, functions }) => [line, functions.map(({ name }) => name)]);
    expect(lines).toEqual([
      [8, ['nowhere', 'smooth']],
      [12, ['heavier', 'sweep', 'hotter before']],
    ]);
    expect(index.inFile('/w/none.cpp')).toEqual([]);
    expect(index.size).toBe(6);
  });
  it('sees what is added after a file was asked for', () => {
    const index = new FunctionIndex();
    index.add([measured]);
    expect(index.inFile('/w/a.cpp')).toHaveLength(1);
    index.add([rejected]);
    expect(index.inFile('/w/a.cpp')).toHaveLength(2);
  });
});

describe('the function table', () => {
  it('is a flat profile with the decision on each function', () => {
    const index = new FunctionIndex();
    index.add([rejected, measured]);
    expect(functionTableText(index)).toBe(
      [
        'exclusive  inclusive  visits  overhead  function  decision',
        '   12.0 %     31.0 %   1.2 M     0.4 %  sweep     in: 31 % of the run time',
        '                                        smooth    out: 3 statements, fewer than 10',
        '',
      ].join('\n'),
    );
  });
});

/** Where the functions of a file are in a text that was not edited. */
const placed = (index: FunctionIndex, file: string, lines: number) =>
  placeGroups(index.inFile(file), LineMap.identity(new Uint32Array(lines).fill(1)), lines);

describe('the lenses of a file', () => {
  it('leaves out what lies beyond its end', () => {
    const index = new FunctionIndex();
    index.add([measured, rejected]);
    expect(lensesOf(placed(index, '/w/a.cpp', 10), 0, new Map(), []).map(({ line }) => line)).toEqual([8]);
  });
  it('gives each of 500 functions of a file one lens, whatever else the study holds (bench/editor times it)', () => {
    const index = new FunctionIndex();
    for (let file = 0; file < 200; file++) {
      index.add(
        Array.from({ length: 500 }, (_, at) => ({ ...measured, file: `/w/${file}.cpp`, line: 500 - at })),
      );
    }
    const lines = lensesOf(placed(index, '/w/7.cpp', 1000), 0, new Map(), []).map(({ line }) => line);
    expect(lines).toEqual(Array.from({ length: 500 }, (_, at) => at + 1));
  });
});
