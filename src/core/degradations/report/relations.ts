import { at } from '../../at';
import { present } from '../../present';
import { chanceOfLag, dependentDegradations } from './dependence';
import { formatRoundPercent } from '../../format';
import type { Property } from '../../properties/property';
import { borderTolerance } from './clusters';
import { peakKinds } from './makeRows';
import type { AnalysedSeries, ReportRow } from '../model/result';

/** Number of rows, from the first, that are compared with each other. */
const mostCompared = 16;
const leastSimilarity = 0.7;
/** Of all iterations. */
const largestLag = 0.1;
/** In one of a hundred runs, two of all degradations that are compared meet by chance. */
const mostChance = 0.01;

/** Properties without rows of their own: degradations that follow those of other regions; each with the most similar one. */
export function findRelations(
  rows: readonly ReportRow[],
  series: readonly AnalysedSeries[],
  iterations: number,
): readonly Property[] {
  const shown = rows
    .filter(({ kind, excess }) => excess !== undefined && kind !== 'late-rank' && kind !== 'improvement')
    .slice(0, mostCompared)
    .map((row) => ({ row, analysed: at(series, at(row.series, 0)) }));
  const shapes = shown.map(({ analysed: { episodes, patterns, values, valueLength } }) => ({
    episodes,
    patterns,
    ...(valueLength === 1 ? { values: Float64Array.from(values) } : {}),
  }));
  const compared = (shapes.length * (shapes.length - 1)) / 2;
  const pairs = dependentDegradations(shapes, { similarity: leastSimilarity }).filter(
    ({ first, second, lag }) => {
      const largest = lag === 0 ? 0 : Math.round(iterations * largestLag);
      return chanceOfLag(at(shapes, first), at(shapes, second), lag, largest) * compared <= mostChance;
    },
  );
  const reported = new Set<string>();
  return pairs.flatMap(({ first, second, similarity, lag: measuredLag, shared }) => {
    const [leader, follower] = [at(shown, first).row, at(shown, second).row];
    // Places of peaks are exact. Rises that start at about the same time have no order.
    const arePeaks = peakKinds.has(leader.kind) && peakKinds.has(follower.kind);
    const lag = !arePeaks && measuredLag <= borderTolerance(iterations) ? 0 : measuredLag;
    const pair = [leader.region.name, follower.region.name];
    // What happens at the same time is one event, and told as such.
    const isEvent = (leader.partOf ?? leader.property) === (follower.partOf ?? follower.property);
    const isSame = leader.region.name === follower.region.name && leader.region.line === follower.region.line;
    const key = JSON.stringify(lag === 0 ? pair.sort() : follower.property);
    if (isSame || isEvent || reported.has(key)) return [];
    reported.add(key);
    return [
      {
        ...whereOf(follower),
        id: `dynamics:dependent-degradation:${follower.property}<${leader.property}`,
        kind: 'dependent-degradation' as const,
        title: dependenceTitle(leader, follower, lag, similarity),
        severity: follower.severity ?? 0,
        confidence: similarity,
        iterations: follower.iterations,
        evidence: { lagIterations: lag, similarity, sharedChanges: shared },
        refines: follower.property,
      },
    ];
  });
}

function dependenceTitle(leader: ReportRow, follower: ReportRow, lag: number, similarity: number): string {
  const first = lowerCase(`${problemOf(leader)} of ${leader.region.name}`);
  const second = `${problemOf(follower)} of ${follower.region.name}`;
  const words = `(${formatRoundPercent(similarity)} alike)`;
  return lag === 0
    ? `${second} and ${first} change together ${words}`
    : `${second} follows ${first} ${lag} iteration${lag === 1 ? '' : 's'} later ${words}`;
}

/** `Communication time` of `Degradation peaks in communication time`. */
function problemOf({ title }: ReportRow): string {
  const problem = title.slice(title.lastIndexOf(' in ') + 4);
  return problem.charAt(0).toUpperCase() + problem.slice(1);
}

function lowerCase(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function whereOf({
  region: { name, file, line },
  callPath,
  ranks,
}: ReportRow): Pick<Property, 'region' | 'callPath' | 'ranks'> {
  return {
    region: { name, ...present({ file, line }) },
    ...present({ callPath: callPath?.map((region) => region.name) }),
    ranks,
  };
}
