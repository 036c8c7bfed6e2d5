import { createHash } from 'node:crypto';
import path from 'node:path';
import { at } from '../../core/at';
import type { Hypothesis } from '../../core/diagnosis/hypotheses/hypothesis';
import { placesOf } from '../../core/diagnosis/findings/searchedPlaces';
import type { SearchNode, SearchRecord } from '../../core/diagnosis/search/searchRecord';
import { KymoError } from '../../core/errors';
import { present } from '../../core/present';
import type { RegionPlace } from '../../core/profile/place';
import {
  experimentBox,
  type DiagnosisHeader,
  type DiagnosisLayout,
} from '../../core/views/diagnosis/diagnosisPieces';
import { writeSearch } from '../../formats/kymo-search/searchFile';
import { writeFileAtomically } from '../../measurement/files/disk';
import { profilesOf } from '../studies/profileFiles';
import { diagnose, type Diagnosis } from '../diagnose';
import { hypothesesFor } from '../diagnosing/hypothesesFor';
import type { DiagnosisWish } from '../diagnosing/live/diagnosisWish';
import { followSearch, searchOf } from '../diagnosing/live/searchedRun';
import { isSavedSearch, readSavedSearch } from '../diagnosing/savedSearch';
import { layeredLayout } from '../layout/layeredLayout';
import { cachedProfile } from '../opened/profileCache';
import { RecentResults } from '../opened/recentResults';
import type { Cancellable, Told } from '../running/turn';
import { targetOfResults } from '../targets/targetOfResults';
import { isSearchOfRun, searchBegun, searchWanted } from './searchUnderWay';

/** What is searched, and with which thresholds. */
export interface DiagnosisQuestion {
  /** Absolute: a profile, the folder of an experiment, a round or a study, a saved search, or the search in a run that is under way. */
  readonly path: string;
  /** In place of those of the hypotheses, by id. */
  readonly thresholds: Readonly<Record<string, number>>;
  /** Another number reads the measurement again. */
  readonly revision: number;
}

/** Id of the search; if it has changed, the request fails (`diagnosis-changed`). */
export interface DiagnosisName {
  readonly question: DiagnosisQuestion;
  readonly id: string;
}

export interface OpenedDiagnosis {
  readonly header: DiagnosisHeader;
  /** What was searched. */
  readonly title: string;
  /** Changes with what was found in the program; absent for a saved search: its program is not known here. */
  readonly found?: string;
}

interface Made {
  readonly id: string;
  readonly record: SearchRecord;
  readonly places: Diagnosis['places'];
  /** As they are defined; absent for a saved search: its measurement is not known. */
  readonly hypotheses?: readonly Hypothesis[];
  /** Of a search in a run that is under way. */
  readonly wish?: DiagnosisWish;
}

/**
 * Searches in a measurement, reads a saved search, or waits for the begin of one in a run.
 * @throws KymoError `nothing-to-diagnose`, `not-watchable`, and the errors of profiles, searches and files of hypotheses
 */
export async function openDiagnosis(
  question: DiagnosisQuestion,
  context: Partial<Told>,
): Promise<OpenedDiagnosis> {
  if (isSearchOfRun(question.path)) await searchBegun(question.path, context);
  return openedOf(question.path, await made(question, context));
}

/** The states of a search in a run until the run ends, the last one included. @throws KymoError `search-invalid` */
export async function* followDiagnosis(
  { path: file }: DiagnosisQuestion,
  context: { readonly signal: AbortSignal },
): AsyncGenerator<OpenedDiagnosis> {
  const next = async (record: SearchRecord): Promise<OpenedDiagnosis> => {
    const state = await savedSearch(file, record);
    states = [...states.slice(1 - mostStates), state];
    return openedOf(file, state);
  };
  const folder = path.dirname(file);
  for await (const record of followSearch(folder, context))
    if (record !== undefined) yield await next(record);
  const last = await searchOf(folder);
  if (last !== undefined) yield await next(last);
}

function openedOf(file: string, { id, record, hypotheses, wish }: Made): OpenedDiagnosis {
  const { strategy, run, clock, deepStart, costLimit, end, state, nodes, notices } = record;
  if (nodes.length === 0)
    throw new KymoError(
      'nothing-to-diagnose',
      'The search has no experiments: nothing that was measured answers a hypothesis.',
    );
  const usual = hypotheses?.map(({ id: of, threshold }) => [of, threshold] as const);
  const trueOnes = nodes.flatMap(({ id: of, truth }) => (truth === 'true' ? of : []));
  const isPlaced = !isSavedSearch(file) || isSearchOfRun(file);
  return {
    header: {
      ...{ strategy, run, clock, deepStart, costLimit, end, state, notices },
      hypotheses: record.hypotheses.map((one) => ({
        ...one,
        threshold: wish?.thresholds[one.id] ?? one.threshold,
      })),
      id,
      count: nodes.length,
      notes: [],
      ...present({ wanted: wish?.state }),
      ...(usual !== undefined && { usualThresholds: Object.fromEntries(usual) }),
    },
    title: isSearchOfRun(file) ? (targetOfResults(file)?.target ?? record.run) : titleOf(file),
    ...(isPlaced && { found: identityOf([wish === undefined, trueOnes]) }),
  };
}

