import { counted } from '../../src/core/format';
import { visibleControls } from '../../src/core/names/visibleControls';
import type { TimelineHeader, TimelineProfile } from '../../src/core/timeline/pieces';
import type {
  TimelineEvents,
  TimelineRange,
  TimelineRequests,
  TimelineShown,
} from '../../src/protocol/timeline';
import { element } from '../ui/base/dom';
import { announce } from '../ui/base/liveRegion';
import { onThemeChange } from '../ui/base/theme';
import type { MenuPlace } from '../ui/controls/menu';
import { History } from '../ui/page/history';
import { RequestError } from '../ui/page/channel';
import { isFindKey, type Shell } from '../ui/page/shell';
import { OpenedPage } from '../ui/opened/openedPage';
import { Asking } from './asking';
import { header } from './header';
import { openFunctionMenu } from './functionMenu';
import { layOut } from './layout';
import { patienceMilliseconds, briefNames, visibleHeader } from './load';
import { CallSearch, type FoundCall } from './panes/callSearch';
import { legend } from './panes/legend';
import { profilePane } from './panes/profilePane';
import { colorGroup, type ColorGroup } from './picture/colors';
import { Pictures, type Call } from './pictures';
import { undoAction } from './time/keys';
import { isInside, showing, within, wholeSpan, type Span } from './time/span';
import { tools } from './tools';
import type { ViewState } from './viewState';
import { messagesOf, messagesText, rangeText, sightWords, spanWords } from './words';

/** With more messages, lines hide the picture until the user wants them. */
const usualMessages = 20_000;
const restMilliseconds = 200;

export type TimelineShell = Shell<TimelineRequests, TimelineEvents, ViewState>;

/** The owner of the panel's content: requests data from the extension, receives its events, and saves the view's state. */
export class TimelineView {
  private header: TimelineHeader | undefined;
  private names: readonly string[] = [];
  private title = '';
  private history = new History<Span>({ from: 0, to: 1 });
  private range: TimelineRange | undefined;
  private row = 0;
  private profile: TimelineProfile | undefined;
  /** The range of `profile`, as text, to see whether it is another one. */
  private profileOf: string | undefined;
  private group: ColorGroup | undefined;
  private readonly page;
  private readonly again = { label: 'Read the Trace Again', run: () => this.shell.act('make', {}) };
  private readonly top;
  private readonly tools;
  private readonly legend;
  private readonly pictures: Pictures;
  private readonly search: CallSearch;
  private readonly table;
  private readonly words = element('p', {
    class: 'visually-hidden timeline-words',
    attributes: { id: 'timeline-words' },
  });
  private readonly profiles: Asking<TimelineRange & { readonly id: string }, TimelineProfile>;

