import type { OptionValues } from '../../src/core/scorepOptions/option';
import type {
  ScorepFlagsEvents,
  ScorepFlagsRequests,
  ScorepFlagsShown,
  ShownTarget,
} from '../../src/protocol/scorepFlags';
import { element } from '../ui/base/dom';
import { isFindKey, type Shell } from '../ui/page/shell';
import { commandPane } from './commandPane';
import { header } from './header';
import { baseOf, momentOf, sameValues, withValue } from './model';
import { optionTable } from './optionTable';
import { quickLine } from './quickLine';
import type { ViewState } from './viewState';

export type FlagsShell = Shell<ScorepFlagsRequests, ScorepFlagsEvents, ViewState>;

/** The owner of the view's content: requests data from the extension and saves the user's changes. */
export class FlagsView {
  private shown: ScorepFlagsShown | undefined;
  private values: OptionValues = {};
  private readonly commands = commandPane();
  private readonly quick = quickLine(() => this.commands.focus());
  private readonly table;
  private readonly header;

  constructor(private readonly shell: FlagsShell) {
    const { state } = shell;
    this.table = optionTable(
      {
        onValue: (id, value) => this.setValues(withValue(this.values, id, value)),
        onSearch: ({ text, regex }) => this.shell.keep({ search: text, regex }),
      },
      { text: state.search, regex: state.regex },
    );
    this.header = header(
      {
        chooseTarget: (name) => this.chooseTarget(name),
        use: (setBackend) => this.use(setBackend),
        openConfiguration: () => this.shell.act('openConfiguration', {}),
        revert: () => this.setValues(this.base(this.target())),
        useDefaults: () => this.setValues({}),
      },
      this.table.search,
    );
    shell.content.append(
      this.header.element,
      this.quick.element,
      element('div', { class: 'panes' }, this.table.element, this.commands.element),
    );
    shell.onKey((event) => {
      if (isFindKey(event)) this.table.search.focus();
      return isFindKey(event);
    });
    shell.channel.on('changed', () => void this.open());
  }

  /** Requests the options and targets; also after hiding and reloads, and when `kymo.json` changes. */
  async open(): Promise<void> {
    if (this.shown === undefined)
      this.shell.show({ kind: 'loading', text: 'Reading the options of Score-P' });
    try {
      this.show(await this.shell.channel.request('open', {}));
    } catch (error) {
      this.shown = undefined;
      this.shell.fail(error, () => void this.open());
    }
  }

  private show(shown: ScorepFlagsShown): void {
    const before = this.shown === undefined ? undefined : this.base(this.target());
    this.shown = shown;
    if (shown.target !== undefined) this.shell.keep({ target: shown.target });
    const now = this.base(this.target());
    const edited = before === undefined ? this.shell.state.values : this.values;
    const isEdited = edited !== undefined && (before === undefined || !sameValues(edited, before));
    this.shell.show(undefined);
    this.setValues(isEdited ? edited : now);
  }

  /** Chooses a target. Values that the user has not changed are those of the target. */
  private chooseTarget(name: string): void {
    const isEdited = !sameValues(this.values, this.base(this.target()));
    this.shell.keep({ target: name });
    this.setValues(isEdited ? this.values : this.base(this.target()));
  }

  private target(): ShownTarget | undefined {
    const targets = this.shown?.targets ?? [];
    return targets.find(({ name }) => name === this.shell.state.target) ?? targets[0];
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
    const { search, regex } = this.shell.state;
    this.shell.saved.save({
      search,
      regex,
      folder: shown.folder,
      ...(target !== undefined && { target: target.name }),
      ...(moment.changed.length > 0 && { values }),
    });
  }

  private use(setBackend: boolean): void {
    const target = this.target()?.name;
    if (target === undefined) return;
    this.shell.act('use', { target, values: Object.entries(this.values), setBackend }, ({ written }) =>
      written ? `Written for ${target}; save kymo.json to use it` : 'Not written.',
    );
  }
}
