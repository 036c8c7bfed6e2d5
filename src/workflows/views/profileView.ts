import { present } from '../../core/present';
import { decisionText, type FunctionRow } from '../../core/functions/functionRow';
import { measuredRuns, typicalExperiment } from '../studies/typicalExperiment';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import type { Region } from '../../core/profile/profile';
import type { LocationValues } from '../../core/views/ranks/locationValues';
import {
  profilePiece,
  type ChosenProcesses,
  type ProfileHeader,
  type ProfileRows,
  type RegionFacts,
} from '../../core/views/profilePieces';
import { capitalised, processNamer } from '../../core/groups/words';
import { positionsIn, type ProcessRanges } from '../../core/views/ranks/processRanges';
import { recordingCost, usualSite } from '../../core/cost/regionCost';
import type { SiteKind } from '../../core/cost/pairCost';
import { experimentTitle, startedText } from '../opened/titles';
import { rankFacts } from './rankView';
import { turn, type Cancellable } from '../running/turn';
import type { PanelProfile } from '../opened/panelProfile';
import { cachedProfile, type CachedProfile } from '../opened/profileCache';
import {
  roundDirectory,
  listExperiments,
  listStudyFolders,
  type ExperimentEntry,
} from '../../measurement/experiments/studies';

/** A profile whose parts can be requested. */
export interface OpenedProfile {
  readonly header: ProfileHeader;
  readonly studyDirectory?: string;
}

export interface ProfileRegion extends RegionFacts {
  readonly endLine?: number;
  /** Key of the function in the study; absent if the study does not know it. */
  readonly key?: string;
}

/** One profile, named by file and id. */
export interface ProfileName {
  /** Absolute path. */
  readonly file: string;
  readonly id: string;
  /** The processes whose values are asked for; default: all. */
  readonly processes?: ProcessRanges;
}

export interface ProfileRange extends ProfileName {
  readonly first: number;
  readonly count: number;
}

/** A measured experiment for comparison. */
export interface ComparableProfile {
  readonly file: string;
  readonly label: string;
  readonly detail: string;
}

/** @throws KymoError for files that are missing, incomplete, or no profile; `no-such-process` */
export async function openProfile(
  { file, processes }: Omit<ProfileName, 'id'>,
  context: Cancellable = {},
): Promise<OpenedProfile> {
  const opened = await cachedProfile(file, undefined, context);
  await turn(context);
  const { experiment, costs, studyDirectory } = opened;
  const panel = opened.panelOf(processes);
  const { profile, columns, base, efficiency } = panel;
  const isWhole = panel === opened.panel();
  const header: ProfileHeader = {
    id: opened.id,
    title: experiment === undefined ? path.basename(file) : experimentTitle(experiment),
    ...(experiment === undefined ? {} : { target: experiment.target }),
    callPaths: profile.callPaths.count,
    regions: profile.regions.length,
    metrics: columns.map(({ name, displayName, unit }) => ({ name, displayName, unit })),
    locations: profile.locations.map(({ name, rank, thread }) => ({ name, rank, thread })),
    pairSeconds: costs?.[usualSite].pairSeconds ?? 0,
    pairAssumed: opened.costsAssumed,
    runSeconds: experiment?.wallSeconds ?? 0,
    ...present({ base, efficiency }),
    ...rankFacts(opened, panel, isWhole),
    ...(isWhole || processes === undefined ? {} : { chosen: chosenOf(opened, processes) }),
  };
  return { header, ...(studyDirectory === undefined ? {} : { studyDirectory }) };
}

function chosenOf(opened: CachedProfile, processes: ProcessRanges): ChosenProcesses {
  const { locations } = opened.panel().profile;
  const { text } = processNamer(locations)(positionsIn(processes));
  return { processes, text: capitalised(text), of: locations.length };
}

/** @throws KymoError `profile-changed` when the file is another one by now */
export async function profileRows(
  { file, id, processes, first, count }: ProfileRange,
  context: Cancellable = {},
): Promise<ProfileRows> {
  const { profile, columns, lines } = (await cachedProfile(file, id, context)).panelOf(processes);
  const { parent, region } = profile.callPaths;
  const inclusive = columns.map((column) => column.inclusive);
  const exclusive = columns.map((column) => column.exclusive);
  return profilePiece({ parent, region, inclusive, exclusive, ...present({ line: lines() }) }, first, count);
}

/** Maximum number of characters in an answer, except for its first region: names of hostile programs are long. */
const mostCharacters = 500_000;

/** Fewer than asked for when their names are long; at least one. */
export async function profileRegions(
  range: ProfileRange,
  context: Cancellable = {},
): Promise<readonly ProfileRegion[]> {
  const opened = await cachedProfile(range.file, range.id, context);
  const answer: ProfileRegion[] = [];
  let characters = 0;
  const panel = opened.panelOf(range.processes);
  const end = Math.min(range.first + range.count, panel.profile.regions.length);
  for (let position = range.first; position < end; position++) {
    const region = regionAt(opened, panel, position);
    characters += region.name.length + (region.mangledName?.length ?? 0) + (region.reason?.length ?? 0);
    if (characters > mostCharacters && answer.length > 0) break;
    answer.push(region);
  }
  return answer;
}

