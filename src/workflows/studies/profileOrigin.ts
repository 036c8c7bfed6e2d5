import path from 'node:path';
import { runName } from '../../core/functions/base';
import { present } from '../../core/present';
import type { Profile } from '../../core/profile/profile';
import { isScorepProfile, type PropertyInput } from '../../core/problems/context/makeContext';
import { scaledCosts, scorepPairCosts, type PairCosts } from '../../core/cost/pairCost';
import { regionKeys } from '../../core/callgraph/regionKeys';
import type { Experiment } from '../../core/profile/experiment';
import { readExperiment } from '../../measurement/experiments/experimentFile';
import { readStudy } from './study';
import type { FunctionRow } from '../../core/functions/functionRow';
import { functionRows } from './functionsFile';
import { readLive } from './liveFile';
import { readLiveFunctions } from './liveFunctions';

/** The origin of a profile, by the files around it. */
export interface ProfileOrigin {
  /** `i3.r1` of an experiment of a study; else the file's name. */
  readonly run: string;
  readonly experiment?: Experiment;
  /** Its study, and the decision on each function. */
  readonly studyDirectory?: string;
  readonly functions: readonly FunctionRow[];
  /** Functions with the kinds of their sites; absent: those of the study. */
  readonly sited?: readonly Pick<FunctionRow, 'key' | 'name' | 'mangledName' | 'file' | 'line' | 'site'>[];
  /** Cost of recording in this run, or Score-P's rule of thumb (`costsAssumed`). */
  readonly costs?: PairCosts;
  readonly costsAssumed: boolean;
}

/** A profile of an experiment lies in `<study>/i<N>/<experiment>/`; other files have no origin. */
export async function profileOrigin(file: string, profile: Profile): Promise<ProfileOrigin> {
  const folder = path.dirname(file);
  const experiment = await readExperiment(folder).catch(() => undefined);
  if (experiment === undefined) {
    const live = await liveOrigin(folder);
    if (live !== undefined) return live;
    const costsAssumed = isScorepProfile(profile);
    const costs = costsAssumed ? { costs: scorepPairCosts } : {};
    return { run: path.basename(file), functions: [], ...costs, costsAssumed };
  }
  const studyDirectory = path.dirname(path.dirname(folder));
  const functions = await functionRows(studyDirectory).catch(() => []);
  const study = await readStudy(studyDirectory);
  const { iteration, repetition, calibration } = experiment;
  const factor = study?.iterations.find(({ index }) => index === iteration)?.costFactor ?? 1;
  return {
    run: runName(iteration, repetition),
    experiment,
    studyDirectory,
    functions,
    ...(calibration === undefined ? {} : { costs: scaledCosts(calibration, factor) }),
    costsAssumed: false,
  };
}

/** Of a run that is under way. */
async function liveOrigin(folder: string): Promise<ProfileOrigin | undefined> {
  const live = await readLive(folder);
  if (live === undefined) return undefined;
  return {
    run: `${runName(0, 1)} so far`,
    functions: [],
    ...present({ sited: await readLiveFunctions(folder), costs: live.calibration }),
    costsAssumed: false,
  };
}

/** The profile as input of the analyses, so that they agree with the refinement. An assumed cost may cause warnings but is not subtracted. */
export function asMeasured(
  profile: Profile,
  { run, functions, sited = functions, costs, costsAssumed }: ProfileOrigin,
): PropertyInput {
  const sites = new Map(sited.flatMap(({ key, site }) => (site === undefined ? [] : [[key, site] as const])));
  return {
    profile,
    run,
    ...(functions.length === 0 ? {} : { rows: functions }),
    ...(costs === undefined || costsAssumed ? {} : { calibration: costs }),
    ...(sited.length === 0 ? {} : { keys: regionKeys(profile, { functions: sited }), sites }),
  };
}
