import type {
  Characteristic,
  ComparisonHeader,
  ComparisonSettings,
} from '../../src/core/trace/comparisonPieces';
import {
  type ComparedPart,
  type ComparisonEvents,
  type ComparisonRequests,
  type ComparisonShown,
} from '../../src/protocol/comparison';
import { announce } from '../ui/base/liveRegion';
import { element } from '../ui/base/dom';
import { button } from '../ui/controls/button';
import { copyItem, openMenu, type MenuPlace } from '../ui/controls/menu';
import { splitter } from '../ui/controls/splitter';
import { History, historyKey } from '../ui/page/history';
import { isFindKey, Newest, type Shell } from '../ui/page/shell';
import { OpenedPage } from '../ui/opened/openedPage';
import { finder } from './controls/finder';
import { header } from './controls/header';
import { optionsBar } from './controls/optionsBar';
import { partsForm } from './controls/partsForm';
import { summary } from './controls/summary';
import {
  fittingOptions,
  settingsOf,
  targetOf,
  usualOptions,
  withLink,
  withSettings,
  type Options,
  type Target,
} from './options';
import { LoadedRows } from './loadedRows';
import type { Asked, RowSource } from './rowSource';
import type { ViewState } from './viewState';
import { ViewsArea } from './views/viewsArea';
import { entryText, pairSentence, rowSentence, visibleHeader } from './words';

export type ComparisonShell = Shell<ComparisonRequests, ComparisonEvents, ViewState>;

/** Steps that follow each other quickly are one to undo. */
const sliding: readonly string[] = ['Sensitivity', 'Hot Spots', 'Depth'];

/** The owner of the panel's content: requests data from the extension, receives its events, and saves the view's state. */
export class ComparisonView {
  private header: ComparisonHeader | undefined;
  private parts: readonly ComparedPart[] = [];
  private options: Options = usualOptions;
  private history: History<Options> | undefined;
  /** The view that the user looks at: whose options are shown, and where is searched. */
  private focused = 0;
  private readonly summing = new Newest();
  private readonly finding = new Newest();
  private resized: ReturnType<typeof setTimeout> | undefined;
  private readonly page;
  private readonly top;
  private readonly bar;
  private readonly form;
  private readonly finder;
  private readonly summary;
  private readonly views;
  private readonly rows;

  constructor(private readonly shell: ComparisonShell) {
    const { channel, state } = shell;
    this.top = header({
      undo: () => this.restore(this.history?.undo(), 'Undone'),
      redo: () => this.restore(this.history?.redo(), 'Redone'),
      cancel: () => shell.act('cancel', {}, ({ cancelled }) => (cancelled ? 'Cancelled' : undefined)),
      act: (action) => shell.act('act', { action }),
      chooseParts: () => this.showForm(this.form.element.hidden !== false),
      again: () => this.choose(this.parts),
      save: (format) => {
        if (this.header === undefined) return;
        const { id } = this.header;
        shell.act('save', { id, format, settings: this.options.linked }, ({ saved }) =>
          saved ? 'Saved' : undefined,
        );
      },
    });
    this.form = partsForm({
      onChoose: (parts) => {
        this.showForm(false);
        this.choose(parts);
      },
      onClose: () => this.showForm(false),
    });
    this.form.element.hidden = true;
    this.bar = optionsBar({
      onSettings: (settings, what) => this.changeSettings(settings, what),
      onTarget: (target) => {
        const views = this.header?.views ?? [];
        this.focused =
          target ??
          Math.max(
            0,
            views.findIndex((_, view) => targetOf(this.options, view) === undefined),
          );
        this.showBar();
      },
    });
    this.bar.element.hidden = state.hidesOptions;
    this.finder = finder({
      text: state.search,
      onText: (search) => shell.keep({ search }),
      onFind: (text, direction, isHere) => void this.find(direction, text, isHere),
      onDifference: (direction) => void this.find(direction),
      hidesOptions: state.hidesOptions,
      onHideOptions: (hidesOptions) => {
        this.bar.element.hidden = hidesOptions;
        shell.keep({ hidesOptions });
      },
      onLeave: () => this.views.focus(this.focused),
    });
    this.summary = summary({
      layout: state.summaryLayout,
      onLayout: (summaryLayout) => shell.keep({ summaryLayout }),
      onGo: (one) => this.showCharacteristic(one),
      onOpen: ({ row }) => this.openSource(undefined, row),
    });
    this.views = new ViewsArea({
      onSelect: (target, row) => this.selected(target, row),
      onOpen: (target, row) => this.openSource(target, row),
      onMenu: (target, row, place) => this.showMenu(target, row, place),
      onKey: (event) => this.onGridKey(event),
      onFocus: (view) => {
        if (this.focused === view) return;
        this.focused = view;
        this.showBar();
      },
      onLink: (view, isLinked) =>
        this.changeOptions(withLink(this.options, view, isLinked), isLinked ? 'Link' : 'Unlink'),
      onLayout: (view, layout) => {
        const layouts = [...shell.state.layouts];
        layouts[view] = layout;
        shell.keep({ layouts });
      },
      onTop: (row) => shell.saved.saveSoon(() => ({ ...shell.state, top: row })),
      onResize: () => {
        clearTimeout(this.resized);
        this.resized = setTimeout(() => {
          for (const target of this.rows.targets) void this.rows.loadOverview(target);
        }, 100);
      },
    });
    this.rows = new LoadedRows(
      channel,
      this.views,
      (target) => this.asked(target),
      (error) => shell.warn(error),
    );
    const parts = splitter({
      label: 'Height of the summary',
      first: this.summary.element,
      second: element(
        'section',
        { class: 'fill comparison-rows', label: 'Views' },
        element('div', { class: 'comparison-controls row' }, this.bar.element, this.finder.element),
        this.views.element,
      ),
      direction: 'rows',
      share: state.summaryShare,
      onShare: (summaryShare) => shell.keep({ summaryShare }),
    });
    shell.top.append(this.top.element, this.form.element);
    shell.content.append(parts.element);
    const again = { label: 'Compare Again', run: () => this.choose(this.parts) };
    const other = {
      label: 'Compare Other Traces…',
      run: () => shell.act('act', { action: 'chooseInputs' }),
    };
    this.page = new OpenedPage<ComparisonHeader, Omit<ComparisonShown, 'kind'>>(shell, {
      header: this.top,
      reading: 'Reading the traces',
      making: 'Comparing the traces',
      cancelled: 'The comparison was cancelled.',
      again: () => again,
      empty: (text) => ({ text, action: other }),
      failed: () => [button({ label: other.label, onClick: other.run })],
      keepsPrevious: () => this.header !== undefined,
      visible: visibleHeader,
      begin: ({ parts }) => (this.parts = parts),
      show: (of) => this.showHeader(of),
      forget: () => {
        this.header = undefined;
        this.rows.dropAll();
      },
    });
    shell.onKey((event) => this.onKey(event));
  }