function regionAt(opened: CachedProfile, panel: PanelProfile, position: number): ProfileRegion {
  const region = panel.profile.regions[position];
  if (region === undefined) return { name: '?' };
  const { name, mangledName } = region;
  const row = opened.reportOf(region);
  return {
    name,
    ...(mangledName === undefined || mangledName === name ? {} : { mangledName }),
    ...placeOf(region),
    ...present({ efficiency: panel.efficiencyOf(position), group: panel.groups()[position] }),
    ...costOf(opened, region, row?.site),
    ...(row === undefined ? {} : { key: row.key, selected: row.selected, reason: reasonOf(row) }),
  };
}

function reasonOf({ selected, decision }: FunctionRow): string {
  const state = selected ? 'instrumented' : 'not instrumented';
  return decision === undefined ? state : `${state}: ${decisionText(decision)}`;
}

function placeOf({ file, firstLine, lastLine }: Region): Partial<ProfileRegion> {
  const line = firstLine !== undefined && firstLine > 0 ? firstLine : undefined;
  return {
    ...present({ file, line }),
    ...(lastLine === undefined || line === undefined || lastLine < line ? {} : { endLine: lastLine }),
  };
}

function costOf(
  { costs }: CachedProfile,
  region: Region,
  site: SiteKind | undefined,
): Partial<ProfileRegion> {
  if (costs === undefined) return {};
  const visitSeconds = recordingCost(region, costs, site);
  return visitSeconds === costs[usualSite].pairSeconds ? {} : { visitSeconds };
}

/** The values of one call path at each location. */
export async function profileLocations(
  question: ProfileName & { readonly callPath: number; readonly metric: number },
  context: Cancellable = {},
): Promise<LocationValues> {
  const opened = await cachedProfile(question.file, question.id, context);
  const { columns } = opened.panelOf(question.processes);
  const values = columns[question.metric]?.at(question.callPath);
  if (values === undefined)
    throw new KymoError('no-such-call-path', 'The profile has no such call path or metric. Open it again.', {
      file: question.file,
    });
  return values;
}

const profileFileName = 'profile.cubex';

/**
 * The typical profile of a study: of its last measured round, or of `round`.
 * @throws KymoError `no-profile`
 */
export async function studyProfile(
  studyDirectory: string,
  iteration?: number,
  context: Cancellable = {},
): Promise<{ readonly file: string }> {
  const entries = await listExperiments(studyDirectory);
  await turn(context);
  const typical = await typicalExperiment(measuredRuns(entries, iteration));
  if (typical === undefined) throw noProfile(studyDirectory, iteration, entries);
  return { file: path.join(typical.directory, profileFileName) };
}

/** The error names a damaged experiment if there is one, because that is the reason. */
function noProfile(
  studyDirectory: string,
  iteration: number | undefined,
  entries: readonly ExperimentEntry[],
): KymoError {
  const what = iteration === undefined ? studyDirectory : `Round ${iteration} of ${studyDirectory}`;
  for (const entry of entries) {
    const isMeant =
      iteration === undefined || path.dirname(entry.directory) === roundDirectory(studyDirectory, iteration);
    if (entry.kind === 'unusable' && isMeant)
      return new KymoError('no-profile', `No profile can be read. ${entry.message}`, {
        file: entry.directory,
      });
  }
  return new KymoError(
    'no-profile',
    `${what} has no profile: no run of it was measured to its end. Refine the instrumentation again.`,
    { file: studyDirectory },
  );
}

/** Maximum number of experiments to choose from. */
const mostComparable = 200;

/** Other measured experiments of the same target, the newest first; none for a file that is no experiment. */
export async function comparableProfiles(
  file: string,
  context: Cancellable = {},
): Promise<readonly ComparableProfile[]> {
  const { studyDirectory, experiment } = await cachedProfile(file, undefined, context);
  if (studyDirectory === undefined || experiment === undefined) return [];
  const workspace = path.resolve(studyDirectory, '../../..');
  const studies = (await listStudyFolders(workspace)).filter(
    ({ directory }) => path.dirname(directory) === path.dirname(studyDirectory),
  );
  const profiles: ComparableProfile[] = [];
  for (const { directory } of studies) {
    context.signal?.throwIfAborted();
    for (const entry of [...(await listExperiments(directory))].reverse()) {
      const other = path.join(entry.directory, profileFileName);
      if (entry.kind !== 'complete' || entry.experiment.variant !== 'measured' || other === file) continue;
      profiles.push({
        file: other,
        label: experimentTitle(entry.experiment),
        detail: startedText(entry.experiment),
      });
    }
    if (profiles.length >= mostComparable) break;
  }
  return profiles.slice(0, mostComparable);
}
