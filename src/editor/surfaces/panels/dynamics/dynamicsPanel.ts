import path from 'node:path';
import * as vscode from 'vscode';
import type {
  DynamicsAction,
  DynamicsEvents,
  DynamicsRequests,
  DynamicsShown,
} from '../../../../protocol/dynamics';
import type { UsedSession } from '../../../state/dynamics/dynamics';
import type { DynamicsInput, DynamicsSession, DynamicsState } from '../../../state/dynamics/dynamicsSession';
import { openedOf } from '../../../state/opened/openedSession';
import type { Kymo } from '../../../state/kymo';
import { goToSource } from '../../../actions/goToSource';
import type { Answers } from '../panelChannel';
import type { Panel, PanelOwner } from '../panels';
import { dynamicsGuards as guards, panelName } from './requests';
import { saveDynamics } from './saveDynamics';

/** The owner of one panel of performance dynamics. Relays between engine and webview, and computes nothing. */
export class DynamicsPanel implements PanelOwner<DynamicsRequests> {
  readonly answers: Answers<DynamicsRequests>;
  private readonly used: UsedSession;
  private readonly subscriptions: readonly vscode.Disposable[];
  /** Property to show as soon as the webview is ready. */
  private pendingProperty: string | undefined;
  /** The webview has the rows of the analysis and shows a series, so it can select another property. */
  private isListening = false;

  constructor(
    private readonly kymo: Kymo,
    private readonly panel: Panel<DynamicsEvents>,
    readonly input: DynamicsInput,
  ) {
    this.used = kymo.dynamics.use(input);
    this.subscriptions = [
      this.session.onDidChange((state) => this.follow(state)),
      panel.webviewPanel.onDidChangeViewState(({ webviewPanel }) => {
        // A hidden webview does not exist.
        if (!webviewPanel.visible) this.isListening = false;
      }),
    ];
    this.answers = this.makeAnswers();
    this.setTitle();
  }

  private get session(): DynamicsSession {
    return this.used.session;
  }

  /** Brings the panel to the front and shows the property there, if given. */
  reveal(property?: string): void {
    this.panel.webviewPanel.reveal(undefined, false);
    if (property !== undefined) this.choose(property);
  }

  /** Shows the property with this id, now or as soon as the webview has the analysis. */
  choose(property: string): void {
    this.pendingProperty = property;
    this.sendPending();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.used.dispose();
  }

  private makeAnswers(): Answers<DynamicsRequests> {
    const { session } = this;
    return {
      open: { guard: guards.open, answer: () => this.open() },
      properties: {
        guard: guards.properties,
        answer: (piece, signal) => session.ask('dynamicsPropertyRows', piece, { signal }),
      },
      series: {
        guard: guards.series,
        answer: (piece, signal) => session.ask('dynamicsSeriesRows', piece, { signal }),
      },
      report: {
        guard: guards.report,
        answer: (piece, signal) => session.ask('dynamicsReportRows', piece, { signal }),
      },
      values: {
        guard: guards.values,
        answer: async (request) => {
          const detail = await session.ask('dynamicsValues', request);
          this.isListening = true;
          // The event must follow the answer.
          setTimeout(() => this.sendPending(), 0);
          // Arrays from another process are views of one large buffer, which VS Code would send with each of them.
          return { ...detail, values: detail.values.slice() };
        },
      },
      map: {
        guard: guards.map,
        answer: async (piece) => {
          const map = await session.ask('dynamicsMap', piece);
          return { ...map, values: map.values.slice(), series: map.series.slice() };
        },
      },
      trace: { guard: guards.trace, answer: (request) => session.ask('dynamicsTrace', request) },
      openSource: {
        guard: guards.openSource,
        answer: async (request) => {
          const region = await session.ask('dynamicsRegion', request);
          await goToSource(this.kymo, region, this.profileUri(), this.panel.webviewPanel.viewColumn);
          return { opened: true };
        },
      },
      analyse: {
        guard: guards.analyse,
        answer: ({ settings }) => {
          void session.analyse(settings);
          return { started: true };
        },
      },
      cancel: { guard: guards.cancel, answer: () => ({ cancelled: session.cancel() }) },
      save: {
        guard: guards.save,
        answer: async (given) => ({
          saved: await saveDynamics(given, session, this.profileUri(), this.kymo.log),
        }),
      },
      act: {
        guard: guards.act,
        answer: async ({ action }) => {
          await this.act(action);
          return {};
        },
      },
    };
  }

  private open(): DynamicsShown {
    this.isListening = false;
    return this.shown(this.session.state);
  }

  private follow(state: DynamicsState): void {
    this.setTitle();
    this.isListening = false;
    if (state.kind === 'making' && state.progress !== undefined) this.panel.tell('progress', state.progress);
    else this.panel.tell('shown', this.shown(state));
  }

  private shown(state: DynamicsState): DynamicsShown {
    const { settings } = this.session;
    return { ...openedOf(state), panel: panelName(this.input), title: this.title(state), settings };
  }

  private title(state: DynamicsState): string {
    return state.kind === 'done' ? state.opened.title : inputTitle(this.input);
  }

  private setTitle(): void {
    this.panel.webviewPanel.title = `Dynamics: ${this.title(this.session.state)}`;
  }

  private sendPending(): void {
    const { state } = this.session;
    if (this.pendingProperty === undefined || state.kind !== 'done' || !this.isListening) return;
    this.panel.tell('choose', { id: state.opened.header.id, property: this.pendingProperty });
    this.pendingProperty = undefined;
  }

  private profileUri(): vscode.Uri {
    const { state } = this.session;
    const file =
      state.kind === 'done'
        ? state.opened.files[0]
        : this.input.kind === 'folder'
          ? this.input.folder
          : this.input.files[0];
    return vscode.Uri.file(file ?? '/');
  }

  private async act(action: DynamicsAction): Promise<void> {
    switch (action) {
      case 'markPhase':
        await vscode.commands.executeCommand('kymo.choosePhase');
        return;
      case 'openFile':
        await vscode.commands.executeCommand('kymo.analyseSeries');
        return;
      case 'compare':
        await vscode.commands.executeCommand('kymo.compareDynamics', this.input);
        return;
      case 'settings':
        await vscode.commands.executeCommand('workbench.action.openSettings', 'kymo.dynamics');
    }
  }
}

/** The panel's title until the analysis provides one: `nbody, refine-…` or file names. */
export function inputTitle(input: DynamicsInput): string {
  if (input.kind === 'folder')
    return `${path.basename(path.dirname(input.folder))}, ${path.basename(input.folder)}`;
  const [first = ''] = input.files;
  const more = input.files.length - 1;
  return `${path.basename(first)}${more > 0 ? ` and ${more} more` : ''}`;
}