  constructor(private readonly shell: TimelineShell) {
    const { channel, state } = shell;
    const onError = (error: unknown): void => this.warn(error);
    this.top = header({
      make: () => shell.act('make', {}),
      cancel: () => shell.act('cancel', {}, ({ cancelled }) => (cancelled ? 'Cancelled' : undefined)),
      save: (kind) => void this.save(kind),
    });
    this.pictures = new Pictures(channel, {
      onSpan: (span, what, merges) => this.setSpan(span, what, merges),
      onRange: (range) => this.setRange(range),
      onRow: (row) => this.setRow(row),
      onRows: (top, rowHeight) => shell.keep({ top, rowHeight }),
      onActivate: (position) => this.openSource(position),
      onMenu: (call, place) => this.menu(call, place),
      onView: (action) => (action === 'clear' ? this.clear() : this.goBack(action)),
      onMessages: (messages) => this.tools.setMessages(this.showsMessages, messagesText(messages)),
      onError,
    });
    this.search = new CallSearch(channel, {
      onFound: (functions) => this.highlight(functions),
      onQuery: (search) => shell.keep({ search }),
      from: (direction) => this.searchFrom(direction),
      onCall: (call) => this.showCall(call),
      onLeave: () => this.pictures.rows.focus(),
      onError,
    });
    this.search.box.setQuery(state.search);
    this.legend = legend((group) => this.toggleGroup(group));
    this.tools = tools({
      act: (action) => this.pictures.act(action),
      onMessages: (shown) => {
        shell.keep({ messages: shown ? 'on' : 'off' });
        this.tools.setMessages(shown, '');
        this.pictures.setMessages(shown);
      },
      search: this.search.box,
      legend: this.legend,
    });
    this.table = profilePane(
      {
        onSelect: (position) => this.highlightOne(position),
        onActivate: (position) => this.openSource(position),
        onMenu: (position, place) => this.functionMenu(position, place),
        onOnlyRow: (onlyRow) => {
          shell.keep({ onlyRow });
          this.lookAtProfile();
        },
        onZoom: () => this.pictures.act({ kind: 'zoomToRange' }),
        onClear: () => this.setRange(undefined),
        onSort: (sort) => shell.keep({ sort }),
        onLayout: (layout) => shell.keep({ layout }),
      },
      state,
    );
    this.profiles = new Asking<TimelineRange & { readonly id: string }, TimelineProfile>({
      missing: () => this.missingProfile(),
      ask: (question, signal) => channel.request('profile', question, { signal, patienceMilliseconds }),
      take: (profile, question) => this.showProfile(profile, question),
      fail: (error) => {
        this.table.setWaiting(false);
        onError(error);
      },
      restMilliseconds,
    });
    shell.top.append(this.top.element);
    shell.content.append(
      this.tools.element,
      this.words,
      layOut(this.pictures, this.table, state, (part) => shell.keep(part)).element,
    );
    this.page = new OpenedPage<TimelineHeader, Omit<TimelineShown, 'kind'>>(shell, {
      header: this.top,
      reading: 'Reading the trace',
      making: 'Reading the trace',
      cancelled: 'Reading the trace was cancelled.',
      again: () => this.again,
      keepsPrevious: () => false,
      visible: visibleHeader,
      begin: ({ title }) => (this.title = visibleControls(title)),
      show: (header) => this.showHeader(header),
      forget: () => (this.header = undefined),
    });
    shell.onKey((event) => this.onKey(event));
    onThemeChange(() => this.showColors());
  }

  open(): Promise<void> {
    return this.page.open();
  }

  private showHeader(given: TimelineHeader): void {
    const { state } = this.shell;
    this.header = given;
    const { seconds, rows } = given;
    const saved =
      state.from === undefined || state.to === undefined ? undefined : { from: state.from, to: state.to };
    const span = saved === undefined || saved.to <= saved.from ? wholeSpan(seconds) : within(saved, seconds);
    this.history = new History<Span>(span);
    this.row = Math.min(state.row ?? 0, Math.max(0, rows.length - 1));
    this.profile = undefined;
    this.profileOf = undefined;
    this.group = undefined;
    this.legend.press(undefined);
    this.shell.show(
      rows.length > 0 && given.events > 0
        ? undefined
        : { kind: 'empty', text: 'Nothing was recorded in this trace.', action: this.again },
    );
    this.names = briefNames(given.functions);
    this.pictures.show(given, this.names, {
      span,
      row: this.row,
      top: Math.min(state.top ?? 0, Math.max(0, rows.length - 1)),
      rowHeight: state.rowHeight,
    });
    this.profiles.forget();
    this.table.show(undefined);
    this.setRange(state.range !== undefined && isInside(state.range, given) ? state.range : undefined);
    const { showsMessages } = this;
    this.tools.setMessages(showsMessages, '');
    this.pictures.setMessages(showsMessages);
    this.search.show(given, this.names);
    this.showHistory();
    this.showColors();
  }

