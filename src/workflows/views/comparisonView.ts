import path from 'node:path';
import { changeRows, type ChangeTable } from '../../core/views/changeRows';
import { positionsIn, sameProcesses, type ProcessRanges } from '../../core/views/ranks/processRanges';
import { profileOfLocations } from '../../core/profile/ofLocations';
import type { Location, Profile } from '../../core/profile/profile';
import { present } from '../../core/present';
import { listExperiments, listStudyFolders } from '../../measurement/experiments/studies';
import { readExperiment } from '../../measurement/experiments/experimentFile';
import { comparePair, pairProperties, sideOf, type ComparedInputs, type CompareInput } from '../compare';
import { comparisonNotes } from '../comparing/notes';
import { compareInput, profilesOfRound, readRun, type MeasuredRun } from '../comparing/readRuns';
import { profileIdentity, RecentResults } from '../opened/recentResults';
import { startTime } from '../opened/titles';
import { turn, type Cancellable } from '../running/turn';
import { Places, type SourcesHere } from '../studies/places';
import { asMeasured } from '../studies/profileOrigin';
import { typicalExperiment, type CompleteExperiment } from '../studies/typicalExperiment';
import type { FoundProperty } from './dynamicsInSource';

/** A profile, and the one that it is compared with; all repetitions of both are read. */
export interface ComparedFiles {
  readonly file: string;
  readonly baseline: string;
}

/** A comparison and another one: that of a panel, and of the source. */
const mostComparisons = 2;
const recent = new RecentResults<ComparedInputs>(mostComparisons);

/** What changed, as a table. @param processes of the profile that are shown; default: all @throws the errors of reading profiles */
export async function profileChanges(
  { processes, ...files }: ComparedFiles & { readonly processes?: ProcessRanges },
  context: Cancellable = {},
): Promise<ChangeTable> {
  const pair = await compared(files, processes, context);
  const { sides, compared: both, comparison } = pair;
  return {
    notes: comparisonNotes(sides, both, comparison),
    runs: both.runs,
    rows: changeRows(both, comparison),
  };
}

/** The findings of a comparison, with the places that were measured, or where these sources are here. */
export interface ComparisonInSource {
  readonly title: string;
  readonly target: string;
  readonly studyDirectory?: string;
  readonly properties: readonly FoundProperty[];
  readonly missingSources: readonly string[];
}

export async function comparisonInSource(
  { sources, ...files }: ComparedFiles & { readonly sources: SourcesHere },
  context: Cancellable = {},
): Promise<ComparisonInSource> {
  const pair = await compared(files, undefined, context);
  const experiment = await readExperiment(path.dirname(files.file)).catch(() => undefined);
  const places = new Places(sources);
  const properties: FoundProperty[] = [];
  for (const { region, ...property } of pairProperties(pair))
    properties.push({
      ...property,
      ...(region === undefined
        ? {}
        : { region: await (experiment === undefined ? places.placed(region) : places.inFile(region)) }),
    });
  return {
    title: `${pair.compared.names[1]} compared with ${pair.compared.names[0]}`,
    target: experiment?.target ?? path.basename(files.file),
    ...(experiment === undefined ? {} : { studyDirectory: path.resolve(files.file, '../../..') }),
    properties,
    missingSources: places.missing,
  };
}

async function compared(
  { file, baseline }: ComparedFiles,
  processes: ProcessRanges | undefined,
  context: Cancellable,
): Promise<ComparedInputs> {
  const files = [await profilesOfRound(baseline), await profilesOfRound(file)] as const;
  const ids = await Promise.all(files.flat().map(profileIdentity));
  const key = JSON.stringify([files, ids, processes]);
  return recent.get(key, (shared) => compareFiles(files, processes, shared), context);
}

async function compareFiles(
  [before, after]: readonly [readonly string[], readonly string[]],
  processes: ProcessRanges | undefined,
  context: Required<Cancellable>,
): Promise<ComparedInputs> {
  const [baseline, main] = [await readAll(before, context), await readAll(after, context)];
  const locations = main[0]?.profile.locations ?? [];
  const wanted =
    processes === undefined
      ? undefined
      : Array.from(positionsIn(processes)).flatMap((position) => locations[position] ?? []);
  const inputs = await Promise.all([inputOf(baseline, wanted), inputOf(main, wanted)]);
  await turn(context);
  const [a, b] = inputs.map((input) => sideOf(input));
  if (a === undefined || b === undefined) throw new Error('There are two inputs.');
  return comparePair(a, b);
}

