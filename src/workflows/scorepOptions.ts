import path from 'node:path';
import { KymoError } from '../core/errors';
import { present } from '../core/present';
import type { Language } from '../core/scorepOptions/commandLines';
import type {
  OfferedScorep,
  ScorepCatalogue,
  ScorepTargetSettings,
  SourceFacts,
} from '../core/scorepOptions/option';
import { scorepCatalogue } from '../measurement/backends/scorep/installation/catalogue';
import { isOfMachine, usualInstrumenter } from '../measurement/backends/scorep/installation/findScorep';
import { readOffered } from '../measurement/backends/scorep/installation/offered';
import type { Target } from '../measurement/config/config';
import { configName, loadConfig } from '../measurement/config/loadConfig';
import { parseConfig } from '../measurement/config/parseConfig';
import { workspaceIsTrusted } from '../measurement/launch/trust';
import { survey } from './init/sources/survey';

export interface ScorepTargetsRequest {
  /** Absolute path of the folder with `kymo.json`; without one only the options are returned. */
  readonly workspace?: string;
  /** Unsaved text of `kymo.json`, which replaces the file. */
  readonly text?: string;
}

export interface ScorepTargets {
  readonly targets: readonly ScorepTarget[];
  /** Reason why there are no targets. */
  readonly problem?: string;
}

export interface ScorepOptions extends ScorepTargets {
  readonly catalogue: ScorepCatalogue;
  /** Installations by the name of the instrumenter; always has one for `scorep`. */
  readonly installations: Readonly<Record<string, ScorepInstallationState>>;
  readonly facts?: SourceFacts;
  readonly languages: readonly Language[];
}

export interface ScorepTarget {
  readonly name: string;
  readonly backend: string;
  readonly instrumenter: string;
  readonly settings: ScorepTargetSettings;
}

/** Facts about this machine's Score-P, or why there are none. */
export type ScorepInstallationState =
  | { readonly offered: OfferedScorep }
  | { readonly problem: string; readonly missing: boolean };

/** Maximum number of different instrumenters. */
const mostInstrumenters = 8;

/** Score-P's options, the targets' settings, the features of this machine's Score-P, and the paradigms of the sources. */
export async function scorepOptions(
  request: ScorepTargetsRequest,
  signal?: AbortSignal,
): Promise<ScorepOptions> {
  const { workspace } = request;
  const { targets, problem } = await scorepTargets(request);
  const instrumenters = [...new Set([usualInstrumenter, ...targets.map((target) => target.instrumenter)])];
  const [installations, seen] = await Promise.all([
    Promise.all(
      instrumenters
        .slice(0, mostInstrumenters)
        .map(async (name) => [name, await installation(name, request, signal)] as const),
    ),
    workspace === undefined ? undefined : survey(workspace, present({ signal })),
  ]);
  return {
    catalogue: scorepCatalogue,
    targets,
    ...(problem === undefined ? {} : { problem }),
    installations: Object.fromEntries(installations),
    ...(seen === undefined || seen.sources.length === 0
      ? {}
      : {
          facts: {
            files: seen.sources.length,
            userMacros: seen.usesScorepMacros,
            mpi: seen.usesMpi,
            openmp: seen.usesOpenMp,
            pthreads: seen.usesPthreads,
          },
        }),
    languages: seen === undefined || seen.languages.size === 0 ? ['c', 'c++'] : languagesOf(seen.languages),
  };
}

/** The targets' settings of Score-P. Fast enough for each change of `kymo.json`. */
export async function scorepTargets({ workspace, text }: ScorepTargetsRequest): Promise<ScorepTargets> {
  if (workspace === undefined)
    return { targets: [], problem: 'No folder is open, so there is no kymo.json to write to.' };
  try {
    const { config } =
      text === undefined
        ? await loadConfig(workspace)
        : parseConfig(text, path.join(path.resolve(workspace), configName));
    return { targets: config.targets.map(describe) };
  } catch (error) {
    if (error instanceof KymoError) return { targets: [], problem: error.message };
    throw error;
  }
}

function describe({ name, backend, scorep }: Target): ScorepTarget {
  const { instrumenter, flags, filtering, environment } = scorep;
  return { name, backend, instrumenter, settings: { flags, filtering, environment } };
}

async function installation(
  name: string,
  { workspace = '/' }: ScorepTargetsRequest,
  signal: AbortSignal | undefined,
): Promise<ScorepInstallationState> {
  if (!workspaceIsTrusted() && !isOfMachine(name))
    return {
      missing: true,
      problem: `${name} was not asked for its features, because this workspace is not trusted.`,
    };
  try {
    const offered = await readOffered({
      instrumenter: name.includes('/') ? path.resolve(workspace, name) : name,
      ...present({ signal }),
    });
    if (offered !== undefined) return { offered };
    const where = name.includes('/') ? path.dirname(path.resolve(workspace, name)) : 'PATH';
    return {
      missing: true,
      problem: `No Score-P was found (${name} is not in ${where}), so all options are offered. Load its module before VS Code (or its server) starts, or name the program in kymo.json.`,
    };
  } catch (error) {
    if (error instanceof KymoError && error.reason !== 'cancelled')
      return { missing: false, problem: error.message };
    throw error;
  }
}

function languagesOf(extensions: ReadonlySet<string>): readonly Language[] {
  const all = [
    ['C', 'c'],
    ['C++', 'c++'],
    ['Fortran', 'fortran'],
  ] as const;
  return all.flatMap(([name, language]) => (extensions.has(name) ? [language] : []));
}
