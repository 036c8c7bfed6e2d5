import type { ProgressSink } from '../../core/progress';
import type { ImbalanceOptions } from '../../core/selection/imbalanceOptions';
import type { ModelOptions } from '../../core/selection/modelOptions';
import type { OverheadReduction, Strategy } from '../../core/selection/strategy';
import type { Target } from '../../measurement/config/config';
import { launcherWords } from '../../measurement/config/oneProgram';
import { placeholders } from '../../measurement/config/substitute';
import type { StudyRequest } from '../study/planStudy';
import type { RefineRound } from '../studies/refine.types';

/** A run as it was typed, in place of the one in `kymo.json`. */
export type RunOverride = Pick<Target['run'], 'arguments'> & Partial<Pick<Target['run'], 'cwd' | 'launcher'>>;

export interface RefineOptions {
  /** Folder with `kymo.json`. */
  readonly workspace: string;
  /** Name of the target; default: the first. */
  readonly target?: string;
  readonly signal: AbortSignal;
  readonly progress?: ProgressSink;
  /** Receives the study's folder as soon as it is known. */
  readonly onStudy?: (directory: string) => void;
  /** Called after each round, except for those that an earlier call has measured. */
  readonly onRound?: (iteration: RefineRound) => void;
  /** Added to the environment of build and runs. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What replaces parts of `run` in `kymo.json`. */
  readonly run?: RunOverride;
  /** Values that replace the first ones of `parameters` in `kymo.json`. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Numbers of ranks that replace those of the launcher. The first one decides what is recorded, and all judge it. */
  readonly ranks?: readonly number[];
  /** Also build without sites and compare. */
  readonly vanilla?: boolean;
  /** Resume a stopped refinement; default: true. */
  readonly resume?: boolean;
  /** Run this number of additional rounds of the last study, even if it is complete. */
  readonly moreRounds?: number;
  readonly probes?: boolean;
  readonly strategy?: Strategy;
  readonly base?: OverheadReduction;
  /** Changes the parameters of the strategy `imbalance`. */
  readonly imbalance?: (configured: ImbalanceOptions) => ImbalanceOptions;
  /** Changes the parameters of the strategy `model`. */
  readonly model?: (configured: ModelOptions) => ModelOptions;
  /** Strategy `model`: replaces the points of `study` in `kymo.json`, with `ranks`, `repetitions` and `parameters`. */
  readonly points?: Pick<StudyRequest, 'values' | 'threads' | 'design' | 'points'>;
  readonly overheadPercent?: number;
  readonly maximumIterations?: number;
  readonly repetitions?: number;
  readonly budgetSeconds?: number;
  /** Refine inside one run, in rounds of this length, seconds. */
  readonly windowSeconds?: number;
}

/** The target with what the options replace. */
export function withOverrides(target: Target, options: RefineOptions): Target {
  const { refinement } = target;
  return {
    ...target,
    ...typedRun(target, options.run),
    repetitions: options.repetitions ?? target.repetitions,
    refinement: {
      ...refinement,
      strategy: options.strategy ?? refinement.strategy,
      base: options.base ?? refinement.base,
      imbalance: options.imbalance?.(refinement.imbalance) ?? refinement.imbalance,
      model: options.model?.(refinement.model) ?? refinement.model,
      overheadPercent: options.overheadPercent ?? refinement.overheadPercent,
      maximumIterations: options.maximumIterations ?? refinement.maximumIterations,
      budgetSeconds: options.budgetSeconds ?? refinement.budgetSeconds,
    },
  };
}

/** Results must not name values of parameters that have no effect on the typed arguments. */
function typedRun(target: Target, typed: RunOverride | undefined): Pick<Target, 'run' | 'parameters'> {
  const run = { ...target.run, ...typed };
  if (typed === undefined || run.files !== undefined) return { run, parameters: target.parameters };
  const used = new Set([run.input ?? '', ...launcherWords(run.launcher)].flatMap(placeholders));
  const parameters = Object.entries(target.parameters).filter(([name]) => used.has(name));
  return { run, parameters: Object.fromEntries(parameters) };
}
