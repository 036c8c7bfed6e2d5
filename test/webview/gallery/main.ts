// Every shared control on one page, so that they are tested without a view of the product.
import { pageRoot } from '../../../webview/ui/page/page';
import { badge } from '../../../webview/ui/controls/badge';
import { button, iconButton } from '../../../webview/ui/controls/button';
import { Channel, type VsCodeApi } from '../../../webview/ui/page/channel';
import { chart } from '../../../webview/charts/chart';
import '../../../webview/charts/lines';
import { checkbox } from '../../../webview/ui/controls/checkbox';
import { copyText } from '../../../webview/ui/base/clipboard';
import { element } from '../../../webview/ui/base/dom';
import { dropdown } from '../../../webview/ui/controls/dropdown';
import { Grid } from '../../../webview/ui/grid/grid';
import { setHighlighted } from '../../../webview/ui/base/highlight';
import { openMenu } from '../../../webview/ui/controls/menu';
import { messageArea } from '../../../webview/ui/page/messageArea';
import { progressBar } from '../../../webview/ui/controls/progress';
import { searchBox } from '../../../webview/ui/search/searchBox';
import { slider } from '../../../webview/ui/controls/slider';
import { splitter } from '../../../webview/ui/controls/splitter';
import { tabs } from '../../../webview/ui/controls/tabs';
import { toolbar } from '../../../webview/ui/controls/toolbar';
import type { GalleryEvents, GalleryRequests } from './protocol';

declare function acquireVsCodeApi(): VsCodeApi;

const api = acquireVsCodeApi();
const channel = new Channel<GalleryRequests, GalleryEvents>(api);
const log = element('output', { class: 'muted', label: 'Log' });
const say = (text: string): void => {
  log.textContent = text;
};

const rowCount = 100_000;
const open = new Set<number>();
let times: Float64Array = new Float64Array(rowCount);
/** Every 10th row has the following nine as children. */
const isRoot = (row: number): boolean => row % 10 === 0;
const visible = (): Int32Array => {
  const rows = new Int32Array(rowCount);
  let count = 0;
  for (let row = 0; row < rowCount; row++) if (isRoot(row) || open.has(row - (row % 10))) rows[count++] = row;
  return rows.subarray(0, count);
};
const nameOf = (row: number): string => (row === 20 ? '<img src=x onerror=alert(1)>' : `function_${row}`);
const grid = new Grid({
  label: 'Functions',
  columns: [
    {
      id: 'name',
      title: 'Function',
      width: 260,
      text: nameOf,
      render: (row, cell) => setHighlighted(cell, nameOf(row), row === 10 ? [[0, 8]] : []),
    },
    {
      id: 'time',
      title: 'Time',
      tooltip: 'Seconds in the function',
      width: 100,
      align: 'end',
      sort: 'descending',
      text: (row) => `${(times[row] ?? 0).toFixed(3)} s`,
      bar: (row) => (rowCount - row) / rowCount,
    },
    {
      id: 'visits',
      title: 'Visits',
      width: 90,
      align: 'end',
      sort: 'descending',
      text: (row) => `${row * 3}`,
    },
    { id: 'file', title: 'File', width: 160, hidden: true, text: (row) => `file${row % 7}.c` },
  ],
  tree: {
    level: (row) => (isRoot(row) ? 1 : 2),
    state: (row) => (!isRoot(row) ? 'leaf' : open.has(row) ? 'open' : 'closed'),
  },
  onToggle: (row, isOpen) => {
    if (isOpen) open.add(row);
    else open.delete(row);
    grid.setRows(visible());
  },
  onToggleSiblings: () => {
    for (let row = 0; row < rowCount; row += 10) open.add(row);
    grid.setRows(visible());
  },
  onActivate: (row) => say(`activated ${row}`),
  onSelect: (row) => say(`selected ${row ?? 'nothing'}`),
  onSort: (sort) => say(`sort ${sort.column} ${sort.direction}`),
  onMenu: (row, place) =>
    openMenu(
      nameOf(row),
      [
        { label: 'Open Source', keys: 'Enter', run: () => say(`open ${row}`) },
        { label: 'Copy Name', run: () => void copyText(nameOf(row)) },
        'separator',
        { label: 'Include', checked: false, run: () => say(`include ${row}`) },
        { label: 'Exclude', disabled: 'Nothing was measured.', run: () => say(`exclude ${row}`) },
      ],
      place,
    ),
});
grid.setRows(visible());

