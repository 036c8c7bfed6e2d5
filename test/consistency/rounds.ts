import type { RefineResult, RefineRound } from '../../src/workflows/studies/refine.types';
import type { StoredRow } from '../../src/workflows/studies/functionsFile';
import { sameNumber } from './numbers';

/** `i<N>/<experiment>/experiment.json` of a measured or baseline run. */
export interface RunFile {
  readonly variant: string;
  readonly ranks: number;
  readonly wallSeconds: number;
  readonly cpuSeconds?: number;
  readonly slowestRank?: { readonly rank: number; readonly seconds: number };
  readonly instrumented: number;
  readonly selection?: string;
}

export interface StudyOutputs {
  readonly result: Pick<RefineResult, 'iterations' | 'final' | 'hotFunctions' | 'functionsKnown' | 'verdict'>;
  readonly functions: readonly StoredRow[];
  /** Measured runs of each round. */
  readonly runs: readonly (readonly RunFile[])[];
  /** `selection.json` of each round: keys that it selects, and its id. */
  readonly selections: readonly { readonly id: string; readonly selected: readonly string[] }[];
  /** Lines `INCLUDE` of the exported filter. */
  readonly included: readonly string[];
}

/** A verdict claims nothing that the round does not show. */
function ofVerdict({ verdict, final, iterations }: StudyOutputs['result']): readonly string[] {
  const round = iterations.find(({ index }) => index === final.iteration);
  if (verdict === undefined || final.ranks !== undefined) return [];
  if (round === undefined)
    return verdict.kind === 'unknown' ? [] : ['there is a verdict on a selection that no round measured'];
  const { overheadPercent, noisePercent = 0 } = round;
  const { kind, targetPercent } = verdict;
  if (kind === 'met' && overheadPercent > targetPercent)
    return [`the overhead of ${overheadPercent} % meets the target of ${targetPercent} %`];
  if (kind === 'missed' && overheadPercent - noisePercent <= targetPercent)
    return [
      `the overhead of ${overheadPercent} % exceeds the target of ${targetPercent} %, whatever its noise`,
    ];
  return [];
}

export function roundContradictions(study: StudyOutputs): readonly string[] {
  const { result, functions, included, selections } = study;
  const selected = functions.filter((row) => row.selected);
  const measured = result.final.iteration;
  return [
    ...result.iterations.flatMap((round, at) => ofRound(round, study, at)),
    ...(result.final.ranks ?? []).flatMap((own) =>
      ofOverhead(`the final selection with ${own.ranks} ranks`, own),
    ),
    ...sameNumber(
      'functions of the final selection, and those that functions.json selects',
      result.final.instrumented,
      selected.length,
    ),
    ...sameNumber(
      'functions of the final selection, and those of the filter',
      result.final.instrumented,
      included.length,
    ),
    ...(measured === undefined || measured >= selections.length
      ? []
      : sameNumber(
          `functions of the final selection, and those of round ${measured}`,
          result.final.instrumented,
          selections[measured]?.selected.length,
        )),
    ...ofVerdict(result),
    ...result.hotFunctions.flatMap((hot) => {
      const row = functions.find(({ key }) => key === hot.key);
      if (row === undefined) return [`${hot.name} is hot and not in functions.json`];
      return [
        ...(row.selected === hot.selected ? [] : [`${hot.name} is selected here, and not there`]),
        ...sameNumber(`visits of ${hot.name}`, hot.visits, row.visits),
        ...sameNumber(`waiting of ${hot.name}`, hot.waitingSeconds, row.waitingSeconds),
      ];
    }),
  ];
}

function ofRound(round: RefineRound, { runs, selections }: StudyOutputs, at: number): readonly string[] {
  const what = `round ${round.index}`;
  const own = runs[at] ?? [];
  return [
    ...ofOverhead(what, round),
    ...(round.executed <= round.instrumented
      ? []
      : [`${what} executed ${round.executed} of ${round.instrumented}`]),
    ...((round.timedVisits ?? 0) <= round.visits ? [] : [`${what} timed more visits than there were`]),
    ...sameNumber(`${what}: runs`, round.runs, own.length),
    ...own.flatMap((run) => [
      ...sameNumber(`${what}: functions, and those of its run`, round.instrumented, run.instrumented),
      ...(run.selection === selections[at]?.id
        ? []
        : [`${what} ran with the selection ${String(run.selection)}`]),
    ]),
    ...(own.length === 1 && round.paired !== true ? ofTimes(what, round, own[0]) : []),
  ];
}

/** The times of a round that ran once are those of its run. */
function ofTimes(what: string, round: RefineRound, run: RunFile | undefined): readonly string[] {
  return [
    ...sameNumber(`${what}: wall time, and that of its run`, round.medianSeconds, run?.wallSeconds),
    ...sameNumber(`${what}: CPU time, and that of its run`, round.cpuSeconds, run?.cpuSeconds),
    ...sameNumber(`${what}: time of the slowest rank`, round.rankSeconds, run?.slowestRank?.seconds),
    ...sameNumber(`${what}: slowest rank`, round.slowestRank, run?.slowestRank?.rank),
  ];
}

type Overhead = Pick<
  RefineRound,
  | 'clock'
  | 'medianSeconds'
  | 'baselineSeconds'
  | 'cpuSeconds'
  | 'baselineCpuSeconds'
  | 'rankSeconds'
  | 'baselineRankSeconds'
  | 'overheadPercent'
  | 'paired'
>;

/** Of pairs of runs it is the median of their ratios, which is no ratio of medians. */
function ofOverhead(what: string, own: Overhead): readonly string[] {
  if (own.paired === true) return [];
  const [seconds, baseline] = {
    rank: [own.rankSeconds, own.baselineRankSeconds],
    cpu: [own.cpuSeconds, own.baselineCpuSeconds],
    wall: [own.medianSeconds, own.baselineSeconds],
  }[own.clock ?? 'wall'];
  if (seconds === undefined || baseline === undefined)
    return [`${what}: times of the clock ${own.clock} are missing`];
  return sameNumber(`${what}: overhead, and its times`, own.overheadPercent, 100 * (seconds / baseline - 1));
}