  private get showsMessages(): boolean {
    const { messages } = this.shell.state;
    const { messages: count = 0 } = this.header ?? {};
    return messages === 'on' || (messages === 'auto' && count > 0 && count <= usualMessages);
  }

  private warn(error: unknown): void {
    const isChanged = error instanceof RequestError && error.reason === 'trace-changed';
    if (!isChanged) this.shell.warn(error);
    else this.shell.notice.say(error.message, this.again);
  }

  private setSpan(wanted: Span, what: string, merges: boolean): void {
    if (this.header === undefined) return;
    const span = within(wanted, this.header.seconds);
    this.history.record(span, what, performance.now(), merges);
    this.showSpan();
  }

  private showSpan(): void {
    const { current } = this.history;
    this.shell.keep({ ...current });
    this.pictures.setSpan(current);
    this.showHistory();
    this.lookAtProfile();
    this.say();
  }

  private goBack(step: 'undo' | 'redo'): void {
    const what = step === 'undo' ? this.history.undoes : this.history.redoes;
    if ((step === 'undo' ? this.history.undo() : this.history.redo()) === undefined) {
      announce(step === 'undo' ? 'There is no zoom to undo.' : 'There is no zoom to redo.');
      return;
    }
    announce(`${step === 'undo' ? 'Undone' : 'Done again'}: ${what ?? ''}`);
    this.showSpan();
  }

  private showHistory(): void {
    this.tools.setHistory(this.history.undoes, this.history.redoes);
  }

  private setRange(range: TimelineRange | undefined): void {
    this.range = range;
    this.shell.keep({ range });
    this.pictures.setRange(range);
    this.table.setRange(range !== undefined);
    this.lookAtProfile();
  }

  private setRow(row: number): void {
    this.row = row;
    this.shell.keep({ row });
    this.pictures.select(row);
    if (this.shell.state.onlyRow) this.lookAtProfile();
  }

  /** Escape: first the marked call and what is highlighted, then the range. */
  private clear(): void {
    if (this.range === undefined || this.group !== undefined) this.highlightOne(undefined);
    else this.setRange(undefined);
    this.pictures.setCursor(undefined);
    this.table.select(undefined);
  }

  private lookAtProfile(): void {
    if (this.header === undefined) return;
    this.table.setWaiting(JSON.stringify(this.profileRange(this.header)) !== this.profileOf);
    this.profiles.look();
  }

  private profileRange({ rows }: TimelineHeader): TimelineRange {
    const { from, to } = this.range ?? this.history.current;
    if (this.shell.state.onlyRow) return { firstRow: this.row, rowCount: 1, from, to };
    const { firstRow, rowCount } = this.range ?? { firstRow: 0, rowCount: rows.length };
    return { firstRow, rowCount, from, to };
  }

  private missingProfile(): (TimelineRange & { readonly id: string }) | undefined {
    if (this.header === undefined || this.header.rows.length === 0) return undefined;
    const range = this.profileRange(this.header);
    return JSON.stringify(range) === this.profileOf ? undefined : { id: this.header.id, ...range };
  }

  private showProfile(
    profile: TimelineProfile,
    { firstRow, rowCount, from, to }: TimelineRange & { readonly id: string },
  ): void {
    if (this.header === undefined) return;
    const range = { firstRow, rowCount, from, to };
    this.profile = profile;
    this.profileOf = JSON.stringify(range);
    this.table.setWaiting(false);
    this.table.show({
      profile,
      functions: this.header.functions,
      names: this.names,
      of: rangeText(range, this.header),
      messages: messagesOf(profile),
    });
    this.say();
  }

  private say(): void {
    const { header, pictures } = this;
    if (header === undefined) return;
    const { count } = pictures.rows.inSight;
    const name = (position: number): string => pictures.functionName(position);
    this.words.textContent = sightWords(this.history.current, counted(count, 'row'), this.profile, name);
  }

