import type { Launcher, Target } from '../../measurement/config/config';
import { loadConfig } from '../../measurement/config/loadConfig';
import { buildProgram } from '../../workflows/build';
import { doctor } from '../../workflows/doctor';
import { proposeConfig, writeConfig } from '../../workflows/init';
import { measure } from '../../workflows/measure';
import { refine } from '../../workflows/refine';
import { scorepOptions, scorepTargets, type ScorepTargetsRequest } from '../../workflows/scorepOptions';
import type { RefineRound, RefineResult } from '../../workflows/studies/refine.types';
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

/** What the user decides in place of a guess. */
export interface ProposalRequest extends InWorkspace {
  readonly executable?: string;
  readonly launcher?: Launcher['kind'];
}

export interface ConfiguredTargets {
  /** Absolute path of `kymo.json`. */
  readonly file: string;
  readonly targets: readonly ConfiguredTarget[];
}

export interface ProposedConfiguration extends ConfiguredTargets {
  readonly text: string;
  /** What was detected and guessed, and why. */
  readonly notes: readonly string[];
}

/** What a refinement reports. */
export type RefinePart =
  /** The study that is written from now on. */
  | { readonly kind: 'study'; readonly directory: string }
  | { readonly kind: 'round'; readonly iteration: RefineRound }
  | { readonly kind: 'result'; readonly result: RefineResult };

const runsCommands = true;

/** `kymo.json`, what runs by it, and what the machine has. */
export const workspaceRequests = {
  /** The targets of `kymo.json` with the commands that would run, to be shown before their first run. */
  targets: query(async ({ workspace }: InWorkspace, { progress }): Promise<ConfiguredTargets> => {
    const { config, warnings } = await loadConfig(workspace);
    for (const { message } of warnings) progress.log(message);
    return { file: config.file, targets: config.targets.map(describeTarget) };
  }),
  /** A first `kymo.json`, to be shown before it is written. Asks the build system, which runs code of the workspace. */
  proposal: job(
    async (options: ProposalRequest, context: Context): Promise<ProposedConfiguration> => {
      const { file, text, config, notes } = await proposeConfig({ ...options, ...context });
      return { file, text, notes, targets: config.targets.map(describeTarget) };
    },
    { runsCommands },
  ),
  /** Writes a proposed `kymo.json`; gives its path. */
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
  /** Builds with patch points and runs nothing. */
  build: job((options: OfTarget, context) => buildProgram({ ...options, ...context }), { runsCommands }),
  /** One experiment; `filter` is absolute. */
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
  /** What can be asked of Score-P, and what the targets of `kymo.json` ask of it. */
  scorepOptions: query((request: ScorepTargetsRequest, { signal }) => scorepOptions(request, signal)),
  scorepTargets: query((request: ScorepTargetsRequest) => scorepTargets(request)),
  /** What this machine has and lacks. */
  doctor: job(({ workspace }: InWorkspace, { signal }) => doctor(workspace, signal)),
};

function describeTarget(target: Target): ConfiguredTarget {
  return { name: target.name, commands: targetCommands(target) };
}
