import {
  type DynamicsEvents,
  type DynamicsRequests,
  maximumDynamicsRows,
  maximumMapCells,
} from '../../src/protocol/dynamics';
import { visibleControls } from '../../src/core/names/visibleControls';
import type {
  DynamicsHeader,
  MapHeader,
  PropertyRow,
  ReportPiece,
  SeriesRow,
} from '../../src/core/views/dynamicsPieces';
import type { Channel } from '../ui/page/channel';
import { inPieces } from '../ui/page/pieces';
import { MapModel } from './overTime/mapModel';

export type DynamicsChannel = Channel<DynamicsRequests, DynamicsEvents>;

interface Lists {
  readonly properties: readonly PropertyRow[];
  readonly series: readonly SeriesRow[];
  readonly report: readonly ReportPiece[];
}

/** Fetches all rows in pieces. @throws RequestError */
export async function loadLists(
  channel: DynamicsChannel,
  header: Pick<DynamicsHeader, 'id' | 'properties' | 'series' | 'reportRows'>,
  signal: AbortSignal,
): Promise<Lists> {
  const { id } = header;
  const all = <Row>(count: number, ask: (first: number, most: number) => Promise<readonly Row[]>) =>
    inPieces(count, maximumDynamicsRows, ask);
  const [properties, series, report] = await Promise.all([
    all(header.properties, (first, count) => channel.request('properties', { id, first, count }, { signal })),
    all(header.series, (first, count) => channel.request('series', { id, first, count }, { signal })),
    all(header.reportRows, (first, count) => channel.request('report', { id, first, count }, { signal })),
  ]);
  return {
    properties: properties.map(visibleProperty),
    series: series.map((row) => ({ ...row, region: visibleControls(row.region) })),
    report: report.map((row) => ({
      ...row,
      title: visibleControls(row.title),
      region: visibleControls(row.region),
    })),
  };
}

/** Escapes invisible and bidirectional characters in names, which come from programs. */
function visibleProperty(row: PropertyRow): PropertyRow {
  const { title, region } = row;
  const shown = region === undefined ? {} : { region: { ...region, name: visibleControls(region.name) } };
  return { ...row, title: visibleControls(title), ...shown };
}

/** Escapes such characters in the names of the header. */
export function visibleHeader(header: DynamicsHeader): DynamicsHeader {
  const { phase, notes, maps } = header;
  return {
    ...header,
    ...(phase !== undefined && { phase: visibleControls(phase) }),
    notes: notes.map(visibleControls),
    maps: maps.map((map) => ({ ...map, region: visibleControls(map.region) })),
  };
}

/** Fetches a whole map. @throws RequestError */
export async function loadMap(
  channel: DynamicsChannel,
  id: string,
  position: number,
  header: MapHeader,
  signal: AbortSignal,
): Promise<MapModel> {
  const model = new MapModel(position, header);
  const most = Math.max(1, Math.floor(maximumMapCells / Math.max(1, header.columns)));
  for (let first = 0; first < header.rows;) {
    const count = Math.min(most, header.rows - first);
    const piece = await channel.request('map', { id, map: position, first, count }, { signal });
    if (piece.ranks.length === 0) break;
    model.add(first, piece);
    first += piece.ranks.length;
  }
  return model;
}
