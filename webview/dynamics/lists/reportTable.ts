import type { ReportPiece } from '../../../src/core/views/dynamicsPieces';
import { button } from '../../ui/controls/button';
import { type Control, element } from '../../ui/base/dom';
import type { GridColumn } from '../../ui/grid/columns';
import { Grid } from '../../ui/grid/grid';
import { messageArea } from '../../ui/page/messageArea';
import { toolbar } from '../../ui/controls/toolbar';
import { share } from '../base/words';

export type ReportFormat = 'report-markdown' | 'report-csv' | 'report-json';

export interface ReportTable extends Control {
  show(rows: readonly ReportPiece[], empty: string): void;
}

/** The report as tables of the field have it: what, when, where, which ranks, how much. Enter goes to the source. */
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
    element: element('div', { class: 'pane' }, tools.element, message.element, grid.element),
    show: (given, empty) => {
      rows = given;
      grid.setRows(Uint32Array.from(given, (_, at) => at));
      grid.element.hidden = given.length === 0;
      message.show(given.length === 0 ? { kind: 'empty', text: empty } : undefined);
    },
  };
}

/** Small ones are there because the problem that they are part of is not. */
function titleText({ title, belowThreshold }: ReportPiece): string {
  return belowThreshold === true ? `${title} (below the threshold)` : title;
}

function columns(rowAt: (row: number) => ReportPiece | undefined): readonly GridColumn[] {
  const text = (of: (row: ReportPiece) => string) => (at: number) => {
    const row = rowAt(at);
    return row === undefined ? '' : of(row);
  };
  return [
    {
      id: 'title',
      title: 'Property',
      width: 240,
      text: text(titleText),
      cellTooltip: text(titleText),
    },
    {
      id: 'severity',
      title: 'Severity',
      width: 84,
      align: 'end',
      text: text(({ severity }) => share(severity)),
      bar: (at) => rowAt(at)?.severity ?? 0,
    },
    {
      id: 'excess',
      title: 'Excess',
      width: 84,
      align: 'end',
      text: text(({ excess }) => share(excess)),
      bar: (at) => rowAt(at)?.excess ?? 0,
    },
    {
      id: 'iterations',
      title: 'Iterations',
      width: 130,
      text: text(({ iterations }) => iterations),
      cellTooltip: text(({ iterations }) => iterations),
    },
    {
      id: 'ranks',
      title: 'Ranks',
      width: 120,
      text: text(({ ranks }) => ranks),
      cellTooltip: text(({ ranks }) => ranks),
    },
    { id: 'region', title: 'Region', width: 130, text: text(({ region }) => region) },
  ];
}
