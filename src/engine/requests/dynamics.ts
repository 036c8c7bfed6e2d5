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

/** The extension host parses so many properties in a few milliseconds. */
const propertiesPerPart = 250;
const home = 'document';

/** The dynamics of a run. A process keeps an analysis in memory, and makes it again when it was forgotten. */
export const dynamicsRequests = {
  /** The newest experiment with iterations in the folder of a target, study or iteration. */
  newestIterations: query(({ folder }: { readonly folder: string }, context) =>
    newestIterations(folder, context),
  ),
  openDynamics: query(openDynamics, { home }),
  /** What was found, at today's places; at the end the names of sources that are not here. */
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
  /** Phases and degradations of two runs by a common axis, as Markdown. */
  compareDynamics: job(
    async (
      { workspace, ...request }: CompareDynamicsRequest & { readonly workspace: string },
      { signal, progress },
    ) => comparisonMarkdown(await compareDynamics(request, { workspace, signal, progress })),
  ),
  /** Writes the report as the command line does. */
  saveDynamicsReport: query(saveDynamicsReport, { home, writes: true }),
};
