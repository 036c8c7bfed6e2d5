import type { ComparedInput, ModelMetric, ModelsHeader } from '../../src/core/views/models/modelPieces';
import type { NamedDetail } from './formulas';
import type { ModelsChannel } from './load';
import type { PredictedRow } from './modelRows';
import type { ShownPlot } from './plot/plotPage';
import { calledFunction, shortPath, wholePath } from './words';

const legendName = 36;

/** A model that plot and formulas show. */
export interface ShownModel {
  /** Of its row among those of the metric. */
  readonly position: number;
  readonly row: PredictedRow;
  /** Of the measurements that these are compared with. */
  readonly isCompared: boolean;
  readonly name: string;
}

/** The selected models; of one that is compared with other measurements, that of these, too. */
export function shownModels(
  rows: readonly Pick<ShownModel, 'position' | 'row'>[],
  title: string,
  compared: ComparedInput | undefined,
): readonly ShownModel[] {
  const [only] = rows;
  if (only === undefined || rows.length > 1 || compared === undefined || only.row.compared === undefined) {
    const names = legendNames(rows.map(({ row }) => row));
    return rows.map((model, place) => ({ ...model, isCompared: false, name: names[place] ?? '' }));
  }
  const [here, there] = [cut(title), cut(compared.title)];
  // Studies of one target may have the same name in different folders.
  const names = here === there ? ['these measurements', `${there} (compared)`] : [here, there];
  return names.map((name, place) => ({ ...only, isCompared: place === 1, name }));
}

/** What the details name a second model by. */
export function comparedWith(
  { isCompared, name, row }: ShownModel,
  compared: ComparedInput | undefined,
): { readonly name: string; readonly path: string } {
  return isCompared
    ? { name, path: compared?.title ?? '' }
    : { name: calledFunction(row.callPath), path: wholePath(row.callPath) };
}

interface Wanted {
  readonly id: string;
  readonly metric: ModelMetric;
  /** The point that is predicted. */
  readonly at: readonly number[];
  /** Where the parameters are fixed that the plot does not show. */
  readonly fixed: readonly number[];
  readonly parameter: number;
  /** The parameter of the vertical axis of a map; undefined: curves. */
  readonly second: number | undefined;
  readonly linear: readonly [horizontal: boolean, vertical: boolean];
}

/** Reads formulas of models, and their curves, or the map of the first one. @throws RequestError */
export async function readModels(
  channel: ModelsChannel,
  header: ModelsHeader,
  models: readonly ShownModel[],
  wanted: Wanted,
  signal: AbortSignal,
): Promise<{ readonly details: readonly NamedDetail[]; readonly content: ShownPlot['content'] }> {
  const { id, metric, at } = wanted;
  const [details, content] = await Promise.all([
    Promise.all(
      models.map(async ({ position, isCompared, name }): Promise<NamedDetail> => {
        const row = metric.first + position;
        return {
          name,
          detail: await channel.request('detail', { id, row, isCompared, point: at }, { signal }),
        };
      }),
    ),
    readPlot(channel, header, models, wanted, signal),
  ]);
  return { details, content };
}

async function readPlot(
  channel: ModelsChannel,
  { compared }: ModelsHeader,
  models: readonly ShownModel[],
  { id, metric, at, fixed, parameter, second, linear }: Wanted,
  signal: AbortSignal,
): Promise<ShownPlot['content']> {
  const along = fixed.with(parameter, at[parameter] ?? 1);
  const [first] = models;
  if (second !== undefined && first !== undefined) {
    const plane = await channel.request(
      'plane',
      {
        id,
        row: metric.first + first.position,
        point: along.with(second, at[second] ?? 1),
        parameters: [parameter, second],
        logarithmic: [!linear[0], !linear[1]],
      },
      { signal },
    );
    return { kind: 'plane', second, plane, ...(models.length > 1 && { name: first.name }) };
  }
  // Measurements at one value of the parameter have no curve over it.
  const drawn = models.filter(
    ({ isCompared }) => !isCompared || compared?.parameters.includes(parameter) === true,
  );
  const curves = await Promise.all(
    drawn.map(async ({ position, isCompared, name }) => {
      const row = metric.first + position;
      const model = { id, row, isCompared, point: along, parameter };
      return { name, curve: await channel.request('curve', model, { signal }) };
    }),
  );
  return { kind: 'curves', models: curves };
}

/** The called functions, or the ends of call paths if these are the same. */
function legendNames(rows: readonly PredictedRow[]): readonly string[] {
  const names = rows.map(({ callPath }) => calledFunction(callPath));
  const shown = new Set(names).size < names.length ? rows.map(({ callPath }) => shortPath(callPath)) : names;
  return shown.map(cut);
}

function cut(name: string): string {
  return name.length > legendName ? `${name.slice(0, legendName)}…` : name;
}
