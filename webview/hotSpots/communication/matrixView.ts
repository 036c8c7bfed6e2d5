import { atUint } from '../../../src/core/at';
import {
  communicationValues,
  type CommunicationMatrix,
  type CommunicationShape,
  type CommunicationValue,
} from '../../../src/core/communication/communicationMatrix';
import { csvText } from '../../../src/core/csv';
import { formatCount } from '../../../src/core/format';
import type { ProfileHeader } from '../../../src/core/views/profilePieces';
import { maximumEntries } from '../../../src/protocol/hotSpots';
import { heatCellAt, movedCell, type HeatCell } from '../../charts/heatSquare';
import { plot, type Plot } from '../../charts/plot';
import { dropdown } from '../../ui/controls/dropdown';
import { announce } from '../../ui/base/liveRegion';
import { type Control, element } from '../../ui/base/dom';
import { rowsTable } from '../../ui/grid/rowsTable';
import { messageArea } from '../../ui/page/messageArea';
import { errorText } from '../../ui/page/shell';
import type { HotSpotsChannel } from '../data/load';
import { drawMatrix, matrixArea, valueFormats } from './matrixDrawing';
import { MatrixModel, zoomed, type MatrixWindow } from './matrixModel';
import { cellWords, rowText } from './matrixWords';

export interface MatrixHost {
  readonly channel: HotSpotsChannel;
  readonly value: CommunicationValue;
  readonly onValue: (value: CommunicationValue) => void;
  readonly save: (name: string, format: 'png' | 'svg' | 'csv', content: Uint8Array) => void;
}

/** Maximum number of pairs in a file. */
const mostSaved = 500_000;

/** Who sends how much to whom: senders × receivers in colours. It is loaded when it is first shown. */
export class MatrixView implements Control {
  readonly element: HTMLElement;
  private readonly shown: Plot;
  private readonly message = messageArea();
  private readonly readOut = element('p', {
    class: 'read-out muted ellipsis',
    attributes: { 'aria-hidden': 'true' },
  });
  private model: MatrixModel | undefined;
  private isAsked = false;
  private value: CommunicationValue;
  private window: MatrixWindow;
  private cursor: HeatCell | undefined;

  constructor(
    private readonly header: NonNullable<ProfileHeader['communication']>,
    private readonly host: MatrixHost,
  ) {
    this.value = host.value === 'seconds' && !header.isTimed ? 'bytes' : host.value;
    this.window = { row: 0, column: 0, count: header.size };
    this.shown = plot({
      label: 'Communication matrix',
      keys: 'Arrows choose a sender and a receiver, plus and minus zoom, Escape shows everything.',
      draw: (surface, colors) => {
        const { model, value, window, cursor } = this;
        if (model !== undefined) drawMatrix(surface, colors, { model, value, window, cursor });
      },
      table: this.table(),
      csv: () => this.csv(),
      onSave: (format, content) => host.save('communication matrix', format, content),
      onKey: (event) => this.onKey(event),
    });
    this.followPointer();
    const foot = element('div', { class: 'map-foot row' }, this.readOut, this.values());
    this.element = element('div', { class: 'matrix fill' }, this.message.element, this.shown.element, foot);
    this.shown.element.hidden = true;
  }

  /** Loads the matrix on first use. */
  async open(): Promise<void> {
    if (this.isAsked) return;
    this.isAsked = true;
    this.message.show({ kind: 'loading', text: 'Reading the communication matrix…' });
    try {
      this.model = new MatrixModel(await loadMatrix(this.host.channel, this.header));
      this.message.show(undefined);
      this.shown.element.hidden = false;
      this.changed();
      this.shown.renew();
    } catch (error) {
      this.isAsked = false;
      this.message.show({
        kind: 'error',
        text: errorText(error),
        action: { label: 'Try Again', run: () => void this.open() },
      });
    }
  }

  focus(): void {
    this.shown.canvas.focus();
  }

  private values(): HTMLElement {
    const labels = { bytes: 'Bytes', messages: 'Messages', seconds: 'Time' };
    return dropdown<CommunicationValue>({
      label: 'Colours',
      choices: communicationValues
        .filter((value) => value !== 'seconds' || this.header.isTimed)
        .map((value) => ({ value, label: labels[value] })),
      value: this.value,
      onChange: (value) => {
        this.value = value;
        this.host.onValue(value);
        this.changed();
      },
    }).element;
  }

  private get area(): ReturnType<typeof matrixArea> {
    return matrixArea(this.shown.canvas.clientWidth, this.shown.canvas.clientHeight);
  }

  private get perBin(): number {
    return this.model?.grid(this.value, this.window, this.area.width).perBin ?? 1;
  }

  private changed(): void {
    const text = this.words();
    this.readOut.textContent = text;
    this.readOut.title = text;
    this.shown.update();
  }

