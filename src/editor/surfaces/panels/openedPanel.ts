import * as vscode from 'vscode';
import type { RequestShape } from '../../../protocol/channel';
import { nothing } from '../../../protocol/guards';
import type { MakingProgress } from '../../../protocol/opened';
import { openFunctionNamed } from '../../actions/openFunctionNamed';
import type { Kymo } from '../../state/kymo';
import type { SessionState } from '../../state/opened/openedSession';
import type { Answers } from './panelChannel';
import { Panels, type Panel, type PanelKind, type PanelOwner } from './panels';

type State = SessionState<unknown, { readonly header: unknown }>;

interface Session extends vscode.Disposable {
  readonly input: object;
  readonly state: State;
  readonly onDidChange: vscode.Event<State>;
  cancel(): boolean;
}

/** The owner of a panel that shows an opened document. Relays between engine and webview, and computes nothing. */
export abstract class OpenedPanel<
  Requests extends RequestShape<Requests>,
  Events extends { readonly shown: unknown; readonly progress: MakingProgress },
  Of extends Session,
> implements PanelOwner<Requests> {
  abstract readonly answers: Answers<Requests>;
  /** Answers to what every such webview asks. */
  protected readonly common = {
    open: { guard: nothing, answer: (): Events['shown'] => this.shown(this.session.state) },
    cancel: { guard: nothing, answer: () => ({ cancelled: this.session.cancel() }) },
  };
  private readonly following: vscode.Disposable;

  /** @param used is disposed of with the panel */
  constructor(
    protected readonly kymo: Kymo,
    protected readonly panel: Panel<Events>,
    protected readonly session: Of,
    private readonly used: { dispose(): unknown } = session,
  ) {
    this.following = session.onDidChange(() => this.follow(session.state));
    panel.webviewPanel.title = this.title();
  }

  /** Of the tab. */
  protected abstract title(): string;

  /** A file of the input, beside which others are looked for and saved. */
  protected abstract get file(): string | undefined;

  protected abstract shown(state: Of['state']): Events['shown'];

  get input(): Of['input'] {
    return this.session.input;
  }

  /** Brings the panel to the front. */
  reveal(): void {
    this.panel.webviewPanel.reveal(undefined, false);
  }

  dispose(): void {
    this.following.dispose();
    this.used.dispose();
  }

  protected get uri(): vscode.Uri {
    return vscode.Uri.file(this.file ?? '/');
  }

  /** Opens a function whose place the document does not know, beside the panel. */
  protected async openNamed(name: string): Promise<{ readonly opened: boolean }> {
    const { viewColumn } = this.panel.webviewPanel;
    const isFirst = viewColumn === undefined || viewColumn === vscode.ViewColumn.One;
    const beside = isFirst ? vscode.ViewColumn.Beside : vscode.ViewColumn.One;
    return { opened: await openFunctionNamed(this.kymo, name, { viewColumn: beside }) };
  }

  protected follow(state: Of['state']): void {
    this.panel.webviewPanel.title = this.title();
    if (state.kind === 'making' && state.progress !== undefined) this.panel.tell('progress', state.progress);
    else this.panel.tell('shown', this.shown(state));
  }
}

/** A kind of panel that shows opened documents. */
interface OpenedKind<
  Requests extends RequestShape<Requests>,
  Events,
  Input,
  Owner extends PanelOwner<Requests>,
> extends Omit<PanelKind<Requests, Events, Input, Owner>, 'viewType'> {
  /** Title of the panel of an input, until it has one of its own. */
  readonly title: (input: Input) => string;
  /** Inputs that share a panel have the same. */
  readonly key: (input: Input) => string;
}

/** The panels of a window that show documents of a kind: one per input. */
export class OpenedPanels<
  Requests extends RequestShape<Requests>,
  Events,
  Input,
  Owner extends PanelOwner<Requests> & { readonly input: Input; reveal(): void },
> extends Panels<Requests, Events, Input, Owner> {
  constructor(
    kymo: Kymo,
    private readonly opened: OpenedKind<Requests, Events, Input, Owner>,
  ) {
    super(kymo, { ...opened, viewType: `kymo.${opened.view}` });
  }

  /** Shows an input in its open panel or a new one. */
  show(input: Input): void {
    const panel = this.of(input);
    if (panel === undefined) this.open(this.opened.title(input), input);
    else panel.reveal();
  }

  /** The open panel of an input. */
  protected of(input: Input): Owner | undefined {
    const { key } = this.opened;
    return this.find((panel) => key(panel.input) === key(input));
  }
}
