import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  columnTemplate,
  type GridColumn,
  minimumColumnWidth,
  nextSort,
  readGridLayout,
  rowWidth,
  withColumns,
} from '../../../webview/ui/grid/columns';
import { rowsPerPage, rowsToShow, scrollToShow } from '../../../webview/ui/grid/geometry';
import { gridAction, TypeAhead } from '../../../webview/ui/grid/keys';

const column = (id: string, more: Partial<GridColumn> = {}): GridColumn => ({
  id,
  title: id,
  width: 80,
  text: () => '',
  ...more,
});
const columns = [
  column('name', { width: 300 }),
  column('time', { sort: 'descending' }),
  column('file', { hidden: true }),
];

const view = fc.record({
  top: fc.nat(3_000_000),
  height: fc.nat(3000),
  rowHeight: fc.integer({ min: 14, max: 60 }),
  rows: fc.nat(200_000),
});

describe('the rows in the page', () => {
  it('cover what is visible, stay among the rows there are, and are few', () => {
    fc.assert(
      fc.property(view, fc.nat(20), (port, spare) => {
        const { first, end } = rowsToShow(port, spare);
        expect(first).toBeGreaterThanOrEqual(0);
        expect(end).toBeLessThanOrEqual(port.rows);
        expect(end - first).toBeLessThanOrEqual(port.height / port.rowHeight + 2 + 2 * spare);
        for (const pixel of [port.top, port.top + port.height - 1]) {
          const row = Math.floor(pixel / port.rowHeight);
          if (port.height > 0 && row < port.rows) expect(row >= first && row < end).toBe(true);
        }
      }),
    );
  });

  it('scroll only as far as needed to show a row', () => {
    fc.assert(
      fc.property(view, fc.nat(200_000), (port, row) => {
        fc.pre(port.height >= port.rowHeight);
        const top = scrollToShow(port, row);
        expect(row * port.rowHeight).toBeGreaterThanOrEqual(top);
        expect((row + 1) * port.rowHeight).toBeLessThanOrEqual(top + port.height);
        expect(scrollToShow({ ...port, top }, row)).toBe(top);
      }),
    );
  });

  it('page by what fits, at least by one', () => {
    expect(rowsPerPage({ top: 0, height: 220, rowHeight: 22, rows: 100 })).toBe(9);
    expect(rowsPerPage({ top: 0, height: 0, rowHeight: 22, rows: 100 })).toBe(1);
  });
});

describe('columns', () => {
  it('keep their width but for the first, which grows', () => {
    expect(columnTemplate(columns, { time: 120 })).toBe('minmax(min(300px, 45vw), 1fr) 120px 80px');
    expect(columnTemplate(columns, { name: 400 })).toBe('minmax(400px, 1fr) 80px 80px');
    expect(rowWidth(columns, { time: 120 })).toBe('calc(min(300px, 45vw) + 120px + 80px)');
    expect(columnTemplate([column('name')], { name: -5 })).toBe(`minmax(${minimumColumnWidth}px, 1fr)`);
  });

  it('are sorted first in their own direction, then in the other', () => {
    const time = column('time', { sort: 'descending' });
    const once = nextSort(time, undefined);
    expect(once).toEqual({ column: 'time', direction: 'descending' });
    expect(nextSort(time, once)).toEqual({ column: 'time', direction: 'ascending' });
    expect(nextSort(column('name'), once)).toBe(once);
  });

  it('take from a kept layout only what fits', () => {
    expect(
      readGridLayout({ widths: { time: 99, other: 5, name: '1' }, hidden: ['time', 'name', 7] }, columns),
    ).toEqual({
      widths: { time: 99 },
      hidden: ['time', 'file'],
      offered: ['name', 'time', 'file'],
    });
    expect(readGridLayout(undefined, columns)).toMatchObject({ widths: {}, hidden: ['file'] });
    const all = ['name', 'time', 'file'];
    expect(readGridLayout({ hidden: [], offered: all }, columns).hidden).toEqual([]);
    expect(readGridLayout({ hidden: [], offered: ['time'] }, columns).hidden).toEqual(['file']);
  });

  it('begin as they do when they come to a table, and return as the user left them', () => {
    const before = readGridLayout({ hidden: ['time'], offered: ['name', 'time'] }, columns.slice(0, 2));
    const came = withColumns(before, columns);
    expect(came).toEqual({ widths: {}, hidden: ['time', 'file'], offered: ['name', 'time', 'file'] });
    const chosen = { ...came, hidden: [] };
    expect(withColumns(withColumns(chosen, columns.slice(0, 1)), columns)).toEqual(chosen);
  });

  it('survive any kept layout', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const { widths, hidden } = readGridLayout(value, columns);
        expect(Object.values(widths).every((width) => width >= minimumColumnWidth)).toBe(true);
        expect(hidden).not.toContain('name');
      }),
    );
  });
});

describe('keys', () => {
  const press = (
    key: string,
    more: { ctrlKey?: boolean; shiftKey?: boolean } = {},
  ): ReturnType<typeof gridAction> =>
    gridAction({ key, ctrlKey: false, altKey: false, metaKey: false, shiftKey: false, ...more });

  it('move, open, close, and open the menu', () => {
    expect(press('ArrowDown')).toEqual({ kind: 'move', by: 1 });
    expect(press('ArrowLeft')).toEqual({ kind: 'close' });
    expect(press('F10', { shiftKey: true })).toEqual({ kind: 'menu' });
    expect(press('*')).toEqual({ kind: 'siblings' });
  });

  it('leave alone what belongs to others', () => {
    for (const key of ['Tab', 'Escape', 'F10', ' ', 'toString', 'Shift']) expect(press(key)).toBeUndefined();
    expect(press('c', { ctrlKey: true })).toBeUndefined();
  });

  it('that are typed make a word, until a pause', () => {
    const typed = new TypeAhead();
    expect(typed.add('M', 0)).toEqual({ prefix: 'm', fromNext: true });
    expect(typed.add('a', 100)).toEqual({ prefix: 'ma', fromNext: false });
    expect(typed.add('s', 2000)).toEqual({ prefix: 's', fromNext: true });
    expect(typed.add('s', 2100)).toEqual({ prefix: 's', fromNext: true });
  });
});
