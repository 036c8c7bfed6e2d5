import { element, setAttribute } from '../base/dom';
import { clampWidth, type GridColumn, type SortOrder } from './columns';

export interface HeaderActions {
  sortBy(column: GridColumn): void;
  widthOf(column: GridColumn): number;
  setWidth(column: GridColumn, pixels: number): void;
  /** Moves the focus down to the rows. */
  leave(): void;
  chooseColumns(anchor: Element): void;
}

/** Change of a width in pixels by one press of an arrow key. */
const widthStep = 16;

/** The row of column headers: sorts by a click or Enter, resizes by the mouse or Shift+Left/Right. It is one stop in the order of Tab. */
export function headerRow(
  columns: readonly GridColumn[],
  sort: SortOrder | undefined,
  actions: HeaderActions,
): HTMLElement {
  const row = element('div', { class: 'grid-header', role: 'row', attributes: { 'aria-rowindex': '1' } });
  const buttons: HTMLButtonElement[] = [];
  for (const [index, column] of columns.entries()) {
    const head = headerButton(column, sort, actions);
    head.tabIndex = index === 0 ? 0 : -1;
    buttons.push(head);
    const cell = element(
      'div',
      { class: 'grid-head', role: 'columnheader' },
      head,
      resizeHandle(column, actions),
    );
    cell.setAttribute('aria-colindex', (index + 1).toString());
    cell.classList.toggle('end', column.align === 'end');
    if (column.sort !== undefined)
      cell.setAttribute('aria-sort', sort?.column === column.id ? sort.direction : 'none');
    row.append(cell);
  }
  row.addEventListener('keydown', (event) => {
    const position = buttons.findIndex((button) => button === document.activeElement);
    if (position < 0) return;
    const column = columns[position];
    if (column !== undefined && isHandled(event, column, buttons, position, actions)) {
      event.preventDefault();
      event.stopPropagation();
    }
  });
  row.addEventListener('contextmenu', (event) => {
    event.preventDefault();
    event.stopPropagation();
    actions.chooseColumns(event.target instanceof Element ? event.target : row);
  });
  return row;
}

function isHandled(
  event: KeyboardEvent,
  column: GridColumn,
  buttons: readonly HTMLButtonElement[],
  index: number,
  actions: HeaderActions,
): boolean {
  const sideways = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (sideways !== undefined && event.shiftKey) {
    actions.setWidth(column, actions.widthOf(column) + sideways * widthStep);
    return true;
  }
  if (event.key === 'ArrowDown') {
    actions.leave();
    return true;
  }
  if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
    const anchor = buttons[index];
    if (anchor !== undefined) actions.chooseColumns(anchor);
    return true;
  }
  const to = sideways === undefined ? { Home: 0, End: buttons.length - 1 }[event.key] : index + sideways;
  const target = to === undefined ? undefined : buttons[to];
  if (target === undefined) return false;
  for (const button of buttons) button.tabIndex = button === target ? 0 : -1;
  target.focus();
  return true;
}

function headerButton(
  column: GridColumn,
  sort: SortOrder | undefined,
  actions: HeaderActions,
): HTMLButtonElement {
  const head = element(
    'button',
    { class: 'grid-head-button', attributes: { type: 'button' } },
    element('span', { class: 'grid-head-title', text: column.title }),
    element('span', {
      class: 'grid-head-arrow',
      text: sort?.column !== column.id ? '' : sort.direction === 'ascending' ? '▲' : '▼',
      attributes: { 'aria-hidden': 'true' },
    }),
  );
  head.dataset.column = column.id;
  setAttribute(head, 'title', column.tooltip);
  setAttribute(head, 'aria-description', column.tooltip);
  head.addEventListener('click', () => actions.sortBy(column));
  return head;
}

function resizeHandle(column: GridColumn, actions: HeaderActions): HTMLElement {
  // The handle is for the mouse only; keys resize from the header (Shift+Left/Right).
  const handle = element('div', { class: 'grid-resize', attributes: { 'aria-hidden': 'true' } });
  let from = { x: 0, width: 0 };
  handle.addEventListener('pointerdown', (event) => {
    handle.setPointerCapture(event.pointerId);
    from = {
      x: event.clientX,
      width: handle.parentElement?.getBoundingClientRect().width ?? actions.widthOf(column),
    };
    event.preventDefault();
  });
  handle.addEventListener('pointermove', (event) => {
    if (handle.hasPointerCapture(event.pointerId))
      actions.setWidth(column, clampWidth(from.width + event.clientX - from.x));
  });
  return handle;
}
