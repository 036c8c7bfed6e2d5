import { at } from '../../../src/core/at';
import { matrixCsv, numberedName } from '../../../src/core/groups/tables';
import { capitalised } from '../../../src/core/groups/words';
import { formatPercent } from '../../../src/core/format';
import type { GroupMatrix } from '../../../src/core/views/groupSummary';
import { heatCellAt, movedCell, type HeatCell } from '../../charts/heatSquare';
import { plot, type Plot } from '../../charts/plot';
import { type Control, element } from '../../ui/base/dom';
import { announce } from '../../ui/base/liveRegion';
import type { MenuItem } from '../../ui/controls/menu';
import { rowsTable } from '../../ui/grid/rowsTable';
import { drawGroupMatrix, groupMatrixArea, matrixValue, type MatrixKind } from './groupMatrixDrawing';

interface MatrixEvents {
  /** Positions of the groups of a cell. */
  readonly onChoose: (one: number, other: number) => void;
  readonly onSave: (name: string, format: 'png' | 'svg' | 'csv', content: Uint8Array) => void;
  readonly moreFiles: readonly MenuItem[];
}

/** Group × group: how similar they are, or which does the work of which. */
export class GroupMatrixView implements Control {
  readonly element: HTMLElement;
  private readonly picture: Plot;
  private readonly readOut = element('p', {
    class: 'read-out muted ellipsis',
    attributes: { 'aria-hidden': 'true' },
  });
  private matrix: GroupMatrix | undefined;
  private kind: MatrixKind = 'similarity';
  private cursor: HeatCell | undefined;
  private chosen: HeatCell | undefined;

  constructor(private readonly events: MatrixEvents) {
    this.picture = plot({
      label: 'Matrix of groups',
      keys: 'Arrows choose two groups, Enter shows how they differ.',
      draw: (surface, colors) => {
        const { matrix, kind, cursor, chosen } = this;
        if (matrix === undefined || matrix.names.length === 0) return;
        drawGroupMatrix(surface, colors, { matrix, kind, cursor, chosen });
      },
      table: this.table(),
      csv: () =>
        matrixCsv(this.names(), (row, column) =>
          this.matrix === undefined ? 0 : matrixValue(this.matrix, this.kind, { row, column }),
        ),
      onSave: (format, content) =>
        events.onSave(
          this.kind === 'similarity' ? 'similarity of groups' : 'groups that do all of others',
          format,
          content,
        ),
      moreFiles: events.moreFiles,
      onKey: (event) => this.onKey(event),
    });
    this.followPointer();
    this.element = element('div', { class: 'group-picture fill' }, this.picture.element, this.readOut);
  }

  show(matrix: GroupMatrix, kind: MatrixKind): void {
    if (matrix !== this.matrix) [this.cursor, this.chosen] = [undefined, undefined];
    this.matrix = matrix;
    this.kind = kind;
    this.showCursor();
    this.picture.renew();
  }

  focus(): void {
    this.picture.canvas.focus();
  }

  private names(): readonly string[] {
    return (this.matrix?.names ?? []).map((name, group) => numberedName(group, capitalised(name)));
  }

  private words(): string {
    const { matrix, kind, cursor } = this;
    if (matrix === undefined) return '';
    const { names, isOne } = matrix;
    if (cursor === undefined) return 'Click a cell to see how its groups differ.';
    const [row, column] = [capitalised(at(names, cursor.row)), at(names, cursor.column)];
    if (cursor.row === cursor.column) return `${row}: the group itself`;
    const value = matrixValue(matrix, kind, cursor);
    const percent = formatPercent(value < 1 ? Math.min(value, 0.999) : value);
    if (kind === 'similarity')
      return `${row} and ${column}: ${percent} of what either calls is called by both`;
    const [does, their] = [cursor.row, cursor.column].map((group) => (isOne[group] === true ? 'does' : 'do'));
    return `${row} ${does ?? ''} ${percent} of all that ${column} ${their ?? ''}`;
  }

  private setCursor(cell: HeatCell | undefined): void {
    if (cell?.row === this.cursor?.row && cell?.column === this.cursor?.column) return;
    this.cursor = cell;
    this.showCursor();
  }

  private showCursor(): void {
    const words = this.words();
    this.readOut.textContent = words;
    this.readOut.title = words;
    this.picture.update();
  }

  private choose(cell: HeatCell): void {
    this.chosen = cell;
    this.picture.update();
    this.events.onChoose(cell.row, cell.column);
  }

  private onKey({ key }: KeyboardEvent): boolean {
    const size = this.matrix?.names.length ?? 0;
    if (size === 0) return false;
    if ((key === 'Enter' || key === ' ') && this.cursor !== undefined) {
      this.choose(this.cursor);
      return true;
    }
    const moved = movedCell(key, this.cursor, { first: { row: 0, column: 0 }, size });
    if (moved === undefined) return false;
    this.setCursor(moved);
    announce(this.words());
    return true;
  }

  private followPointer(): void {
    const { canvas } = this.picture;
    const cellAt = (event: MouseEvent): HeatCell | undefined => {
      const size = this.matrix?.names.length ?? 0;
      const { left, top } = canvas.getBoundingClientRect();
      const area = groupMatrixArea(canvas.clientWidth, canvas.clientHeight, size);
      return size === 0 ? undefined : heatCellAt(area, size, event.clientX - left, event.clientY - top);
    };
    canvas.addEventListener('pointermove', (event) => {
      const cell = cellAt(event);
      canvas.style.cursor = cell === undefined ? '' : 'pointer';
      this.setCursor(cell);
    });
    canvas.addEventListener('pointerleave', () => this.setCursor(undefined));
    canvas.addEventListener('click', (event) => {
      const cell = cellAt(event);
      if (cell !== undefined) this.choose(cell);
    });
  }

  private table(): ReturnType<typeof rowsTable> {
    return rowsTable({
      label: 'Matrix of groups',
      columns: () => [
        { title: 'Group', width: 200 },
        ...(this.matrix?.names ?? []).map((_, group) => ({
          title: String(group + 1),
          number: true,
          width: 60,
        })),
      ],
      count: () => this.matrix?.names.length ?? 0,
      cells: (row) => [
        this.names()[row] ?? '',
        ...(this.matrix?.names ?? []).map((_, column) =>
          this.matrix === undefined ? '' : matrixValue(this.matrix, this.kind, { row, column }).toFixed(2),
        ),
      ],
    });
  }
}
