import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type {
  DynamicsAction,
  DynamicsEvents,
  DynamicsRequests,
  DynamicsShown,
} from '../../../../protocol/dynamics';
import type { DynamicsInput, DynamicsSession, DynamicsState } from '../../../state/dynamics/dynamicsSession';
import { openedOf } from '../../../state/opened/openedSession';
import type { Kymo } from '../../../state/kymo';
import { goToSource } from '../../../actions/goToSource';
import type { Answers } from '../panelChannel';
import { OpenedPanel } from '../openedPanel';
import type { Panel } from '../panels';
import { dynamicsGuards as guards, panelName } from './requests';
import { saveDynamics } from './saveDynamics';

/** The owner of one panel of performance dynamics. */
export class DynamicsPanel extends OpenedPanel<DynamicsRequests, DynamicsEvents, DynamicsSession> {
  readonly answers = this.makeAnswers();
  private readonly visibility: vscode.Disposable;
  /** Property to show as soon as the webview is ready. */
  private pendingProperty: string | undefined;
  /** The webview has the rows of the analysis and shows a series, so it can select another property. */
  private isListening = false;

  constructor(kymo: Kymo, panel: Panel<DynamicsEvents>, input: DynamicsInput) {
    const used = kymo.dynamics.use(input);
    super(kymo, panel, used.session, used);
    this.visibility = panel.webviewPanel.onDidChangeViewState(({ webviewPanel }) => {
      // A hidden webview does not exist.
      if (!webviewPanel.visible) this.isListening = false;
    });
  }

  /** Shows the property with this id, now or as soon as the webview has the analysis. */
  choose(property: string): void {
    this.pendingProperty = property;
    this.sendPending();
  }

  override dispose(): void {
    this.visibility.dispose();
    super.dispose();
  }

  private makeAnswers(): Answers<DynamicsRequests> {
    const { session } = this;
    return {
      ...this.common,
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
          return detail;
        },
      },
      map: {
        guard: guards.map,
        answer: (piece) => session.ask('dynamicsMap', piece),
      },
      trace: { guard: guards.trace, answer: (request) => session.ask('dynamicsTrace', request) },
      openSource: {
        guard: guards.openSource,
        answer: async (request) => {
          const region = await session.ask('dynamicsRegion', request);
          await goToSource(this.kymo, region, this.uri, this.panel.webviewPanel.viewColumn);
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
      save: {
        guard: guards.save,
        answer: async (given) => ({
          saved: await saveDynamics(given, session, this.uri, this.kymo.log),
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

  protected override follow(state: DynamicsState): void {
    this.isListening = false;
    super.follow(state);
  }

  protected shown(state: DynamicsState): DynamicsShown {
    const { input, session } = this;
    const title = titleOf(input, state);
    return { ...openedOf(state), panel: panelName(input), title, settings: session.settings };
  }

  protected title(): string {
    return l10n.t`Dynamics: ${titleOf(this.input, this.session.state)}`;
  }

  protected get file(): string | undefined {
    const { input } = this;
    const { state } = this.session;
    if (state.kind === 'done') return state.opened.files[0];
    return input.kind === 'folder' ? input.folder : input.files[0];
  }

  private sendPending(): void {
    const { state } = this.session;
    if (this.pendingProperty === undefined || state.kind !== 'done' || !this.isListening) return;
    this.panel.tell('choose', { id: state.opened.header.id, property: this.pendingProperty });
    this.pendingProperty = undefined;
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

function titleOf(input: DynamicsInput, state: DynamicsState): string {
  return state.kind === 'done' ? state.opened.title : inputTitle(input);
}

/** The panel's title until the analysis provides one: `nbody, refine-…` or file names. */
export function inputTitle(input: DynamicsInput): string {
  if (input.kind === 'folder')
    return `${path.basename(path.dirname(input.folder))}, ${path.basename(input.folder)}`;
  const [first = ''] = input.files;
  const more = input.files.length - 1;
  const name = path.basename(first);
  return more > 0 ? l10n.t`${name} and ${more} more` : name;
}