const next = button({
  label: 'Next Iteration',
  icon: 'next',
  appearance: 'primary',
  onClick: () => say('next'),
});
const stop = button({ label: 'Stop', icon: 'stop', onClick: () => say('stop') });
stop.setDisabled('Nothing runs.');
const search = searchBox({
  label: 'Search functions',
  onQuery: ({ text, regex }) => {
    search.setOutcome({ matches: text === 'none' ? 0 : 3, current: text === '' ? -1 : 0 });
    say(`query ${text} ${regex ? 'regex' : 'text'}`);
  },
  onStep: (direction) => say(`step ${direction}`),
});
const rule = dropdown({
  label: 'Reason',
  choices: [
    { value: 'all', label: 'All reasons' },
    { value: 'hot', label: 'Hot' },
    { value: 'cold', label: 'Too cold to matter' },
  ],
  value: 'hot',
  onChange: (value) => say(`reason ${value}`),
});
const changed = checkbox({ label: 'Only changed', onChange: (checked) => say(`changed ${String(checked)}`) });
const least = slider({
  label: 'At least',
  count: 5,
  position: 1,
  text: (position) => `${position * 10} %`,
  onChange: (position) => say(`least ${position}`),
});
const progress = progressBar('Refinement');
progress.setFraction(0.4);

const picture = chart({ label: 'Overhead per iteration', onChoose: (at) => say(`point ${at}`) });
picture.setData({
  categories: ['0', '1', '2', '3'],
  categoryTitle: 'Iteration',
  left: { title: 'Overhead', format: (value) => `${value} %` },
  right: { title: 'Functions', format: (value) => String(value) },
  references: [{ label: 'target 5 %', value: 5 }],
  series: [
    {
      label: 'Measured overhead',
      kind: 'line',
      color: 'orange',
      values: [14, 7, 4, 3.5],
      band: [
        [12, 16],
        [6, 8],
        [3, 5],
        [3, 4],
      ],
    },
    {
      label: 'Predicted overhead',
      kind: 'line',
      color: 'blue',
      dashed: true,
      values: [undefined, 8, 4.5, 3],
    },
    { label: 'Functions', kind: 'bar', axis: 'right', color: 'green', values: [310, 80, 24, 24] },
  ],
});
const message = messageArea();
message.show({
  kind: 'error',
  text: 'The profile cannot be read.',
  detail: 'profile.cubex ends at byte 512; its index says 4096.',
  action: { label: 'Try Again', run: () => say('again') },
});
const loading = messageArea();
loading.show({ kind: 'loading', text: 'Reading 100,000 call paths…' });

const gridPage = grid.element;
const chartPage = element('div', { class: 'fill' });
chartPage.append(
  splitter({
    label: 'Size of the chart',
    direction: 'rows',
    first: picture.element,
    second: element('div', { class: 'tab-content' }, message.element, loading.element),
    share: 0.6,
  }).element,
);
const pages = tabs({
  label: 'Views',
  tabs: [
    { id: 'grid', label: 'Call Tree', content: gridPage },
    { id: 'chart', label: 'Iterations', content: chartPage },
  ],
  onSelect: (id) => api.setState({ tab: id }),
});

const columnsButton = iconButton('columns', 'Columns', () => grid.showColumnChooser(columnsButton.element));
pageRoot().append(
  toolbar('Refinement', next, stop, columnsButton, 'gap', badge('3')).element,
  toolbarLine(),
  progress.element,
  pages.element,
  log,
);

function toolbarLine(): HTMLElement {
  return element(
    'div',
    { class: 'toolbar row' },
    search.element,
    rule.element,
    changed.element,
    least.element,
  );
}

channel.on('say', say);
channel.ready();
void load();

async function load(): Promise<void> {
  try {
    times = await channel.request('times', { count: rowCount });
    grid.refresh();
    say('loaded');
  } catch (error) {
    say(String(error));
  }
}

const state = api.getState();
if (typeof state === 'object' && state !== null && 'tab' in state && state.tab === 'chart')
  pages.select('chart');
