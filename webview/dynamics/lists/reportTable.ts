import type { ReportPiece } from '../../../src/core/views/dynamicsPieces';
import { button } from '../../ui/controls/button';
import { type Control, element } from '../../ui/base/dom';
import type { GridColumn } from '../../ui/grid/columns';
import { Grid } from '../../ui/grid/grid';
import { rowColumns } from '../../ui/grid/rowColumns';
import { messageArea } from '../../ui/page/messageArea';
import { toolbar } from '../../ui/controls/toolbar';
import { share, shortRegion } from '../base/words';

export type ReportFormat = 'report-markdown' | 'report-csv' | 'report-json';

export interface ReportTable extends Control {
  show(rows: readonly ReportPiece[], empty: string): void;
}

/** The report as a table: kind, time, place, ranks and size of each finding. Enter opens the source. */
export function reportTable(actions: {
  readonly onSelect: (property: number) => void;
  readonly openSource: (row: number) => void;
  readonly save: (kind: ReportFormat) => void;
}): ReportTable {
  let rows: readonly ReportPiece[] = [];
  const grid = new Grid({
    label: 'Report',
    columns: columns((row) => rows[row]),
    onSelect: (row) => {
      const property = row === undefined ? undefined : rows[row]?.property;
      if (property !== undefined && property >= 0) actions.onSelect(property);
    },
    onActivate: actions.openSource,
  });
  const message = messageArea();
  const saving = (label: string, kind: ReportFormat): Control =>
    button({ label, icon: 'save', onClick: () => actions.save(kind) });
  const tools = toolbar(
    'Save the report',
    saving('Markdown…', 'report-markdown'),
    saving('CSV…', 'report-csv'),
    saving('JSON…', 'report-json'),
  );
  return {
    element: element('div', { class: 'fill' }, tools.element, message.element, grid.element),
    show: (given, empty) => {
      rows = given;
      grid.setRows(Uint32Array.from(given, (_, row) => row));
      grid.element.hidden = given.length === 0;
      message.show(given.length === 0 ? { kind: 'empty', text: empty } : undefined);
    },
  };
}

/** The title of a row. Small findings are listed because they are part of a large problem. */
function titleText({ title, belowThreshold }: ReportPiece): string {
  return belowThreshold === true ? `${title} (below the threshold)` : title;
}

function columns(rowAt: (row: number) => ReportPiece | undefined): readonly GridColumn[] {
  const { text, number } = rowColumns(rowAt);
  return [
    text('title', 'Finding', 210, titleText, { cellTooltip: true }),
    // Without its place, a finding says nothing: it is seen in narrow panels, too.
    text('region', 'Region', 124, ({ region }) => shortRegion(region), {
      cellTooltip: ({ region }) => region,
    }),
    number('severity', 'Severity', 88, ({ severity }) => share(severity), {
      bar: ({ severity = 0 }) => severity,
    }),
    number('excess', 'Excess', 78, ({ excess }) => share(excess), { bar: ({ excess = 0 }) => excess }),
    text('iterations', 'Iterations', 100, ({ iterations }) => iterations, { cellTooltip: true }),
    text('ranks', 'Ranks', 62, ({ ranks }) => ranks, { cellTooltip: true }),
  ];
}
