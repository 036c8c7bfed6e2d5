import type { OptionValues } from '../../src/core/scorepOptions/option';
import type {
  ScorepFlagsEvents,
  ScorepFlagsRequests,
  ScorepFlagsShown,
  ShownTarget,
} from '../../src/protocol/scorepFlags';
import { type Channel, RequestError, type VsCodeApi } from '../ui/channel';
import { type Control, element } from '../ui/dom';
import { announce } from '../ui/liveRegion';
import { messageArea } from '../ui/messageArea';
import { commandPane } from './commandPane';
import { header } from './header';
import { baseOf, momentOf, sameValues, withValue } from './model';
import { optionTable } from './optionTable';
import { quickLine } from './quickLine';
import { readViewState, type ViewState } from './viewState';

/** The one owner of what the view shows: asks the extension, and keeps what the user has changed. */
export class FlagsView implements Control {
  readonly element: HTMLElement;
  private state: ViewState;
  private shown: ScorepFlagsShown | undefined;
  private values: OptionValues = {};
  private readonly message = messageArea();
  private readonly content: HTMLElement;
  private readonly commands = commandPane();
  private readonly quick = quickLine(() => this.commands.focus());
  private readonly table;
  private readonly header;

  constructor(
    private readonly channel: Channel<ScorepFlagsRequests, ScorepFlagsEvents>,
    private readonly api: VsCodeApi,
  ) {
    this.state = readViewState(api.getState());
    this.table = optionTable(
      {
        onValue: (id, value) => this.setValues(withValue(this.values, id, value)),
        onSearch: ({ text, regex }) => this.keep({ search: text, regex }),
      },
      { text: this.state.search, regex: this.state.regex },
    );
    this.header = header(
      {
        chooseTarget: (name) => this.chooseTarget(name),
        use: (setBackend) => this.use(setBackend),
        openConfiguration: () => this.act('openConfiguration', {}, () => undefined),
        revert: () => this.setValues(this.base(this.target())),
        useDefaults: () => this.setValues({}),
      },
      this.table.search,
    );
    this.content = element(
      'div',
      { class: 'flags-content' },
      this.header.element,
      this.quick.element,
      element('div', { class: 'panes' }, this.table.element, this.commands.element),
    );
    this.content.hidden = true;
    this.element = element('div', { class: 'flags' }, this.message.element, this.content);
    // Also while nothing in the page has the focus.
    document.addEventListener('keydown', (event) => this.onKey(event));
    channel.on('changed', () => void this.open());
  }

  /** Asks what is shown; also after hiding and reloads, and when `kymo.json` changes. */
  async open(): Promise<void> {
    if (this.shown === undefined) this.message.show({ kind: 'loading', text: 'Asking Score-P what it has' });
    try {
      this.show(await this.channel.request('open', {}));
    } catch (error) {
      this.content.hidden = true;
      this.shown = undefined;
      this.message.show({
        kind: 'error',
        text: textOf(error),
        action: { label: 'Try Again', run: () => void this.open() },
      });
    }
  }

  private show(shown: ScorepFlagsShown): void {
    const before = this.shown === undefined ? undefined : this.base(this.target());
    this.shown = shown;
    if (shown.target !== undefined) this.state = { ...this.state, target: shown.target };
    const now = this.base(this.target());
    const edited = before === undefined ? this.state.values : this.values;
    const isEdited = edited !== undefined && (before === undefined || !sameValues(edited, before));
    this.message.show(undefined);
    this.content.hidden = false;
    this.setValues(isEdited ? edited : now);
  }

  /** As far as the user has not changed anything, the values are those of the target. */
  private chooseTarget(name: string): void {
    const isEdited = !sameValues(this.values, this.base(this.target()));
    this.state = { ...this.state, target: name };
    this.setValues(isEdited ? this.values : this.base(this.target()));
  }

  private target(): ShownTarget | undefined {
    const targets = this.shown?.targets ?? [];
    return targets.find(({ name }) => name === this.state.target) ?? targets[0];
  }

  private base(target: ShownTarget | undefined): OptionValues {
    return this.shown === undefined ? {} : baseOf(this.shown, target).values;
  }

  private setValues(values: OptionValues): void {
    const { shown } = this;
    if (shown === undefined) return;
    this.values = values;
    const target = this.target();
    const moment = momentOf(shown, target, values);
    this.table.show(moment);
    this.header.show(moment);
    this.commands.show(moment.lines);
    this.quick.show(moment.lines);
    const { search, regex } = this.state;
    this.state = {
      search,
      regex,
      folder: shown.folder,
      ...(target === undefined ? {} : { target: target.name }),
      ...(moment.changed.length === 0 ? {} : { values }),
    };
    this.api.setState(this.state);
  }

  private use(setBackend: boolean): void {
    const target = this.target()?.name;
    if (target === undefined) return;
    this.act('use', { target, values: Object.entries(this.values), setBackend }, ({ written }) =>
      written ? `Written for ${target}; save kymo.json to use it` : 'Not written.',
    );
  }

  /** Asks the extension to do something; what fails is said in the header and read out. */
  private act<Name extends keyof ScorepFlagsRequests>(
    name: Name,
    parameters: ScorepFlagsRequests[Name]['parameters'],
    said: (result: ScorepFlagsRequests[Name]['result']) => string | undefined,
  ): void {
    this.header.setNotice(undefined);
    this.channel.request(name, parameters).then(
      (result) => {
        const text = said(result);
        if (text !== undefined) announce(text);
      },
      (error: unknown) => this.header.setNotice(textOf(error)),
    );
  }

  private onKey(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'f' || this.content.hidden) return;
    event.preventDefault();
    this.table.search.focus();
  }

  private keep(part: Partial<ViewState>): void {
    this.state = { ...this.state, ...part };
    this.api.setState(this.state);
  }
}

function textOf(error: unknown): string {
  if (error instanceof RequestError) return error.message;
  return error instanceof Error ? error.message : String(error);
}
