import { formatPercent } from '../../../core/format';
import { unknownNoisePercent } from '../../../core/cost/overhead';
import { present } from '../../../core/present';
import type { RunTime } from '../../../core/cost/runTime';
import { selectedKeys, type Selection } from '../../../core/selection/selection';
import type { RanksReport } from '../../studies/refine.types';
import { digest, measuredOverhead, type Evidence, type MeasuredOverhead } from '../loop/digest';
import { finalSelection } from '../loop/finalSelection';
import {
  strategyOf,
  type Bench,
  type LoopInput,
  type LoopResult,
  type MeasuredRun,
} from '../loop/loop.types';

/** Number of times that the selection is made smaller for another number of ranks. */
const mostReductions = 2;

/** What runs the program with other numbers of ranks than that of the rounds. */
export interface RanksBench {
  /** Numbers of ranks, that of the rounds first. */
  readonly counts: readonly number[];
  readonly withRanks: (ranks: number) => Pick<Bench, 'baseline' | 'measured'>;
  /** Receives sentences for the user. */
  readonly note: (sentence: string) => void;
}

/**
 * Judges the final selection with each number of ranks: the rounds measured it with the first one only. Where its overhead exceeds the target
 * with another, what costs most there is left out, and the rest is measured again with all, so that one selection serves each.
 */
export async function judgeEachNumberOfRanks(
  input: LoopInput,
  loop: LoopResult,
  { counts, withRanks, note }: RanksBench,
): Promise<LoopResult> {
  const [first] = counts;
  if (first === undefined || counts.length === 1) return loop;
  let { final } = loop;
  const last = loop.iterations.at(-1);
  const judged: RanksReport[] = final.measured && last !== undefined ? [reportOf(first, last)] : [];
  for (let attempt = 0; ; attempt++) {
    let smaller: Selection | undefined;
    for (const ranks of counts.filter((count) => !judged.some((report) => report.ranks === count))) {
      const round = loop.iterations.length + attempt;
      const evidence = await runsWith(input, withRanks(ranks), final.selection, ranks, round);
      const report = reportOf(ranks, measuredOverhead(evidence));
      judged.push(report);
      if (exceeds(report, input)) smaller ??= await affordable(input, final.selection, evidence);
    }
    if (smaller === undefined || attempt === mostReductions) break;
    final = { ...final, selection: smaller, measured: false };
    judged.length = 0;
  }
  const ranks = judged.sort((a, b) => a.ranks - b.ranks);
  for (const report of ranks) if (exceeds(report, input)) note(aboveTarget(report, input.overheadPercent));
  return { ...loop, final, ranks };
}

/** The part of a selection that fits the target in these runs; undefined: nothing can be left out. */
async function affordable(
  input: LoopInput,
  selection: Selection,
  evidence: Evidence,
): Promise<Selection | undefined> {
  const state = digest(input, undefined, selection, {}, evidence);
  const other = finalSelection(input, state, await input.pinned?.()).selection;
  const decisions = new Map(selection.decisions);
  for (const key of selectedKeys(selection)) {
    const decision = other.decisions.get(key);
    if (decision?.selected === false) decisions.set(key, decision);
  }
  const smaller = { ...selection, decisions };
  return selectedKeys(smaller).length < selectedKeys(selection).length ? smaller : undefined;
}

function reportOf(ranks: number, measured: MeasuredOverhead): RanksReport {
  return { ranks, ...overheadReport(measured) };
}

/** The overhead and its times, for results. */
export function overheadReport(measured: MeasuredOverhead): Omit<RanksReport, 'ranks'> {
  const { medianSeconds, baselineSeconds, overheadPercent, noisePercent, clock } = measured;
  const { cpuSeconds, baselineCpuSeconds, rankSeconds, baselineRankSeconds, slowestRank } = measured;
  return {
    medianSeconds,
    baselineSeconds,
    overheadPercent,
    ...present({ noisePercent, clock, cpuSeconds, baselineCpuSeconds }),
    ...present({ rankSeconds, baselineRankSeconds, slowestRank }),
  };
}

async function runsWith(
  { repetitions, signal, progress }: LoopInput,
  bench: Pick<Bench, 'baseline' | 'measured'>,
  selection: Selection,
  ranks: number,
  round: number,
): Promise<Evidence> {
  const measured: MeasuredRun[] = [];
  const beside: RunTime[] = [];
  for (let repetition = 1; repetition <= repetitions; repetition++) {
    signal.throwIfAborted();
    progress.report({ message: `With ${ranks} ranks, run ${repetition} of ${repetitions}` });
    beside.push(await bench.baseline(repetition));
    measured.push(await bench.measured(round, repetition, selection));
  }
  return { measured, beside, paired: false, baselines: beside };
}

/** The other strategies limit the overhead of each function, not of the run. */
function exceeds(report: RanksReport, input: LoopInput): boolean {
  const { overheadPercent, noisePercent = unknownNoisePercent } = report;
  return strategyOf(input) === 'hotspot' && overheadPercent > input.overheadPercent + noisePercent;
}

function aboveTarget({ ranks, overheadPercent }: RanksReport, targetPercent: number): string {
  return `With ${ranks} ranks, recording costs ${formatPercent(overheadPercent / 100)}, more than the target of ${formatPercent(targetPercent / 100)}.`;
}
