import { at } from '../../at';
import { placeOf } from '../../profile/place';
import { isMetricId, type MetricId } from '../hypotheses/metrics';
import type { SearchedPlaces } from '../findings/searchedPlaces';
import { pathKey } from '../resources/pathKey';
import type { RecordedRuns } from './recordedRuns';

/** What the resources of a search are, by the measurements that were searched. */
export function recordedPlaces(runs: RecordedRuns): SearchedPlaces {
  const known = (metric: string): MetricId => (isMetricId(metric) ? metric : 'computing');
  return {
    functionOf: (code) => {
      for (const { resources, context } of runs.runs) {
        const region = resources.regions.get(pathKey(code));
        if (region === undefined) continue;
        return {
          key: at(context.keys, region),
          name: at(context.names, region),
          place: placeOf(at(context.profile.regions, region)),
        };
      }
      return undefined;
    },
    base: (metric) => runs.first.base(known(metric)),
    partOf: (metric, focus) => runs.showing(known(metric), focus).partOf(known(metric), focus.Machine),
    ranks: (metric, focus) => runs.showing(known(metric), focus).ranks(known(metric), focus),
    processes: runs.first.processes,
  };
}
