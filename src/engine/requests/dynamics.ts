import { comparisonMarkdown } from '../../formats/dynamics-report/comparisonMarkdown';
import { compareDynamics, type CompareDynamicsRequest } from '../../workflows/compareDynamics';
import { newestIterations } from '../../workflows/dynamics/newestExperiment';
import { dynamicsInSource } from '../../workflows/views/dynamicsInSource';
import {
  dynamicsMap,
  dynamicsPropertyRows,
  dynamicsRegion,
  dynamicsReportRows,
  dynamicsSeriesRows,
  dynamicsTrace,
  dynamicsValues,
  openDynamics,
  saveDynamicsReport,
  type DynamicsName,
} from '../../workflows/views/dynamicsView';
import type { SourcesHere } from '../../workflows/studies/places';
import { job, pieces, query, stream } from './request';

/** The extension host parses this number of properties in a few milliseconds. */
const propertiesPerPart = 250;
const home = 'document';

/** The dynamics of a run. A process caches analyses and repeats one that has left the cache. */
export const dynamicsRequests = {
  /** The newest experiment with iterations in the folder of a target, study or iteration. */
  newestIterations: query(({ folder }: { readonly folder: string }, context) =>
    newestIterations(folder, context),
  ),
  openDynamics: query(openDynamics, { home }),
  /** The findings with current source positions; the last part has the names of missing sources. */
  dynamicsFound: stream(
    async function* (
      {
        sources,
        files,
        isOfStudy,
        ...name
      }: DynamicsName & {
        readonly sources: SourcesHere;
        readonly files: readonly string[];
        readonly isOfStudy: boolean;
      },
      context,
    ) {
      const { properties, missing } = await dynamicsInSource(name, sources, { files, isOfStudy }, context);
      for (const piece of pieces(properties, propertiesPerPart)) yield { properties: piece };
      yield { missing };
    },
    { home },
  ),
  dynamicsPropertyRows: query(dynamicsPropertyRows, { home }),
  dynamicsSeriesRows: query(dynamicsSeriesRows, { home }),
  dynamicsReportRows: query(dynamicsReportRows, { home }),
  dynamicsValues: query(dynamicsValues, { home }),
  dynamicsMap: query(dynamicsMap, { home }),
  dynamicsTrace: query(dynamicsTrace, { home }),
  dynamicsRegion: query(dynamicsRegion, { home }),
  /** Compares phases and degradations of two runs over a common axis, as Markdown. */
  compareDynamics: job(
    async (
      { workspace, ...request }: CompareDynamicsRequest & { readonly workspace: string },
      { signal, progress },
    ) => comparisonMarkdown(await compareDynamics(request, { workspace, signal, progress })),
  ),
  /** Writes the report as the command line does. */
  saveDynamicsReport: query(saveDynamicsReport, { home, writes: true }),
};
