import { comparisonMarkdown } from '../formats/dynamics-report/comparisonMarkdown';
import { compareDynamics } from '../workflows/compareDynamics';
import { newestIterations } from '../workflows/dynamics/newestExperiment';
import { dynamicsInSource } from '../workflows/dynamicsInSource';
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
} from '../workflows/dynamicsView';
import type { HandlerContext } from './handlers';
import type { DynamicsEngineRequests, FoundProperty } from './dynamicsMessages';

/** An event with so many properties is parsed by the extension host in a few milliseconds. */
const propertiesPerEvent = 250;

type DynamicsHandlers = {
  readonly [Name in keyof DynamicsEngineRequests]: (
    options: DynamicsEngineRequests[Name]['options'],
    context: HandlerContext,
  ) => Promise<DynamicsEngineRequests[Name]['result']>;
};

export const dynamicsHandlers: DynamicsHandlers = {
  newestIterations: async ({ folder }) => {
    const experiment = await newestIterations(folder);
    return experiment === undefined ? {} : { experiment };
  },
  openDynamics: (question, { signal, progress }) => openDynamics(question, { signal, progress }),
  dynamicsFound: async ({ sources, files, isOfStudy, ...name }, { emit }) => {
    const { properties, missing } = await dynamicsInSource(name, sources, { files, isOfStudy });
    emitProperties(properties, emit);
    return { missing };
  },
  dynamicsPropertyRows,
  dynamicsSeriesRows,
  dynamicsReportRows,
  dynamicsValues,
  dynamicsMap,
  dynamicsTrace,
  dynamicsRegion,
  compareDynamics: async ({ workspace, ...request }, { signal, progress }) => ({
    text: comparisonMarkdown(await compareDynamics(request, { workspace, signal, progress })),
  }),
  saveDynamicsReport: async (options) => {
    await saveDynamicsReport(options);
    return { file: options.file };
  },
};

function emitProperties(properties: readonly FoundProperty[], emit: HandlerContext['emit']): void {
  for (let first = 0; first < properties.length; first += propertiesPerEvent)
    emit({ kind: 'properties', properties: properties.slice(first, first + propertiesPerEvent) });
}
