import { printFocus } from '../../src/core/diagnosis/resources/focusText';
import type { SearchNode } from '../../src/core/diagnosis/search/searchRecord';
import type { DiagnosisHeader } from '../../src/core/views/diagnosis/diagnosisPieces';
import type {
  DiagnosisAction,
  DiagnosisEvents,
  DiagnosisExport,
  DiagnosisRequests,
  DiagnosisShown,
} from '../../src/protocol/diagnosis';
import { button } from '../ui/controls/button';
import { adaptiveSplitter } from '../ui/controls/adaptiveSplitter';
import { copyItem, openMenu, type MenuItem, type MenuPlace } from '../ui/controls/menu';
import { tabs } from '../ui/controls/tabs';
import { OpenedPage } from '../ui/opened/openedPage';
import { isCancelled, isFindKey, Newest, type Shell } from '../ui/page/shell';
import { details } from './details';
import { header } from './header';
import { loadNodes, visibleHeader } from './load';
import { searchList } from './searchList';
import { canFold, foldedRows } from './foldedRows';
import { experimentRows, type SearchRow, type SearchRows } from './searchRows';
import { mostRevealed, ShownRows } from './shownRows';
import { thresholdList } from './thresholds';
import { mostOpenKept, type ViewState } from './viewState';
import { rowSentence, SearchWords } from './words';

/** Narrower panels show the details below the list. */
const wideEnough = 900;

/** How much longer than showing a state of a search that goes on the page rests before the next one, so that it answers the user. */
const restFactor = 3;

export type DiagnosisShell = Shell<DiagnosisRequests, DiagnosisEvents, ViewState>;

/** What was shown of a search, by the places of its rows. */
interface ShownBefore {
  /** Undefined: the rows that lead to what is true. */
  readonly open: readonly number[] | undefined;
  readonly selected: number | undefined;
  /** Rows to open the way to. */
  readonly revealed?: readonly number[];
}

/** The owner of the panel's content: asks for the search, shows it as tree and graph, and keeps what is looked at. */
export class DiagnosisView {
  private header: DiagnosisHeader | undefined;
  private nodes: readonly SearchNode[] = [];
  private rows: ShownRows | undefined;
  private selected: number | undefined;
  private readonly loading = new Newest();
  /** The search that is being fetched, and the one that was reported last. */
  private reading: DiagnosisHeader | undefined;
  private newest: DiagnosisHeader | undefined;
  /** Whether what is shown is the next state of a search that goes on. */
  private isGrowing = false;
  private readonly page;
  private readonly top;
  private readonly list;
  private readonly details;
  private readonly thresholds;

  constructor(private readonly shell: DiagnosisShell) {
    const { state } = shell;
    const act = (action: DiagnosisAction) => (): void => shell.act('act', { action });
    this.top = header({
      cancel: () => shell.act('cancel', {}, ({ cancelled }) => (cancelled ? 'Cancelled' : undefined)),
      act: (action) => act(action)(),
      save: () => {
        if (this.header !== undefined) this.save({ kind: 'search', id: this.header.id });
      },
    });
    this.list = searchList(state, {
      layout: (count, edges, signal) => shell.channel.request('layout', { count, edges }, { signal }),
      onError: (error) => shell.warn(error),
      onSelect: (row) => this.select(row),
      onActivate: (row) => this.openSource(row),
      onMenu: (row, place) => this.menu(row, place),
      onView: (part) => shell.keep(part),
      onOpen: () => this.keepOpen(),
      onFold: (isUnfolded) => {
        shell.keep({ isUnfolded });
        this.showRows();
      },
      savePicture: (kind, content) =>
        this.save({ kind: kind === 'csv' ? 'table' : kind, name: 'search graph', content }),
    });
    this.details = details({
      openSource: () => {
        if (this.selected !== undefined) this.openSource(this.selected);
      },
      goTo: (experiment) => this.goTo(experiment),
    });
    this.thresholds = thresholdList((thresholds) => shell.act('setThresholds', { thresholds }));
    const pages = tabs({
      label: 'About the search',
      tabs: [
        { id: 'details', label: 'Details', content: this.details.element },
        { id: 'thresholds', label: 'Thresholds', content: this.thresholds.element },
      ],
      selected: state.detail,
      onSelect: (detail) => shell.keep({ detail }),
    });
    const parts = adaptiveSplitter({
      first: { element: this.list.element, name: 'the search' },
      second: pages.element,
      wideEnough,
      share: state.listShare,
      onShare: (listShare) => shell.keep({ listShare }),
    });
    shell.top.append(this.top.element);
    shell.content.append(parts.element);
    const another = { label: 'Diagnose Another Measurement…', run: act('chooseInput') };
    this.page = new OpenedPage<DiagnosisHeader, Omit<DiagnosisShown, 'kind'>>(shell, {
      header: this.top,
      reading: 'Reading the search',
      making: 'Searching for what makes the program slow',
      cancelled: 'The search was cancelled.',
      again: () => ({ label: 'Search Again', run: act('makeAgain') }),
      empty: (text) => ({ text, action: another }),
      failed: () => [
        button({ label: another.label, onClick: another.run }),
        button({ label: 'Import a Saved Search…', onClick: act('import') }),
      ],
      keepsPrevious: () => this.header !== undefined,
      visible: visibleHeader,
      begin: () => undefined,
      show: (of) => void this.read(of),
      forget: () => (this.header = undefined),
    });
    shell.onKey((event) => {
      if (!isFindKey(event)) return false;
      this.list.focusSearch();
      return true;
    });
  }