  open(): Promise<void> {
    return this.page.open();
  }

  private showHeader(given: ComparisonHeader): void {
    const isFirst = this.shell.state.options === undefined;
    this.header = given;
    this.options = fittingOptions(this.shell.state.options ?? this.options, given, isFirst);
    this.history = new History(this.options);
    this.focused = Math.min(this.focused, given.views.length - 1);
    this.form.show(given.views, this.parts);
    this.rows.dropAll();
    this.shell.show(undefined);
    this.views.show(given, this.options, this.shell.state.layouts);
    this.showOptions();
    const { row, top } = this.shell.state;
    for (const target of this.targets())
      void this.rows.load(target, target === undefined ? { row, top } : {});
    void this.loadSummary();
  }

  /** What options there are: those of the linked views, if any, and of each of the others. */
  private targets(): readonly Target[] {
    const views = this.header?.views ?? [];
    return [...new Set(views.map((_, view) => targetOf(this.options, view)))];
  }

  private get target(): Target {
    return targetOf(this.options, this.focused);
  }

  private asked(target: Target): Asked | undefined {
    if (this.header === undefined) return undefined;
    const { id } = this.header;
    return { id, settings: settingsOf(this.options, target), ...(target !== undefined && { view: target }) };
  }

  private async loadSummary(): Promise<void> {
    const { header: of } = this;
    if (of === undefined) return;
    const signal = this.summing.next();
    try {
      const given = { id: of.id, settings: this.options.linked };
      const summed = await this.shell.channel.request('summary', given, { signal });
      if (signal.aborted) return;
      this.summary.show(summed, of.views);
      announce(summed.pairs.map((facts, pair) => pairSentence(pair, facts)).join('. '));
    } catch (error) {
      this.shell.warn(error);
    }
  }

  private changeSettings(settings: ComparisonSettings, what: string): void {
    this.changeOptions(withSettings(this.options, this.target, settings), what);
  }

  private changeOptions(options: Options, what: string): void {
    this.history?.record(options, what, performance.now(), sliding.includes(what));
    this.apply(options);
  }

  private restore(options: Options | undefined, how: string): void {
    if (options === undefined) return;
    this.apply(options);
    announce(how);
  }

