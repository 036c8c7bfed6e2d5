import { formatCount, formatPercent, formatSecondsUpTo } from '../../../src/core/format';
import { largestOf } from '../../../src/core/views/columnUnit';
import type {
  TimelineFunction,
  TimelineProfile,
  TimelineProfileRow,
} from '../../../src/core/timeline/pieces';
import { element, type Control } from '../../ui/base/dom';
import { button } from '../../ui/controls/button';
import { checkbox } from '../../ui/controls/checkbox';
import type { MenuPlace } from '../../ui/controls/menu';
import { toolbar } from '../../ui/controls/toolbar';
import type { GridColumn, GridLayout, SortOrder } from '../../ui/grid/columns';
import { Grid } from '../../ui/grid/grid';
import { messageArea } from '../../ui/page/messageArea';
import { exclusiveShare, profileCsv, sortedRows } from './profileRows';

/** What the table shows. */
export interface ShownProfile {
  readonly profile: TimelineProfile;
  readonly functions: readonly TimelineFunction[];
  /** Of the functions, for the table. */
  readonly names: readonly string[];
  /** In words: rows and time. */
  readonly of: string;
  readonly messages: string;
}

export interface ProfilePane extends Control {
  show(shown: ShownProfile | undefined): void;
  /** Something else is being read: what is shown is of another range. */
  setWaiting(waits: boolean): void;
  /** Whether a range is selected, which can be cleared and zoomed to. */
  setRange(hasRange: boolean): void;
  setColor(color: (position: number) => string): void;
  /** Selects a function without calling `onSelect`. */
  select(position: number | undefined): void;
  /** The table for a spreadsheet; undefined: nothing is shown. */
  csv(): string | undefined;
}