  open(): Promise<void> {
    return this.page.open();
  }

  /** Fetches and shows the experiments of a search; of one that goes on, the newest state as soon as the last one is shown. */
  private async read(of: DiagnosisHeader): Promise<void> {
    this.newest = of;
    if (this.reading?.wanted !== undefined) return;
    this.reading = of;
    const signal = this.loading.next();
    const { header: before, nodes: known } = this;
    try {
      const nodes = await loadNodes(
        this.shell.channel,
        of,
        signal,
        before && { id: before.id, nodes: known },
      );
      const begin = performance.now();
      this.show(of, nodes);
      this.shell.show(undefined);
      if (of.wanted !== undefined) await pause(restFactor * (performance.now() - begin));
    } catch (error) {
      // What was asked for may be older than what the engine remembers of a search that goes on.
      if (this.newest === of && !isCancelled(error)) {
        this.header = undefined;
        this.shell.fail(error, () => void this.open());
      }
    }
    if (this.reading !== of) return;
    this.reading = undefined;
    if (this.newest !== of) await this.read(this.newest);
  }

  private show(of: DiagnosisHeader, nodes: readonly SearchNode[]): void {
    const { state } = this.shell;
    this.isGrowing = this.rows !== undefined && this.header?.wanted !== undefined;
    this.header = of;
    this.nodes = nodes;
    const trueOnes = nodes.filter(({ truth }) => truth === 'true');
    this.top.showSummary(of, trueOnes.length);
    this.thresholds.show(of, countsOf(trueOnes));
    const isKept = this.rows === undefined && state.id === of.id;
    this.showRows(
      isKept ? { open: state.isOpened ? state.open : undefined, selected: state.selected } : undefined,
    );
    this.shell.keep({ id: of.id });
  }

  /** The places of the rows that are shown in other ones, by what they stand for. */
  private placesIn(all: SearchRows): ((row: number) => number | undefined) | undefined {
    const { rows, isGrowing } = this;
    if (rows === undefined) return undefined;
    const places = new Map(all.rows.slice(0, all.count).map(({ key }, row) => [key, row]));
    return (position) => {
      const { key, experiments } = rows.row(position);
      const [first] = experiments;
      // What a folded row stands for is part of another one when it is true.
      const place = isGrowing && first !== undefined ? all.rowOf[first.id] : undefined;
      return places.get(key) ?? (place !== undefined && place >= 0 ? place : undefined);
    };
  }

  /** @param kept what was open and selected in the same rows; else the same experiments are, as far as they were shown before, and what has become true is opened */
  private showRows(kept?: ShownBefore): void {
    const { header: of, nodes } = this;
    if (of === undefined) return;
    const words = new SearchWords(of);
    const isFoldable = canFold(nodes);
    const isFolded = isFoldable && !this.shell.state.isUnfolded;
    const all = isFolded ? foldedRows(nodes, words) : experimentRows(nodes, words);
    const placeOf = this.rows?.isFolded === isFolded ? this.placesIn(all) : undefined;
    const before = kept ?? (placeOf && this.samePlaces(all, placeOf));
    const isGrowing = this.isGrowing && placeOf !== undefined;
    this.rows = new ShownRows(all, words, isFolded, this.shell.state, before?.open);
    this.rows.reveal(...(before?.revealed ?? []));
    this.list.show(this.rows, of, isFoldable, isGrowing ? placeOf : undefined);
    this.keepOpen();
    this.selectShown(before?.selected, !isGrowing);
  }