  /** Shows other options, and asks for what they change. */
  private apply(options: Options): void {
    const before = this.options;
    const known = new Set(this.targets());
    this.options = options;
    this.shell.keep({ options });
    this.showOptions();
    const targets = this.targets();
    for (const target of known) if (!targets.includes(target)) this.rows.drop(target);
    for (const target of targets) {
      const isSame = same(settingsOf(before, target), settingsOf(options, target));
      if (isSame && this.rows.source(target) !== undefined) this.rows.showAgain(target);
      else void this.rows.load(target);
    }
    if (!same(before.linked, options.linked)) void this.loadSummary();
  }

  private showOptions(): void {
    this.views.setOptions(this.options);
    this.showBar();
    this.top.setHistory(this.history?.undoes, this.history?.redoes);
  }

  private showBar(): void {
    if (this.header !== undefined) this.bar.show(this.header, this.options, this.target);
  }

  private showForm(isShown: boolean): void {
    this.form.element.hidden = !isShown;
    if (!isShown || this.header === undefined) return;
    this.form.show(this.header.views, this.parts);
    this.form.focus();
  }

  private choose(parts: readonly ComparedPart[]): void {
    this.shell.act('choose', { parts }, ({ started }) => (started ? 'Comparing the traces' : undefined));
  }

  private selected(target: Target, row: number | undefined): void {
    if (target === undefined) this.shell.keep({ row });
  }

  private showCharacteristic({ row }: Characteristic): void {
    this.go(undefined, row);
  }

  private go(target: Target, row: number): void {
    this.views.go(target, row);
    this.selected(target, row);
  }

  /** Goes to the next difference, or name; from the last one to the first. @param isHere the selected row counts, too */
  private async find(direction: 1 | -1, text?: string, isHere = false): Promise<void> {
    const { target } = this;
    const source = this.rows.source(target);
    if (source === undefined) return;
    const isBackwards = direction < 0;
    const selected = this.views.selected(target);
    const end = isBackwards ? source.total : -1;
    const from = selected === undefined ? end : isHere ? selected - 1 : selected;
    const signal = this.finding.next();
    const ask = async (row: number): Promise<number | undefined> => {
      const given = { ...source.asked, row, isBackwards, ...(text !== undefined && { text }) };
      return (await this.shell.channel.request('find', given, { signal })).row;
    };
    try {
      const next = await ask(from);
      const row = next ?? (await ask(end));
      if (row === undefined)
        this.finder.setOutcome(text === undefined ? 'No differences' : 'No matches', text !== undefined);
      else await this.found(target, source, row, next === undefined);
    } catch (error) {
      this.shell.warn(error);
    }
  }

  private async found(target: Target, source: RowSource, row: number, isAround: boolean): Promise<void> {
    this.go(target, row);
    const entry = await source.get(row);
    const words = entry === undefined ? '' : rowSentence(entry, entry.cells.length);
    this.finder.setOutcome(isAround ? 'Continued from the other end' : '');
    announce(isAround ? `Continued from the other end. ${words}` : words);
  }

  private openSource(target: Target, row: number): void {
    const asked = this.asked(target);
    if (asked === undefined) return;
    this.shell.act('openSource', { ...asked, row }, ({ opened }) => {
      if (opened) return undefined;
      this.shell.notice.say('The source of this entry is not known here.');
      return undefined;
    });
  }

  private showMenu(target: Target, row: number, place: MenuPlace): void {
    const entry = this.rows.source(target)?.peek(row);
    if (entry === undefined) return;
    openMenu(
      entry.name,
      [
        {
          label: 'Go to Source',
          keys: 'Enter',
          disabled: entry.place?.file === undefined ? 'The source is not known.' : undefined,
          run: () => this.openSource(target, row),
        },
        'separator',
        { label: 'Next Difference', keys: 'F7', run: () => void this.find(1) },
        { label: 'Previous Difference', keys: 'Shift+F7', run: () => void this.find(-1) },
        'separator',
        copyItem('Copy Name', entryText(entry)),
      ],
      place,
    );
  }

  private onGridKey(event: KeyboardEvent): boolean {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const direction = { n: 1, p: -1 }[event.key.toLowerCase()];
    if (direction === undefined) return false;
    void this.find(direction === 1 ? 1 : -1);
    return true;
  }

  private onKey(event: KeyboardEvent): boolean {
    const history = historyKey(event);
    if (event.key === 'F7') void this.find(event.shiftKey ? -1 : 1);
    else if (isFindKey(event)) this.finder.focus();
    else if (history === 'undo') this.restore(this.history?.undo(), 'Undone');
    else if (history === 'redo') this.restore(this.history?.redo(), 'Redone');
    else return false;
    return true;
  }
}

function same(a: ComparisonSettings, b: ComparisonSettings): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
