import type { CallGraph } from '../../../core/callgraph/callGraph';
import type { Profile } from '../../../core/profile/profile';
import type { FunctionMeasures } from '../../../core/functions/functionMeasures';
import type { PropertyInput } from '../../../core/problems/context/makeContext';
import type { ProgressSink } from '../../../core/progress';
import type { OverheadRecord } from '../../../core/cost/costScale';
import type { Knowledge } from '../../../core/knowledge/knowledge';
import type { PairCosts, SiteKind } from '../../../core/cost/pairCost';
import type { CostBase, RunTime } from '../../../core/cost/runTime';
import type { Selection } from '../../../core/selection/selection';
import { defaultSelectionOptions, type SelectionOptions } from '../../../core/selection/selectionOptions';
import type { ModelKnowledge } from '../../../core/strategies/modelKnowledge';
import type { WrittenTrace } from '../../../measurement/results/trace/writeTrace';
import type { Strategy } from '../../../core/selection/strategy';
import type { RanksReport, RefineRound, RefineResult } from '../../studies/refine.types';

/** The program from the loop's view: it can be run with or without recording. */
export interface Bench {
  /** Runs once without recording. `repetition` counts from 1. */
  baseline(repetition: number): Promise<RunTime>;
  /** Runs once with the selection. */
  measured(iteration: number, repetition: number, selection: Selection): Promise<MeasuredRun>;
  /** Runs both simultaneously, in turns on one processor; undefined: they must run one after the other. */
  together?(
    iteration: number,
    repetition: number,
    selection: Selection,
    baselineRepetition: number,
  ): Promise<RunPair | undefined>;
}

export interface RunPair {
  readonly baseline: RunTime;
  readonly measured: MeasuredRun;
}

export interface MeasuredRun extends RunTime {
  readonly profile: Profile;
  readonly calibration: PairCosts;
  /** Keys of the selection that could not be recorded. */
  readonly unrecorded?: ReadonlySet<string>;
  readonly trace?: WrittenTrace;
}

export interface LoopInput {
  readonly graph: CallGraph;
  readonly sites: ReadonlyMap<string, SiteKind>;
  /** Cost of recording until a run has calibrated it; default: that of a measurement that times each visit. */
  readonly typicalCosts?: PairCosts;
  readonly options: Partial<SelectionOptions>;
  /** The current pins of the user; requested before each decision, so that the next round follows them. */
  readonly pinned?: () => Promise<Pick<SelectionOptions, 'pinnedIn' | 'pinnedOut'>>;
  readonly overheadPercent: number;
  /** Baseline runs have idle patch points, whose cost counts towards `overheadPercent`; default: they have none. */
  readonly idleSites?: boolean;
  readonly maximumIterations: number;
  readonly repetitions: number;
  /** Maximum wall time of all runs together. */
  readonly budgetSeconds: number;
  /** Complete rounds of an earlier call, whose selections are not decided again. */
  readonly earlier?: readonly EarlierRound[];
  /** Minimum number of rounds, which only an error can prevent; default: 1. */
  readonly leastRounds?: number;
  readonly signal: AbortSignal;
  readonly progress: ProgressSink;
  /** Called after each round, except for `earlier` ones. */
  readonly onRound: (iteration: RefineRound, state: LoopState) => Promise<void>;
}

export interface EarlierRound {
  readonly selection: Selection;
  readonly iteration: RefineRound;
}

/** The knowledge after a round. */
export interface LoopState {
  readonly graph: CallGraph;
  readonly selection: Selection;
  readonly knowledge: Knowledge;
  /** Calibrations of all measured runs so far. */
  readonly calibrations: readonly PairCosts[];
  readonly pairCosts: PairCosts;
  readonly iterations: readonly RefineRound[];
  /** Wall times of the baseline runs. */
  readonly baselineSeconds: readonly number[];
  /** Base of cost percentages. */
  readonly costBase: CostBase;
  /** The typical run of the last round (`typicalRun.ts`), with the actual cost of recording in it. */
  readonly run: PropertyInput & Required<Pick<PropertyInput, 'run' | 'calibration'>>;
  /** Measures of each function, and their run. */
  readonly measures: FunctionMeasures;
  /** For each function, its measures in the run that disturbed it least. */
  readonly sharpest: FunctionMeasures;
  /** Predicted and measured overheads of all rounds. */
  readonly history: readonly OverheadRecord[];
}

export interface LoopResult extends LoopState {
  /** Wall time of all runs. */
  readonly spentSeconds: number;
  readonly stopReason: RefineResult['stopReason'];
  /** The final selection: the last measured one, unless it exceeds the target. */
  readonly final: FinalSelection;
  /** Overheads of the final selection by number of ranks; absent where there is one number. */
  readonly ranks?: readonly RanksReport[];
  /** Strategy `model`. */
  readonly models?: ModelKnowledge;
}

export interface FinalSelection {
  readonly selection: Selection;
  /** Visits × cost of a visit, corrected by the actual overheads of earlier rounds; percent. */
  readonly predictedPercent: number;
  /** False: selected after the last run, and not measured. */
  readonly measured: boolean;
  /** The round that measured it, where that is not the last one; its results are those of the last one. */
  readonly round?: number;
  /** The selection exceeds the target, because even the functions that must be recorded cost more. */
  readonly aboveTarget: boolean;
}

export function strategyOf({ options }: Pick<LoopInput, 'options'>): Strategy {
  return options.strategy ?? defaultSelectionOptions.strategy;
}

/** The next selection and its predicted overhead. */
export interface Decided {
  readonly selection: Selection;
  readonly iteration: Pick<RefineRound, 'predictedPercent' | 'unpredicted'>;
}
