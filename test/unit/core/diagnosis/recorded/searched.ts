import { diagnoseRecorded } from '../../../../../src/core/diagnosis/recorded/diagnoseRecorded';
import { RecordedRuns } from '../../../../../src/core/diagnosis/recorded/recordedRuns';
import { RecordedValues } from '../../../../../src/core/diagnosis/recorded/recordedValues';
import { usualHypotheses } from '../../../../../src/core/diagnosis/hypotheses/usual';
import type { Hypothesis } from '../../../../../src/core/diagnosis/hypotheses/hypothesis';
import { wholeProgram, type Focus } from '../../../../../src/core/diagnosis/resources/focus';
import type { SearchNode, SearchRecord } from '../../../../../src/core/diagnosis/search/searchRecord';
import { printFocus } from '../../../../../src/core/diagnosis/resources/focusText';
import { makeContext } from '../../../../../src/core/problems/context/makeContext';
import type { Metric, Profile } from '../../../../../src/core/profile/profile';

export function valuesOf(profile: Profile): RecordedValues {
  return new RecordedValues(makeContext({ profile, run: 'run' }));
}

export function runsOf(...profiles: readonly Profile[]): RecordedRuns {
  return new RecordedRuns(profiles.map(valuesOf));
}

export function searched(
  runs: RecordedRuns,
  hypotheses: readonly Hypothesis[] = usualHypotheses,
): SearchRecord {
  return diagnoseRecorded(runs, { hypotheses, run: 'run' });
}

export function at(focus: Partial<Focus>): Focus {
  return { ...wholeProgram, ...focus };
}

export function nodeAt(
  record: SearchRecord,
  hypothesis: string,
  focus: Partial<Focus> = {},
): SearchNode | undefined {
  const text = printFocus(at(focus));
  return record.nodes.find((node) => node.hypothesis === hypothesis && printFocus(node.focus) === text);
}

/** Adds a metric: values by name of region, one for each location. */
export function withMetric(
  profile: Profile,
  name: string,
  values: Readonly<Record<string, readonly number[]>>,
): Profile {
  const width = profile.locations.length;
  const cells = new Float64Array(profile.callPaths.count * width);
  profile.callPaths.region.forEach((region, path) => {
    const own = values[profile.regions[region]?.name ?? ''];
    if (own !== undefined) cells.set(own, path * width);
  });
  const metric: Metric = {
    name,
    displayName: name,
    unit: 'sec',
    dtype: 'DOUBLE',
    stored: 'exclusive',
    combine: 'sum',
    description: '',
  };
  return {
    ...profile,
    metrics: [...profile.metrics, metric],
    stored: new Map([...profile.stored, [name, cells]]),
  };
}
