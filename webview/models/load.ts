import { visibleControls } from '../../src/core/names/visibleControls';
import type {
  ModelMetric,
  ModelPredictions,
  ModelsHeader,
  ModelTableRow,
  Unmatched,
} from '../../src/core/views/models/modelPieces';
import { maximumModelRows, type ModelsEvents, type ModelsRequests } from '../../src/protocol/models';
import type { Channel } from '../ui/page/channel';
import { inPieces } from '../ui/page/pieces';

export type ModelsChannel = Channel<ModelsRequests, ModelsEvents>;

/** Fetches the rows of a metric in pieces. @throws RequestError */
export async function loadRows(
  channel: ModelsChannel,
  id: string,
  metric: ModelMetric,
  signal: AbortSignal,
): Promise<readonly ModelTableRow[]> {
  const rows = await inPieces(metric.count, maximumModelRows, (first, count) =>
    channel.request('rows', { id, first: metric.first + first, count }, { signal }),
  );
  return rows.map((row) => ({
    ...row,
    callPath: visibleControls(row.callPath),
    formula: visibleControls(row.formula),
    growth: { ...row.growth, text: visibleControls(row.growth.text) },
    ...(row.compared !== undefined && { compared: visibleControls(row.compared) }),
  }));
}

/**
 * Fetches the predictions of a metric in pieces.
 * @param onPiece receives the share (0…1) that has arrived
 * @throws RequestError
 */
export async function loadPredictions(
  channel: ModelsChannel,
  id: string,
  metric: ModelMetric,
  point: readonly number[],
  signal: AbortSignal,
  onPiece: (share: number) => void,
): Promise<ModelPredictions> {
  const all = {
    values: new Float64Array(metric.count),
    low: new Float64Array(metric.count),
    high: new Float64Array(metric.count),
    compared: new Float64Array(metric.count),
  };
  for (let first = 0; first < metric.count; first += maximumModelRows) {
    const count = Math.min(maximumModelRows, metric.count - first);
    const piece = { id, first: metric.first + first, count, point };
    const { values, low, high, compared = values } = await channel.request('predictions', piece, { signal });
    all.values.set(values, first);
    all.low.set(low, first);
    all.high.set(high, first);
    all.compared.set(compared, first);
    onPiece((first + count) / metric.count);
  }
  return all;
}

/** Escapes invisible and bidirectional characters in names, which come from files. */
export function visibleHeader(header: ModelsHeader): ModelsHeader {
  const metrics = (all: readonly ModelMetric[]): readonly ModelMetric[] =>
    all.map((metric) => ({ ...metric, name: visibleControls(metric.name) }));
  const { compared } = header;
  const names = (given: Unmatched): Unmatched => ({
    ...given,
    examples: given.examples.map(visibleControls),
  });
  return {
    ...header,
    parameters: header.parameters.map(visibleControls),
    constants: header.constants.map(([name, value]) => [
      visibleControls(name),
      typeof value === 'string' ? visibleControls(value) : value,
    ]),
    metrics: metrics(header.metrics),
    functions: { ...header.functions, metrics: metrics(header.functions.metrics) },
    notes: header.notes.map(visibleControls),
    ...(compared !== undefined && {
      compared: {
        ...compared,
        title: visibleControls(compared.title),
        onlyHere: names(compared.onlyHere),
        onlyThere: names(compared.onlyThere),
      },
    }),
  };
}
