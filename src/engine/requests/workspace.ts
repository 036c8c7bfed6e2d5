import type { ProposedLauncher, Target } from '../../measurement/config/config';
import { loadConfig } from '../../measurement/config/loadConfig';
import { buildProgram } from '../../workflows/build';
import { forecastStudy, type ForecastRequest } from '../../workflows/study/forecastStudy';
import { doctor } from '../../workflows/doctor';
import { proposeConfig, writeConfig } from '../../workflows/init';
import { measure } from '../../workflows/measure';
import { refine } from '../../workflows/refine';
import { scorepOptions, scorepTargets, type ScorepTargetsRequest } from '../../workflows/scorepOptions';
import { study, type StudyResult } from '../../workflows/study';
import type { RefineRound, RefineResult } from '../../workflows/studies/refine.types';
import { changesSomething } from '../../workflows/study/planStudy';
import type { PlannedRequest } from '../../workflows/study/planRequested';
import { partsOf } from './parts';
import { job, query, stream, type Context } from './request';
import { targetCommands, type ConfiguredTarget } from './targetCommands';

interface InWorkspace {
  /** Absolute path of the folder with `kymo.json`. */
  readonly workspace: string;
}

interface OfTarget extends InWorkspace {
  readonly target: string;
}

/** Decisions of the user that replace guesses. */
export interface ProposalRequest extends InWorkspace {
  readonly executable?: string;
  readonly launcher?: ProposedLauncher;
}

export interface ConfiguredTargets {
  /** Absolute path of `kymo.json`. */
  readonly file: string;
  readonly targets: readonly ConfiguredTarget[];
}

export interface ProposedConfiguration extends ConfiguredTargets {
  readonly text: string;
  /** Detected and guessed settings, with reasons. */
  readonly notes: readonly string[];
}

/** Reports of a refinement while it runs. */
export type RefinePart =
  /** The study that the refinement writes from now on. */
  | { readonly kind: 'study'; readonly directory: string }
  | { readonly kind: 'round'; readonly iteration: RefineRound }
  | { readonly kind: 'result'; readonly result: RefineResult };

/** Reports of a study over parameters while it runs. */
export type StudyPart =
  | { readonly kind: 'study'; readonly directory: string }
  | { readonly kind: 'result'; readonly result: StudyResult };

const runsCommands = true;

/** `kymo.json`, the jobs that use it, and the tools of this machine. */
export const workspaceRequests = {
  /** The targets of `kymo.json` with their commands, which the user confirms before the first run. */
  targets: query(async ({ workspace }: InWorkspace, { progress }): Promise<ConfiguredTargets> => {
    const { config, warnings } = await loadConfig(workspace);
    for (const { message } of warnings) progress.log(message);
    return { file: config.file, targets: config.targets.map(describeTarget) };
  }),
  /** Proposes a first `kymo.json`, which the user sees before it is written. Queries the build system, which runs code of the workspace. */
  proposal: job(
    async (options: ProposalRequest, context: Context): Promise<ProposedConfiguration> => {
      const { file, text, config, notes } = await proposeConfig({ ...options, ...context });
      return { file, text, notes, targets: config.targets.map(describeTarget) };
    },
    { runsCommands },
  ),
  /** Writes a proposed `kymo.json` and returns its path. */
  writeConfiguration: query(
    (options: InWorkspace & { readonly text: string; readonly force?: boolean }) => writeConfig(options),
    { runsCommands, writes: true },
  ),
  refine: stream(
    (options: OfTarget & { readonly moreRounds?: number }, context) =>
      partsOf<RefinePart>(async (report) => {
        const result = await refine({
          ...options,
          ...context,
          onStudy: (directory) => report({ kind: 'study', directory }),
          onRound: (iteration) => report({ kind: 'round', iteration }),
        });
        report({ kind: 'result', result });
      }),
    { home: 'own', runsCommands },
  ),
  /** What a study over parameters would measure. */
  forecastStudy: query((options: ForecastRequest) => forecastStudy(options)),
  /** Measures a target at several points of its parameters; what is measured is on disk after each run. */
  study: stream(
    (options: OfTarget & PlannedRequest, context) =>
      partsOf<StudyPart>(async (report) => {
        const result = await study({
          ...options,
          ...context,
          onStudy: (directory) => report({ kind: 'study', directory }),
        });
        report({ kind: 'result', result });
      }),
    { home: 'own', runsCommands },
  ),
  /** Builds with patch points, without a run. */
  build: job((options: OfTarget, context) => buildProgram({ ...options, ...context }), { runsCommands }),
  /** Measures one experiment; `filter` is an absolute path. */
  measure: job(
    (
      options: OfTarget & {
        readonly filter?: string;
        readonly repetitions?: number;
        readonly parameters?: Readonly<Record<string, string>>;
      },
      context,
    ) => measure({ ...options, ...context }),
    { runsCommands },
  ),
  /** Score-P's options, and their values for the targets of `kymo.json`. */
  scorepOptions: query((request: ScorepTargetsRequest, { signal }) => scorepOptions(request, signal)),
  scorepTargets: query((request: ScorepTargetsRequest) => scorepTargets(request)),
  /** Checks which required tools this machine has. */
  doctor: job(({ workspace }: InWorkspace, { signal }) => doctor(workspace, signal)),
};

function hasStudy(target: Target): boolean {
  try {
    return changesSomething(target, {});
  } catch {
    // The study itself says what is wrong with its settings.
    return true;
  }
}

function describeTarget(target: Target): ConfiguredTarget {
  return { name: target.name, hasStudy: hasStudy(target), commands: targetCommands(target) };
}
