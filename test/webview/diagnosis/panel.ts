import { at } from '../../../src/core/at';
import type { SearchRecord } from '../../../src/core/diagnosis/search/searchRecord';
import { KymoError } from '../../../src/core/errors';
import { experimentBox, type DiagnosisHeader } from '../../../src/core/views/diagnosis/diagnosisPieces';
import { diagnosisGuards } from '../../../src/editor/surfaces/panels/diagnosis/requests';
import type { Answers } from '../../../src/editor/surfaces/panels/panelChannel';
import type { DiagnosisEvents, DiagnosisRequests, DiagnosisShown } from '../../../src/protocol/diagnosis';
import { layeredLayout } from '../../../src/workflows/layout/layeredLayout';
import { useViews } from '../lib/useViews';
import type { View } from '../lib/view';
import { hypotheses, solver } from './searches';

const views = useViews();

/** The panel in a browser, as it was opened last. */
export let view: View<DiagnosisRequests, DiagnosisEvents>;
/** What it asked since then. */
export const asked: (readonly [name: keyof DiagnosisRequests, parameters: unknown])[] = [];
/** Searches by their ids. */
let searches: Record<string, SearchRecord> = {};
/** Whether functions have a place. */
let isKnown = true;

const usual = Object.fromEntries(hypotheses.map(({ id, threshold }) => [id, threshold]));
const common = { panel: '{"path":"/study"}', title: 'solver, i3.r1' };

/** The panel's document of a search, which the extension then serves. */
export function done(
  search: SearchRecord,
  more: Partial<DiagnosisHeader> = {},
): Extract<DiagnosisShown, { readonly kind: 'done' }> {
  const { nodes, ...rest } = search;
  const id = `search-${Object.keys(searches).length}`;
  searches[id] = search;
  return {
    ...common,
    kind: 'done',
    header: { ...rest, id, count: nodes.length, usualThresholds: usual, notes: [], ...more },
  };
}

export const facts = common;

export async function open(
  options: {
    readonly search?: SearchRecord;
    readonly header?: Partial<DiagnosisHeader>;
    readonly shown?: DiagnosisShown;
    readonly state?: unknown;
    readonly size?: { readonly width: number; readonly height: number };
    readonly isUnknown?: boolean;
  } = {},
): Promise<void> {
  const { search = solver(), header = {}, shown, isUnknown = false, ...rest } = options;
  if (shown === undefined) searches = {};
  asked.length = 0;
  isKnown = !isUnknown;
  const first = shown ?? done(search, header);
  view = await views.open<DiagnosisRequests, DiagnosisEvents>({
    entry: 'webview/diagnosis/main.ts',
    answers: answersOf(first),
    size: { width: 1280, height: 760 },
    ...rest,
  });
}

function answersOf(shown: DiagnosisShown): Answers<DiagnosisRequests> {
  const note = <Name extends keyof DiagnosisRequests, Result>(
    name: Name,
    answer: (given: DiagnosisRequests[Name]['parameters']) => Result,
  ) => ({
    guard: diagnosisGuards[name],
    answer: (given: DiagnosisRequests[Name]['parameters']) => {
      asked.push([name, given]);
      return answer(given);
    },
  });
  return {
    open: note('open', () => shown),
    nodes: note('nodes', ({ id, first, count, since }) => piece(id, first, count, since)),
    layout: note('layout', ({ count, edges }) => placed(count, edges)),
    openSource: note('openSource', () => ({ opened: isKnown })),
    setThresholds: note('setThresholds', () => ({ started: true })),
    cancel: note('cancel', () => ({ cancelled: true })),
    save: note('save', () => ({ saved: true })),
    act: note('act', () => ({})),
  };
}

/** As the engine does: without what is the same in an earlier state. */
function piece(id: string, first: number, count: number, since: string | undefined) {
  const nodes = searches[id]?.nodes.slice(first, first + count);
  if (nodes === undefined) throw new KymoError('diagnosis-changed', 'The search is another one now.');
  const before = searches[since ?? '']?.nodes;
  return nodes.filter((node) => JSON.stringify(before?.[node.id]) !== JSON.stringify(node));
}

function placed(count: number, edges: Uint32Array) {
  const pairs = Array.from(
    { length: edges.length / 2 },
    (_, edge) => [at(edges, 2 * edge), at(edges, 2 * edge + 1)] as const,
  );
  const { width, height, centres, ways } = layeredLayout({
    count,
    edges: pairs,
    box: experimentBox,
    gap: { inLayer: 10, layers: 44 },
    direction: 'right',
  });
  return {
    width,
    height,
    centres: Float64Array.from(centres.flatMap(({ x, y }) => [x, y])),
    ways: ways.map((points) => Float64Array.from(points.flatMap(({ x, y }) => [x, y]))),
  };
}

export const frame = (): Promise<void> =>
  view.page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
export const rows = () => view.page.locator('.search-list .grid-row:visible');
export const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
export const names = async (): Promise<readonly string[]> =>
  (await rows().locator('.grid-cell:first-child').allInnerTexts()).map(plain);
export const ready = async (milliseconds = 20_000): Promise<void> => {
  await view.page.locator('.experiment-title:visible').waitFor({ timeout: milliseconds });
  await frame();
};
export const last = (name: keyof DiagnosisRequests): unknown => asked.findLast(([one]) => one === name)?.[1];
export const choose = (name: string): Promise<void> =>
  rows()
    .filter({ has: view.page.getByText(name, { exact: true }) })
    .first()
    .click();
export const details = async (): Promise<string> => plain(await view.page.locator('.experiment').innerText());