/** Most profiles have the same name. */
function titleOf(file: string): string {
  return path.basename(path.basename(file) === 'profile.cubex' ? path.dirname(file) : file);
}

/** Experiments [first, first + count); without those that are the same in the search `since`, if that is still known. */
export async function diagnosisNodes(
  {
    first,
    count,
    since,
    ...name
  }: DiagnosisName & { readonly first: number; readonly count: number; readonly since?: string },
  context: Cancellable,
): Promise<readonly SearchNode[]> {
  const nodes = (await named(name, context)).record.nodes.slice(first, first + count);
  const before = states.find(({ id }) => id === since)?.record.nodes;
  return before === undefined
    ? nodes
    : nodes.filter((node) => JSON.stringify(node) !== JSON.stringify(before[node.id]));
}

/** The function of an experiment, with its place if the measurement knows it. @throws KymoError `no-function` */
export async function diagnosisPlace(
  { node, ...name }: DiagnosisName & { readonly node: number },
  context: Cancellable,
): Promise<{ readonly name: string; readonly place?: RegionPlace }> {
  const { record, places } = await named(name, context);
  const { Code = [] } = record.nodes[node]?.focus ?? {};
  const [, own] = Code;
  if (own === undefined) throw new KymoError('no-function', 'The experiment does not name a function.');
  return { name: own, ...present({ place: places.functionOf(Code)?.place }) };
}

/** Places of the boxes of experiments. */
export function diagnosisLayout({
  count,
  edges,
}: {
  readonly count: number;
  /** Pairs of positions of boxes. */
  readonly edges: Uint32Array;
}): Promise<DiagnosisLayout> {
  const { centres, ways, width, height } = layeredLayout({
    count,
    edges: Array.from({ length: edges.length >> 1 }, (_, edge) => [
      at(edges, 2 * edge),
      at(edges, 2 * edge + 1),
    ]),
    box: experimentBox,
    gap: { inLayer: 10, layers: 32 },
    direction: 'right',
  });
  const flat = (points: readonly { readonly x: number; readonly y: number }[]): Float64Array =>
    Float64Array.from(points.flatMap(({ x, y }) => [x, y]));
  return Promise.resolve({ width, height, centres: flat(centres), ways: ways.map(flat) });
}

/** Writes the search so that it can be opened again. @throws KymoError `write-failed` */
export async function saveDiagnosis(
  { file, ...name }: DiagnosisName & { readonly file: string },
  context: Cancellable,
): Promise<void> {
  await writeFileAtomically(file, writeSearch((await named(name, context)).record));
}

const recent = new RecentResults<Made>(1);
/** More states of a search that goes on are not kept: whoever asks for older ones is too slow to show them. */
const mostStates = 4;
let states: readonly Made[] = [];

async function named({ question, id }: DiagnosisName, context: Cancellable): Promise<Made> {
  const search = states.find((state) => state.id === id) ?? (await made(question, context));
  if (search.id === id) return search;
  throw new KymoError('diagnosis-changed', 'The search was repeated, and is another one now.');
}

function made(question: DiagnosisQuestion, context: Cancellable): Promise<Made> {
  return recent.get(JSON.stringify(question), (shared) => search(question, shared), context);
}

async function search({ path: given, thresholds }: DiagnosisQuestion, context: Cancellable): Promise<Made> {
  if (isSavedSearch(given)) return savedSearch(given, await readSavedSearch(given));
  const hypotheses = await hypothesesFor(given);
  const { record, places } = await diagnosed(given, { hypotheses, thresholds }, context);
  return { id: identityOf(record), record, places, hypotheses };
}

async function savedSearch(file: string, record: SearchRecord): Promise<Made> {
  const wanted = await searchWanted(file);
  return { id: identityOf([record, wanted]), record, places: placesOf(record), ...wanted };
}

/** The search in a profile, or in all runs of an experiment, a round or a study. */
export async function diagnosed(
  given: string,
  how: { readonly hypotheses: readonly Hypothesis[]; readonly thresholds?: Readonly<Record<string, number>> },
  context: Cancellable,
): Promise<Diagnosis> {
  const inputs = [];
  for (const file of await profilesOf(given))
    inputs.push((await cachedProfile(file, undefined, context)).input);
  return diagnose({ inputs, ...how });
}

function identityOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}