  private showColors(): void {
    const { header, pictures } = this;
    if (header === undefined) return;
    this.legend.show(header.functions);
    this.table.setColor((position) => pictures.palette.fills[position] ?? 'transparent');
  }

  private highlight(functions: Uint8Array | undefined): void {
    this.group = undefined;
    this.legend.press(undefined);
    this.pictures.setHighlight(functions);
  }

  private highlightOne(position: number | undefined): void {
    if (this.header === undefined || position === undefined) {
      this.highlight(undefined);
      return;
    }
    const one = new Uint8Array(this.header.functions.length);
    one[position] = 1;
    this.highlight(one);
  }

  private toggleGroup(group: ColorGroup): void {
    if (this.header === undefined || this.group === group) {
      this.highlight(undefined);
      return;
    }
    this.highlight(
      Uint8Array.from(this.header.functions, ({ paradigm }) => (colorGroup(paradigm) === group ? 1 : 0)),
    );
    this.group = group;
    this.legend.press(group);
  }

  private searchFrom(direction: 1 | -1): { readonly row: number; readonly seconds: number } {
    const { from, to } = this.history.current;
    const { marked } = this.pictures;
    if (marked !== undefined) return { row: marked.row, seconds: marked.span.begin };
    // What begins with the part in sight is in sight.
    return { row: this.row, seconds: direction === 1 ? from - 1e-9 : to };
  }

  private showCall({ row, begin, end, function: position }: FoundCall): void {
    if (this.header === undefined) return;
    const { current } = this.history;
    const span = showing(current, begin, end, this.header.seconds);
    if (span !== current) this.setSpan(span, 'Go to call', true);
    this.setRow(row);
    const call = { function: position, begin, end, share: 1 };
    this.pictures.setCursor({ row, span: call });
    const name = this.header.rows[row]?.name ?? '';
    announce(`${name}: ${spanWords(this.pictures.functionName(position), call, this.pictures.resolution)}`);
  }

  private menu(call: Call | undefined, place: MenuPlace): void {
    if (call === undefined) return;
    this.functionMenu(call.span.function, place, call);
  }

  private functionMenu(position: number, place: MenuPlace, call?: Call): void {
    const name = this.header?.functions[position]?.name;
    if (name === undefined) return;
    openFunctionMenu(
      name,
      {
        openSource: () => this.openSource(position),
        find: (direction) => void this.search.find(position, direction),
        highlight: () => {
          this.highlightOne(position);
          this.table.select(position);
        },
        ...(call !== undefined && {
          zoom: () => this.pictures.zoomTo(call),
          profile: () => this.pictures.rangeOf(call),
        }),
      },
      place,
    );
  }

  private openSource(position: number): void {
    const { header } = this;
    if (header === undefined) return;
    const name = this.pictures.functionName(position);
    this.shell.act('openSource', { id: header.id, function: position }, ({ opened }) => {
      if (!opened)
        this.shell.notice.say(
          `The trace has no source position for ${name}, and no function of this name is known here.`,
        );
      return undefined;
    });
  }

  private async save(kind: 'png' | 'csv'): Promise<void> {
    const csv = kind === 'csv' ? this.table.csv() : undefined;
    const content =
      kind === 'png'
        ? await this.pictures.rows.png()
        : csv === undefined
          ? undefined
          : new TextEncoder().encode(csv);
    if (content === undefined) announce('There is nothing to save yet.');
    else
      this.shell.act('save', { kind, name: this.title.slice(0, 120), content }, ({ saved }) =>
        saved ? 'Saved' : undefined,
      );
  }

  private onKey(event: KeyboardEvent): boolean {
    if (isFindKey(event)) {
      this.search.box.focus();
      return true;
    }
    const action = undoAction(event);
    // Fields undo what was typed.
    const isField = event.target instanceof Element && event.target.matches('vscode-text-field, input');
    if (action === undefined || isField) return false;
    this.pictures.act(action);
    return true;
  }
}