  private words(): string {
    const { model, cursor, header } = this;
    if (model === undefined) return '';
    if (cursor !== undefined) return cellWords(model, this.value, cursor, this.perBin, this.window);
    const { total } = model.sumsOf(this.value);
    const rows = header.ranksPerRow === 1 ? '' : `, ${header.ranksPerRow} ranks per row`;
    return `${header.ranks} ranks${rows}, ${formatCount(header.entries)} pairs, ${valueFormats[this.value](total)} in all; colours are logarithmic. Double-click zooms.`;
  }

  private setCursor(cell: HeatCell | undefined): void {
    this.cursor = cell;
    this.changed();
  }

  private setWindow(window: MatrixWindow): void {
    this.window = window;
    this.changed();
  }

  private onKey(event: KeyboardEvent): boolean {
    const { window, header } = this;
    const step = this.perBin;
    const cursor = this.cursor ?? { row: window.row, column: window.column };
    const { row, column, count: size } = window;
    const moved = movedCell(event.key, this.cursor, { first: { row, column }, size, step });
    if (moved !== undefined) {
      this.setCursor(moved);
      announce(this.words());
      return true;
    }
    const factor = { '+': 2, '=': 2, '-': 0.5 }[event.key];
    if (factor !== undefined) this.setWindow(zoomed(window, factor, cursor, header.size));
    else if (event.key === 'Escape' && window.count < header.size)
      this.setWindow({ row: 0, column: 0, count: header.size });
    else return false;
    announce(`Senders ${this.window.row} to ${this.window.row + this.window.count - 1}`);
    return true;
  }

  private followPointer(): void {
    const { canvas } = this.shown;
    const cellAt = (event: MouseEvent): HeatCell | undefined => {
      const box = canvas.getBoundingClientRect();
      const { row, column, count } = this.window;
      const cell = heatCellAt(this.area, count, event.clientX - box.left, event.clientY - box.top);
      return cell === undefined ? undefined : { row: row + cell.row, column: column + cell.column };
    };
    canvas.addEventListener('pointermove', (event) => this.setCursor(cellAt(event)));
    canvas.addEventListener('pointerleave', () => this.setCursor(undefined));
    canvas.addEventListener('dblclick', (event) => {
      const cell = cellAt(event);
      if (cell !== undefined) this.setWindow(zoomed(this.window, 4, cell, this.header.size));
    });
  }

  private table(): ReturnType<typeof rowsTable> {
    return rowsTable({
      label: 'Pairs of ranks',
      columns: () => [
        { title: 'Sender', width: 90 },
        { title: 'Receiver', width: 90 },
        { title: 'Bytes', number: true, width: 100 },
        { title: 'Messages', number: true, width: 100 },
        ...(this.header.isTimed ? [{ title: 'Time', number: true, width: 90 }] : []),
      ],
      count: () => this.model?.matrix.from.length ?? 0,
      cells: (entry) => {
        const { matrix } = this.model ?? {};
        if (matrix === undefined) return [];
        const { from, to, bytes, messages, seconds } = matrix;
        return [
          rowText(matrix, atUint(from, entry)),
          rowText(matrix, atUint(to, entry)),
          valueFormats.bytes(bytes[entry] ?? 0),
          formatCount(messages[entry] ?? 0),
          ...(seconds === undefined ? [] : [valueFormats.seconds(seconds[entry] ?? 0)]),
        ];
      },
    });
  }

  private csv(): string {
    const { matrix } = this.model ?? {};
    if (matrix === undefined) return '';
    const { from, to, bytes, messages, seconds } = matrix;
    const rows = Array.from(from.subarray(0, mostSaved), (sender, entry) => [
      rowText(matrix, sender),
      rowText(matrix, atUint(to, entry)),
      bytes[entry] ?? 0,
      messages[entry] ?? 0,
      ...(seconds === undefined ? [] : [seconds[entry] ?? 0]),
    ]);
    return csvText([
      ['sender', 'receiver', 'bytes', 'messages', ...(seconds === undefined ? [] : ['seconds'])],
      ...rows,
    ]);
  }
}

/** Fetches the entries piece by piece. @throws RequestError */
async function loadMatrix(
  channel: HotSpotsChannel,
  header: CommunicationShape & { readonly entries: number; readonly isTimed: boolean },
): Promise<CommunicationMatrix> {
  const { size, ranksPerRow, ranks, entries, isTimed } = header;
  const matrix = {
    size,
    ranksPerRow,
    ranks,
    from: new Uint32Array(entries),
    to: new Uint32Array(entries),
    messages: new Float64Array(entries),
    bytes: new Float64Array(entries),
    ...(isTimed ? { seconds: new Float64Array(entries) } : {}),
  };
  for (let first = 0; first < entries; first += maximumEntries) {
    const count = Math.min(maximumEntries, entries - first);
    const piece = await channel.request('communication', { first, count });
    matrix.from.set(piece.from, first);
    matrix.to.set(piece.to, first);
    matrix.messages.set(piece.messages, first);
    matrix.bytes.set(piece.bytes, first);
    if (piece.seconds !== undefined) matrix.seconds?.set(piece.seconds, first);
  }
  return matrix;
}