/** The functions in a range of rows and time, what took longest first. */
export function profilePane(
  actions: {
    readonly onSelect: (position: number | undefined) => void;
    readonly onActivate: (position: number) => void;
    readonly onMenu: (position: number, place: MenuPlace) => void;
    readonly onOnlyRow: (only: boolean) => void;
    readonly onZoom: () => void;
    readonly onClear: () => void;
    readonly onSort: (sort: SortOrder) => void;
    readonly onLayout: (layout: GridLayout) => void;
  },
  saved: { readonly sort: SortOrder; readonly layout?: unknown; readonly onlyRow: boolean },
): ProfilePane {
  let shown: ShownProfile | undefined;
  let largest = { exclusive: 0, inclusive: 0 };
  let order: readonly number[] = [];
  let sort = saved.sort;
  let color: (position: number) => string = () => 'transparent';
  let selected: number | undefined;
  const row = (position: number): TimelineProfileRow | undefined => shown?.profile.rows[position];
  const name = (position: number): string => shown?.names[position] ?? '';
  const functionOf = (position: number): number => row(position)?.function ?? -1;
  const number = (
    id: string,
    title: string,
    tooltip: string,
    width: number,
    text: (of: TimelineProfileRow) => string,
    share?: (of: TimelineProfileRow) => number,
  ): GridColumn => ({
    id,
    title,
    tooltip,
    width,
    align: 'end',
    sort: 'descending',
    text: (position) => {
      const of = row(position);
      return of === undefined ? '' : text(of);
    },
    ...(share !== undefined && {
      bar: (position: number) => {
        const of = row(position);
        return of === undefined ? 0 : share(of);
      },
    }),
  });
  const shareOf = (of: TimelineProfileRow): number =>
    shown === undefined ? 0 : exclusiveShare(of, shown.profile);
  const grid = new Grid({
    label: 'Profile',
    columns: [
      {
        id: 'function',
        title: 'Function',
        width: 116,
        sort: 'ascending',
        text: (position) => name(functionOf(position)),
        cellTooltip: (position) => placeText(shown?.functions[functionOf(position)]),
        render: (position, cell) => {
          const swatch = element('span', { class: 'swatch', attributes: { 'aria-hidden': 'true' } });
          swatch.style.background = color(functionOf(position));
          cell.replaceChildren(swatch, name(functionOf(position)));
        },
      },
      number(
        'share',
        'Share',
        'Exclusive time, of the time of all rows in the range',
        72,
        (of) => formatPercent(shareOf(of)),
        shareOf,
      ),
      number('exclusive', 'Exclusive', 'Time in the function itself, all rows together', 92, (of) =>
        formatSecondsUpTo(of.exclusiveSeconds, largest.exclusive),
      ),
      number('inclusive', 'Inclusive', 'Time from entering to leaving, all rows together', 84, (of) =>
        formatSecondsUpTo(of.inclusiveSeconds, largest.inclusive),
      ),
      number('visits', 'Visits', 'Calls that began in the range', 62, (of) => formatCount(of.visits)),
    ],
    layout: saved.layout,
    sort,
    onSelect: (position) => {
      selected = position === undefined ? undefined : functionOf(position);
      actions.onSelect(selected);
    },
    onActivate: (position) => actions.onActivate(functionOf(position)),
    onMenu: (position, place) => actions.onMenu(functionOf(position), place),
    onSort: (wanted) => {
      sort = wanted;
      actions.onSort(wanted);
      update();
    },
    onLayout: actions.onLayout,
  });
  const facts = element('p', { class: 'profile-facts' });
  const onlyRow = checkbox({
    label: 'Only the selected row',
    checked: saved.onlyRow,
    onChange: actions.onOnlyRow,
  });
  const zoom = button({
    label: 'Zoom to Range (Z)',
    icon: 'zoomReset',
    appearance: 'icon',
    shortcut: 'Z',
    onClick: actions.onZoom,
  });
  const clear = button({
    label: 'Clear Range (Escape)',
    icon: 'close',
    appearance: 'icon',
    shortcut: 'Escape',
    onClick: actions.onClear,
  });
  const message = messageArea();
  const pane = element(
    'section',
    { class: 'fill profile-pane', label: 'Profile' },
    element('h2', { class: 'pane-title', text: 'Profile' }),
    facts,
    toolbar('Range of the profile', onlyRow, 'gap', zoom, clear).element,
    message.element,
    grid.element,
  );
  const update = (): void => {
    order = shown === undefined ? [] : sortedRows(shown.profile, sort, name);
    grid.setRows(order);
    const position = shown?.profile.rows.findIndex((one) => one.function === selected) ?? -1;
    grid.select(position < 0 ? undefined : position, { reveal: false });
    facts.textContent =
      shown === undefined ? '' : shown.messages === '' ? `${shown.of}.` : `${shown.of}. ${shown.messages}.`;
    const isEmpty = shown !== undefined && order.length === 0;
    grid.element.hidden = isEmpty || shown === undefined;
    message.show(
      shown === undefined
        ? { kind: 'loading', text: 'Reading the profile' }
        : isEmpty
          ? { kind: 'empty', text: 'Nothing was recorded there.' }
          : undefined,
    );
  };
  const setRange = (hasRange: boolean): void => {
    zoom.element.hidden = !hasRange;
    clear.element.hidden = !hasRange;
  };
  setRange(false);
  update();
  return {
    element: pane,
    show: (given) => {
      shown = given;
      const rows = given?.profile.rows ?? [];
      largest = {
        exclusive: largestOf(rows.map(({ exclusiveSeconds }) => exclusiveSeconds)),
        inclusive: largestOf(rows.map(({ inclusiveSeconds }) => inclusiveSeconds)),
      };
      update();
    },
    setWaiting: (waits) => {
      pane.classList.toggle('waiting', waits);
      pane.setAttribute('aria-busy', String(waits));
    },
    setRange,
    setColor: (given) => {
      color = given;
      grid.refresh();
    },
    select: (position) => {
      selected = position;
      update();
    },
    csv: () => (shown === undefined ? undefined : profileCsv(shown.profile, order, shown.functions)),
  };
}

function placeText(of: TimelineFunction | undefined): string | undefined {
  if (of === undefined) return undefined;
  const { file, line } = of.place;
  return file === undefined ? of.name : `${of.name}\n${file}${line === undefined ? '' : `:${line}`}`;
}
