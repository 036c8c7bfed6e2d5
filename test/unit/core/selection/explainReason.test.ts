import { expect, test } from 'vitest';
import { explainReason, knownBefore } from '../../../../src/core/selection/explainReason';
import type { Reason } from '../../../../src/core/selection/selection';

const cost = { visits: 1000, pairSeconds: 3e-8, overheadPercent: 0.3 };
const once = { visits: 1, pairSeconds: 3e-8, overheadPercent: 0.05 };
const sampled = { ...cost, visits: 1e6, interval: 64 };

test.each<[Reason, string]>([
  [{ rule: 'entry' }, 'in: the program begins here'],
  [{ rule: 'entry', cost: once }, 'in: the program begins here; costs <0.1 % (1 visit × 30 ns)'],
  [
    { rule: 'phase', cost: sampled },
    'in: the phase, whose visits are the iterations; costs 0.3 % (1 M visits × 30 ns: 1 in 64 visits is timed)',
  ],
  [
    { rule: 'statements', value: 120, threshold: 10 },
    'in: 120 statements in it and its callees (threshold 10)',
  ],
  [{ rule: 'statements' }, 'in: 0 statements in it and its callees (threshold 0)'],
  [{ rule: 'too-small', value: 2, threshold: 10 }, 'out: 2 statements in it and its callees (threshold 10)'],
  [{ rule: 'kernel' }, 'in: few statements, but a loop: cheap to record by estimate'],
  [{ rule: 'kernel', value: 2 }, 'in: few statements, but 2 nested loops: cheap to record by estimate'],
  [
    { rule: 'hot-spot', value: 0.4, threshold: 0.04, measure: 'exclusive', cost },
    'in: 40.0 % of the run time is spent in itself (threshold 4.0 %); costs 0.3 % (1000 visits × 30 ns)',
  ],
  [
    { rule: 'hot-spot', value: 0.4, threshold: 0.04, measure: 'inclusive', estimated: true },
    'in: 40.0 % of the run time is spent in it and its callees (threshold 4.0 %), estimated from few visits, the others were only counted',
  ],
  [
    { rule: 'not-hot', value: 0.001, threshold: 0.02 },
    'out: 0.1 % of the run time is spent in it and its callees (threshold 2.0 %)',
  ],
  [{ rule: 'not-hot' }, 'out: 0 % of the run time is spent in it and its callees (threshold 0 %)'],
  [{ rule: 'path-to-main' }, 'in: on a path from the entry function to a hot spot or kernel'],
  [
    { rule: 'path-to-main', path: ['main', 'solve'] },
    'in: on a path from the entry function to a hot spot (main → solve)',
  ],
  [
    { rule: 'outside' },
    'in: no caller is known (found by name while the program runs, a handler, a callback): recorded once to find out',
  ],
  [{ rule: 'expand' }, 'in: nothing is known of its statements: recorded once to find out'],
  [
    { rule: 'expand', value: 0.3, path: ['solve', 'step'] },
    'in: below a function that spends 30.0 % of the run time in itself (solve → step)',
  ],
  [
    { rule: 'expand', value: 0.3, measure: 'inclusive', path: ['solve', 'step'] },
    'in: the analysis asks what a function that takes 30.0 % of the run time calls (solve → step)',
  ],
  [{ rule: 'expand', measure: 'inclusive' }, 'in: below a function that the analysis asks for too'],
  [
    { rule: 'again', cost },
    'in: the cost of recording blurred its time: recorded once more beside little else; costs 0.3 % (1000 visits × 30 ns)',
  ],
  [
    { rule: 'imbalanced', value: 0.4, threshold: 0.05, metric: 'imbalance-percentage', cost },
    'in: unbalanced over ranks and threads: the imbalance of its computation is 40.0 % (threshold 5.0 %); costs 0.3 % (1000 visits × 30 ns)',
  ],
  [
    { rule: 'imbalanced', value: 1.4, threshold: 1.05, metric: 'efficiency' },
    'in: unbalanced over ranks and threads: the slowest computes 1.40 times as long as the average (threshold 1.05)',
  ],
  [
    { rule: 'balanced', value: 0.01, threshold: 0.05, metric: 'variation' },
    'out: balanced over ranks and threads: its computation varies by 1.0 % (threshold 5.0 %)',
  ],
  [
    { rule: 'balanced' },
    'out: balanced over ranks and threads: the imbalance of its computation is 0 % (threshold 0 %)',
  ],
  [
    { rule: 'descend', value: 0.5, path: ['step', 'solve'], countedFirst: 64 },
    'in: called by step, which takes 50.0 % of the run time: recorded to see whether it is balanced; its visits are counted before it is timed',
  ],
  [{ rule: 'descend' }, 'in: called by a relevant function: recorded to see whether it is balanced'],
  [
    { rule: 'synchronisation', path: ['step', 'exchange'], cost },
    'in: it calls MPI where others may wait for an unbalanced function (step → exchange); costs 0.3 % (1000 visits × 30 ns)',
  ],
  [
    { rule: 'path-to-main', metric: 'efficiency', path: ['step', 'solve'] },
    'in: on a path from the entry function to an unbalanced function (step → solve)',
  ],
  [{ rule: 'budget' }, 'in: the overhead target has room for it'],
  [
    { rule: 'pinned-in', countedFirst: 512 },
    'in: pinned by the user; its visits are counted before it is timed',
  ],
  [{ rule: 'of-interest' }, 'in: recorded with everything else once, to learn what it costs'],
  [
    { rule: 'of-interest', value: 3, threshold: 5, cost },
    'in: recording it adds 3.0 % to its own time (limit 5.0 %); costs 0.3 % (1000 visits × 30 ns)',
  ],
  [{ rule: 'of-interest', value: 3 }, 'in: recording it adds 3.0 % to its own time (limit 0 %)'],
  [
    { rule: 'too-expensive', value: 9, threshold: 5, cost },
    'out: 1000 visits × 30 ns would cost 9.0 % (target 5.0 %)',
  ],
  [
    { rule: 'too-expensive', value: 4.5, threshold: 5, limit: 4 },
    'out: recording it would cost 4.5 %, too near the target (5.0 %; predictions stay below 4.0 % to meet it)',
  ],
  [
    { rule: 'too-expensive', value: 3, threshold: 3.6, limit: 2.3, idle: 1.4 },
    'out: recording it would cost 3.0 %, too near the target (5.0 %, 1.4 % of it for idle patch points; predictions stay below 2.3 % to meet it)',
  ],
  [
    { rule: 'too-expensive', value: 3, threshold: 5, limit: 4 },
    'out: recording it would cost 3.0 %, more than the more informative functions leave of the target (5.0 %; predictions stay below 4.0 % to meet it)',
  ],
  [
    { rule: 'too-expensive', value: 3, threshold: 5 },
    'out: recording it would cost 3.0 %, more than the more informative functions leave of the target (5.0 %)',
  ],
  [
    { rule: 'total-overhead', value: 30, threshold: 5 },
    'out: recording it adds 30.0 % or more to its own time (limit 5.0 %): small and called often, so worth inlining or optimising itself',
  ],
  [
    { rule: 'prolog-overhead', value: 30, threshold: 5, cost: once },
    'out: recording it distorts its own time by 30.0 % or more (limit 5.0 %; 1 visit × 30 ns)',
  ],
  [
    { rule: 'total-overhead', value: 100_001, threshold: 5, cost: once },
    'out: nothing was seen of it but the cost of recording it (limit 5.0 %; 1 visit × 30 ns)',
  ],
  [{ rule: 'not-needed' }, 'out: the analysis does not ask for it by now'],
  [{ rule: 'not-measured' }, 'out: never recorded; nothing hot leads to it'],
  [
    { rule: 'not-measured', value: 3, threshold: 5 },
    'out: never recorded; no run is left to learn what it costs',
  ],
  [
    { rule: 'not-measured', value: 8, threshold: 5 },
    'out: never recorded: it may slow the run by up to 8.0 %, by estimate (limit for looking 5.0 %)',
  ],
  [{ rule: 'unreachable' }, 'out: no call path from the entry function'],
  [{ rule: 'no-site' }, 'out: inlined (or built without Kymo): the executable has no patch point for it'],
  [{ rule: 'not-executed' }, 'out: it was recorded and never called'],
  [{ rule: 'pinned-out' }, 'out: excluded by the user'],
])('%j', (reason, sentence) => expect(explainReason(reason)).toBe(sentence));

test('what shares are of, and how names are written, can be given', () => {
  const reason: Reason = { rule: 'expand', value: 0.3, path: ['a::b', 'c'] };
  expect(explainReason(reason, { nameOf: (name) => name.slice(-1), time: 'the phase' })).toBe(
    'in: below a function that spends 30.0 % of the phase in itself (b → c)',
  );
});

test('what was known before a round', () => {
  expect(knownBefore(0)).toBe('the run time');
  expect(knownBefore(1)).toBe('the run time in round 0');
  expect(knownBefore(3)).toBe('the run time in rounds 0–2');
});