async function readAll(files: readonly string[], context: Cancellable): Promise<readonly MeasuredRun[]> {
  const runs: MeasuredRun[] = [];
  for (const file of files) {
    await turn(context);
    runs.push(await readRun(file));
  }
  return runs;
}

async function inputOf(
  runs: readonly MeasuredRun[],
  wanted: readonly Location[] | undefined,
): Promise<CompareInput> {
  const inputs = runs.map(({ profile, origin }) => asMeasured(chosen(profile, wanted), origin));
  return compareInput(nameOf(runs[0]), runs, inputs);
}

/** All of the run where it has none of these processes. */
function chosen(profile: Profile, wanted: readonly Location[] | undefined): Profile {
  if (wanted === undefined) return profile;
  const same = sameProcesses(wanted, profile.locations);
  return same.length === 0 ? profile : profileOfLocations(profile, positionsIn(same));
}

function nameOf(run: MeasuredRun | undefined): string {
  const experiment = run?.origin.experiment;
  if (run === undefined || experiment === undefined) return path.basename(run?.file ?? '');
  return `${experiment.target} of ${startTime(experiment)}`;
}

/** A measured round to compare a profile with. */
export interface Baseline {
  /** Its typical profile. */
  readonly file: string;
  readonly study: string;
  readonly round: number;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly runs: number;
  readonly ranks: number;
  /** Of the sources, where git knows it; with `+` for changes that were not committed. */
  readonly commit?: string;
  /** Whether the profile is of other sources by their commit; absent: unknown. */
  readonly isOtherCommit?: boolean;
}

/** Maximum number of rounds to choose from. */
const mostBaselines = 200;

/** Other measured rounds of the program of a profile, the newest first; none for a file that is of no study. */
export async function baselines(
  { file }: { readonly file: string },
  context: Cancellable = {},
): Promise<readonly Baseline[]> {
  const own = await readExperiment(path.dirname(file)).catch(() => undefined);
  if (own === undefined) return [];
  const studyDirectory = path.resolve(file, '../../..');
  const workspace = path.resolve(studyDirectory, '../../..');
  const found: Baseline[] = [];
  for (const { directory } of await listStudyFolders(workspace)) {
    await turn(context);
    if (path.dirname(directory) !== path.dirname(studyDirectory)) continue;
    for (const runs of rounds(await listExperiments(directory))) {
      const typical = await typicalExperiment(runs);
      if (typical === undefined || path.dirname(typical.directory) === path.resolve(file, '../..')) continue;
      found.push(baselineOf(typical, runs.length, commitOf(own.git)));
    }
  }
  return found.sort((a, b) => b.startedAt.localeCompare(a.startedAt)).slice(0, mostBaselines);
}

function rounds(
  entries: Awaited<ReturnType<typeof listExperiments>>,
): readonly (readonly CompleteExperiment[])[] {
  const byRound = new Map<string, CompleteExperiment[]>();
  for (const entry of entries) {
    if (entry.kind !== 'complete' || entry.experiment.variant !== 'measured') continue;
    const round = path.dirname(entry.directory);
    byRound.set(round, [...(byRound.get(round) ?? []), entry]);
  }
  return [...byRound.values()];
}

function baselineOf(
  { directory, experiment }: CompleteExperiment,
  runs: number,
  ownCommit: string | undefined,
): Baseline {
  const { study, iteration: round, startedAt, ranks } = experiment;
  const commit = commitOf(experiment.git);
  return {
    file: path.join(directory, 'profile.cubex'),
    ...{ study, round, startedAt, runs, ranks },
    ...present({ commit }),
    ...(commit === undefined || ownCommit === undefined ? {} : { isOtherCommit: commit !== ownCommit }),
  };
}

function commitOf(git: { readonly commit: string; readonly dirty: boolean } | undefined): string | undefined {
  return git === undefined ? undefined : `${git.commit.slice(0, 10)}${git.dirty ? '+' : ''}`;
}
