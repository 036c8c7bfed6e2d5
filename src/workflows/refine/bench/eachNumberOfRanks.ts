import path from 'node:path';
import { formatPercent } from '../../../core/format';
import { present } from '../../../core/present';
import { selectedKeys, type Selection } from '../../../core/selection/selection';
import type { RanksReport } from '../../studies/refine.types';
import { digest, measuredOverhead, type Evidence, type MeasuredOverhead } from '../loop/digest';
import { finalSelection } from '../loop/finalSelection';
import { strategyOf, type LoopInput, type LoopResult } from '../loop/loop.types';
import { RunBench, type RunContext } from './runBench';

/** Number of times that the selection is made smaller for another number of ranks. */
const mostReductions = 2;

/**
 * Judges the final selection with each number of ranks: the rounds measured it with the first one only. Where its overhead exceeds the target
 * with another, what costs most there is left out, and the rest is measured again with all, so that one selection serves each. The
 * experiments are in `<study>/ranks`. @param counts numbers of ranks, those of the rounds first
 */
export async function judgeEachNumberOfRanks(
  input: LoopInput,
  context: RunContext,
  loop: LoopResult,
  counts: readonly number[],
): Promise<LoopResult> {
  const [first] = counts;
  if (first === undefined || counts.length === 1) return loop;
  let { final } = loop;
  let reports = new Map<number, RanksReport>();
  const last = loop.iterations.at(-1);
  if (final.measured && last !== undefined) reports.set(first, reportOf(first, last));
  for (let attempt = 0; attempt <= mostReductions; attempt++) {
    let smaller: Selection | undefined;
    for (const ranks of counts.filter((count) => !reports.has(count))) {
      const evidence = await runsWith(
        input,
        context,
        final.selection,
        ranks,
        loop.iterations.length + attempt,
      );
      const report = reportOf(ranks, measuredOverhead(evidence));
      reports.set(ranks, report);
      if (!exceeds(report, input.overheadPercent)) continue;
      const state = digest(input, undefined, final.selection, {}, evidence);
      const { selection } = finalSelection(input, state, await input.pinned?.());
      smaller ??= within(final.selection, selection);
    }
    if (smaller === undefined || attempt === mostReductions) break;
    final = { ...final, selection: smaller, measured: false };
    reports = new Map();
  }
  const ranks = [...reports.values()].sort((a, b) => a.ranks - b.ranks);
  // The other strategies limit the overhead of each function, not of the run.
  if (strategyOf(input) === 'hotspot')
    for (const report of ranks)
      if (exceeds(report, input.overheadPercent)) context.note(aboveTarget(report, input.overheadPercent));
  return { ...loop, final, ranks };
}

function reportOf(ranks: number, measured: MeasuredOverhead): RanksReport {
  const { medianSeconds, baselineSeconds, overheadPercent, noisePercent, clock } = measured;
  const { cpuSeconds, baselineCpuSeconds, rankSeconds, baselineRankSeconds, slowestRank } = measured;
  return {
    ranks,
    medianSeconds,
    baselineSeconds,
    overheadPercent,
    ...present({ noisePercent, clock, cpuSeconds, baselineCpuSeconds }),
    ...present({ rankSeconds, baselineRankSeconds, slowestRank }),
  };
}

async function runsWith(
  { repetitions, signal, progress }: LoopInput,
  context: RunContext,
  selection: Selection,
  ranks: number,
  round: number,
): Promise<Evidence> {
  const bench = new RunBench({ ...context, ranks, directory: path.join(context.directory, 'ranks') });
  const measured = [];
  const beside = [];
  for (let repetition = 1; repetition <= repetitions; repetition++) {
    signal.throwIfAborted();
    progress.report({ message: `With ${ranks} ranks, run ${repetition} of ${repetitions}` });
    beside.push(await bench.baseline(repetition));
    measured.push(await bench.measured(round, repetition, selection));
  }
  return { measured, beside, paired: false, baselines: beside };
}

function exceeds({ overheadPercent, noisePercent = 0 }: RanksReport, targetPercent: number): boolean {
  return overheadPercent > targetPercent + noisePercent;
}

/** The selection without what another one leaves out; undefined: it leaves nothing out. */
function within(selection: Selection, other: Selection): Selection | undefined {
  const decisions = new Map(selection.decisions);
  for (const key of selectedKeys(selection)) {
    const decision = other.decisions.get(key);
    if (decision?.selected === false) decisions.set(key, decision);
  }
  const smaller = { ...selection, decisions };
  return selectedKeys(smaller).length < selectedKeys(selection).length ? smaller : undefined;
}

function aboveTarget({ ranks, overheadPercent }: RanksReport, targetPercent: number): string {
  return `With ${ranks} ranks, recording costs ${formatPercent(overheadPercent / 100)}, more than the target of ${formatPercent(targetPercent / 100)}.`;
}