  /** Selects a row, or else the first one that is true. */
  private selectShown(wanted: number | undefined, isRevealed: boolean): void {
    const { rows } = this;
    if (rows === undefined) return;
    const shown = [...rows.rows];
    const first = shown.find((row) => rows.row(row).truth === 'true') ?? shown[0];
    const selected = wanted !== undefined && wanted < rows.all.rows.length ? wanted : first;
    if (selected === undefined) this.details.say('No experiment is shown.');
    else this.select(selected, isRevealed);
  }

  /** What was open and selected before, by the places of the same experiments in other rows. */
  private samePlaces(all: SearchRows, placeOf: (row: number) => number | undefined): ShownBefore | undefined {
    const { rows, selected, isGrowing } = this;
    if (rows === undefined) return undefined;
    const wasTrue = new Set(rows.all.rows.flatMap(({ truth, key }) => (truth === 'true' ? [key] : [])));
    const newlyTrue = all.rows
      .slice(0, all.count)
      .flatMap(({ truth, key }, row) => (truth === 'true' && !wasTrue.has(key) ? [row] : []));
    const kept = selected === undefined ? undefined : placeOf(selected);
    const shown = newlyTrue.slice(0, mostRevealed);
    return {
      // Where a search goes on is below what has become true.
      open: [...rows.open.flatMap((row) => placeOf(row) ?? []), ...(isGrowing ? shown : [])],
      selected: kept,
      revealed: isGrowing || kept === undefined ? shown : [...shown, kept],
    };
  }

  private select(row: number, isRevealed = true): void {
    const { rows, header: of } = this;
    if (rows === undefined || of === undefined) return;
    this.selected = row;
    this.list.select(row, isRevealed);
    this.details.show(rows.row(row), {
      words: rows.words,
      nodes: this.nodes,
      isTimed: of.clock !== 'recorded',
    });
    this.shell.keep({ selected: row });
  }

  /** Shows an experiment by itself: what is folded is unfolded. */
  private goTo(experiment: number): void {
    if (this.rows?.isFolded === true && (this.nodes[experiment]?.focus.Machine.length ?? 0) > 0) {
      this.shell.keep({ isUnfolded: true });
      this.showRows();
    }
    const row = this.rows?.all.rowOf[experiment] ?? -1;
    if (row < 0) return;
    this.rows?.reveal(row);
    this.list.update();
    this.keepOpen();
    this.select(row);
  }

  private keepOpen(): void {
    const open = this.rows?.open ?? [];
    this.shell.saved.saveSoon(() => ({
      ...this.shell.state,
      open: open.slice(0, mostOpenKept),
      isOpened: open.length <= mostOpenKept,
    }));
  }

  private openSource(row: number): void {
    const { rows, header: of } = this;
    if (rows === undefined || of === undefined) return;
    const [node] = rows.row(row).experiments;
    const name = node?.focus.Code[1];
    if (node === undefined || name === undefined) {
      this.shell.notice.say('The experiment does not name a function: select one below it.');
      return;
    }
    this.shell.act('openSource', { id: of.id, node: node.id }, ({ opened }) => {
      if (!opened)
        this.shell.notice.say(
          `No function ${name} is known here: measure this program once, or open its folder.`,
        );
      return undefined;
    });
  }

  private menu(row: number, place: MenuPlace): void {
    const { rows } = this;
    if (rows === undefined) return;
    const shown = rows.row(row);
    const [first] = shown.experiments;
    const change = (act: () => void) => (): void => {
      act();
      this.list.update();
      this.keepOpen();
    };
    openMenu(
      shown.label,
      [
        {
          label: 'Go to Source',
          keys: 'Enter',
          disabled:
            first !== undefined && first.focus.Code.length > 1 ? undefined : 'It does not name a function.',
          run: () => this.openSource(row),
        },
        ...this.shadowItems(shown),
        'separator',
        { label: 'Open Everything Below', run: change(() => rows.setBelow(row, true)) },
        { label: 'Close Everything Below', run: change(() => rows.setBelow(row, false)) },
        'separator',
        ...(first === undefined ? [] : [copyItem('Copy Focus', printFocus(first.focus))]),
        copyItem('Copy as a Sentence', rowSentence(rows.words, shown)),
      ],
      place,
    );
  }

  private shadowItems({ isShadow, experiments: [own] }: SearchRow): readonly MenuItem[] {
    if (!isShadow || own === undefined) return [];
    return [{ label: 'Go to the Experiment Itself', run: () => this.goTo(own.id) }];
  }

  private save(given: DiagnosisExport): void {
    this.shell.act('save', given, ({ saved }) => (saved ? 'Saved' : undefined));
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Number of experiments by hypothesis. */
function countsOf(nodes: readonly SearchNode[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { hypothesis } of nodes) counts.set(hypothesis, (counts.get(hypothesis) ?? 0) + 1);
  return counts;
}
