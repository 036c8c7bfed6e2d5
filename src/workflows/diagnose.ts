import { diagnoseRecorded } from '../core/diagnosis/recorded/diagnoseRecorded';
import { RecordedRuns } from '../core/diagnosis/recorded/recordedRuns';
import { RecordedValues } from '../core/diagnosis/recorded/recordedValues';
import { findings, type Finding } from '../core/diagnosis/findings/findings';
import { placesOf, type SearchedPlaces } from '../core/diagnosis/findings/searchedPlaces';
import type { Hypothesis } from '../core/diagnosis/hypotheses/hypothesis';
import { usualHypotheses } from '../core/diagnosis/hypotheses/usual';
import type { SearchRecord } from '../core/diagnosis/search/searchRecord';
import { KymoError } from '../core/errors';
import type { Base } from '../core/functions/base';
import { suggestion } from '../core/nearest';
import { makeContext, type PropertyInput } from '../core/problems/context/makeContext';
import type { PropertyContext } from '../core/problems/context/propertyContext';
import { workGroups } from '../core/profile/workGroups';

export interface DiagnosisRequest {
  /** Measurements of one program that are searched together, at least one. */
  readonly inputs: readonly PropertyInput[];
  /** Default: the usual ones. */
  readonly hypotheses?: readonly Hypothesis[];
  /** Thresholds in place of those of the hypotheses, by id. */
  readonly thresholds?: Readonly<Record<string, number>>;
}

/** Result of `kymo diagnose` (docs/INTERFACES.md). */
export interface Diagnosis {
  readonly record: SearchRecord;
  readonly findings: readonly Finding[];
  /** Of most shares: the time of all threads of all processes; undefined where a saved search does not have it. */
  readonly base: Base | undefined;
  /** 0 where a saved search does not have it, as of threads. */
  readonly processes: number;
  readonly threads: number;
  /** What makes the times of the run mean little, as far as it is known (`runDoubts`). */
  readonly doubts?: readonly string[];
  /** What the resources that the record names are in the program. */
  readonly places: SearchedPlaces;
}

/** Answers the search for why and where a program is slow from finished measurements. @throws KymoError `unknown-hypothesis`, `runs-differ` */
export function diagnose({
  inputs,
  hypotheses = usualHypotheses,
  thresholds = {},
}: DiagnosisRequest): Diagnosis {
  const ids = hypotheses.map(({ id }) => id);
  for (const id of Object.keys(thresholds)) checkHypothesis(id, ids);
  const contexts = inputs.map((input) => makeContext(input));
  checkAlike(contexts);
  const runs = new RecordedRuns(contexts.map((context) => new RecordedValues(context)));
  const run = [...new Set(contexts.map(({ base }) => base.run))].join(', ');
  return diagnosisOf(diagnoseRecorded(runs, { hypotheses, thresholds, run }));
}

/** What a search found, as far as its record knows the program. */
export function diagnosisOf(record: SearchRecord): Diagnosis {
  const places = placesOf(record);
  const { processes, threads } = places;
  return {
    ...{ record, places, processes, threads },
    findings: findings(record, places),
    base: places.base('computing'),
  };
}

/** @throws KymoError `unknown-hypothesis` */
export function checkHypothesis(id: string, ids: readonly string[]): void {
  if (!ids.includes(id))
    throw new KymoError(
      'unknown-hypothesis',
      `There is no hypothesis ${JSON.stringify(id)}${suggestion(id, ids) || `. There are: ${ids.join(', ')}.`}`,
    );
}

/** Shares of ranks can only be averaged over runs of the same processes. */
function checkAlike(contexts: readonly PropertyContext[]): void {
  const counts = contexts.map(({ profile }) => workGroups(profile.locations).ranks.length);
  if (new Set(counts).size > 1)
    throw new KymoError(
      'runs-differ',
      `The measurements have different numbers of processes (${counts.join(', ')}). Give repetitions of one run, or diagnose each by itself.`,
    );
}
