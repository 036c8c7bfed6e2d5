import type { Answers } from '../../../src/editor/surfaces/panels/panelChannel';
import { bytes, nothing, oneOf, record, wholeNumber } from '../../../src/protocol/guards';
import type {
  DecisionRow,
  DifferenceRow,
  RoundRow,
  RefinementRequests,
  RefinementShown,
} from '../../../src/protocol/refinement';

/** As a refinement of LULESH ended on the machine that the tests were written on, with names that are hostile. */
export const iterations: readonly RoundRow[] = [
  iteration(0, 61, 214.3, 3.1, undefined),
  iteration(1, 24, 18.6, 2.4, 11.2),
  iteration(2, 17, 3.9, 2.2, 4.1),
];

export function iteration(
  index: number,
  instrumented: number,
  overheadPercent: number,
  noisePercent: number,
  predictedPercent: number | undefined,
): RoundRow {
  return {
    index,
    instrumented,
    executed: instrumented,
    visits: 12_345_678 / (index + 1),
    medianSeconds: 2.13 * (1 + overheadPercent / 100),
    baselineSeconds: 2.13,
    overheadPercent,
    noisePercent,
    changed: 5,
    ...(predictedPercent === undefined ? {} : { predictedPercent }),
  };
}

export function complete(change: Partial<RefinementShown> = {}): RefinementShown {
  return {
    folder: 'file:///home/me/lulesh',
    target: 'lulesh',
    study: 'refine-2026-11-21T10-00-00',
    startedAt: '2026-11-21T10:00:00.000Z',
    state: 'complete',
    stopSentence: 'the selection no longer changes',
    targetPercent: 5,
    iterations,
    functions: rows.length,
    revision: 1,
    disabled: { stop: 'Nothing runs.' },
    ...change,
  };
}

const named = [
  'CalcForceForNodes(Domain&)',
  'CalcVolumeForceForElems(Domain&)',
  'IntegrateStressForElems(Domain&, double*, double*, double*, double*, int, int)',
  '<img src=x onerror=alert(1)>',
  'main',
];

/** 1200 functions: more than any screen shows. */
export const rows: readonly DecisionRow[] = Array.from({ length: 1200 }, (_, at): DecisionRow => {
  const selected = at < 17;
  return {
    name: named[at] ?? `lulesh::detail::step_${at}(int)`,
    file: '/home/me/lulesh/lulesh.cc',
    line: 100 + at,
    selected,
    rule: selected ? (at === 4 ? 'entry' : 'hot-spot') : at % 3 === 0 ? 'too-small' : 'too-expensive',
    reason: selected
      ? 'in: 12.3 % of the run time is spent in itself (threshold 4 %); costs 0.1 % (2000 visits × 30 ns)'
      : `out: ${at} statements in it and its callees (threshold 2000)`,
    ...(at < 100 ? { visits: 1000 * at, inclusiveShare: 1 / (at + 1), exclusiveShare: 0.3 / (at + 1) } : {}),
    ...(at < 100 ? { overheadPercent: 0.01 * at } : {}),
  };
});

const differences: readonly DifferenceRow[] = [
  {
    row: 1,
    name: 'CalcVolumeForceForElems(Domain&)',
    change: 'entered',
    before: 'out: too small',
    after: 'in: hot',
  },
  {
    row: 30,
    name: 'lulesh::detail::step_30(int)',
    change: 'left',
    before: 'in: hot',
    after: 'out: would cost 30 %',
  },
];

/** What the view asked for, besides reading. */
export type Asked = readonly [name: keyof RefinementRequests, parameters: unknown];

/** The extension's answers on a study that the test holds. */
export function answersOf(
  shown: () => RefinementShown,
  asked: Asked[],
  decisions: () => readonly DecisionRow[] = () => rows,
): Answers<RefinementRequests> {
  const note =
    <Name extends keyof RefinementRequests>(name: Name, result: RefinementRequests[Name]['result']) =>
    (parameters: unknown) => {
      asked.push([name, parameters]);
      return result;
    };
  const iterationOnly = record({ iteration: wholeNumber });
  return {
    open: { guard: nothing, answer: shown },
    functions: {
      guard: record({ first: wholeNumber, count: wholeNumber }),
      answer: ({ first, count }) => decisions().slice(first, first + count),
    },
    difference: {
      guard: record({ from: wholeNumber, to: wholeNumber }),
      answer: note('difference', differences),
    },
    next: { guard: nothing, answer: note('next', { started: true }) },
    stop: { guard: nothing, answer: note('stop', { stopped: true }) },
    accept: { guard: iterationOnly, answer: note('accept', { accepted: true }) },
    exportFilter: { guard: iterationOnly, answer: note('exportFilter', { saved: true }) },
    openSource: { guard: record({ row: wholeNumber }), answer: note('openSource', { opened: true }) },
    pin: {
      guard: record({ row: wholeNumber, state: oneOf('in', 'out', 'none') }),
      answer: note('pin', { pinned: true }),
    },
    save: {
      guard: record({ kind: oneOf('png', 'csv'), content: bytes(1 << 24) }),
      answer: note('save', { saved: true }),
    },
  };
}
