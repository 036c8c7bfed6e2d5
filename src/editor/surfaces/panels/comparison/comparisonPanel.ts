import * as vscode from 'vscode';
import type {
  ComparisonAction,
  ComparisonEvents,
  ComparisonRequests,
  ComparisonShown,
} from '../../../../protocol/comparison';
import { goToSource } from '../../../actions/goToSource';
import {
  ComparisonSession,
  type ComparisonInput,
  type ComparisonState,
} from '../../../state/comparison/comparisonSession';
import type { Kymo } from '../../../state/kymo';
import { openedOf } from '../../../state/opened/openedSession';
import { comparisonTitle } from '../../../words/comparison/comparisonText';
import type { Answers } from '../panelChannel';
import type { Panel, PanelOwner } from '../panels';
import { comparisonGuards as guards, panelName } from './requests';
import { saveComparison } from './saveComparison';

/** The owner of one panel that compares traces. Relays between engine and webview, and computes nothing. */
export class ComparisonPanel implements PanelOwner<ComparisonRequests> {
  readonly answers: Answers<ComparisonRequests>;
  private readonly session: ComparisonSession;
  private readonly following: vscode.Disposable;

  constructor(
    private readonly kymo: Kymo,
    private readonly panel: Panel<ComparisonEvents>,
    input: ComparisonInput,
  ) {
    this.session = new ComparisonSession(kymo.engine, input);
    this.following = this.session.onDidChange((state) => this.follow(state));
    this.answers = this.makeAnswers();
    this.showTitle();
  }

  get input(): ComparisonInput {
    return this.session.input;
  }

  /** Brings the panel to the front. */
  reveal(): void {
    this.panel.webviewPanel.reveal(undefined, false);
  }

  dispose(): void {
    this.following.dispose();
    this.session.dispose();
  }

  private makeAnswers(): Answers<ComparisonRequests> {
    const { session } = this;
    return {
      open: { guard: guards.open, answer: () => this.shown(session.state) },
      summary: {
        guard: guards.summary,
        answer: (given, signal) => session.ask('comparisonSummary', given, { signal }),
      },
      rows: {
        guard: guards.rows,
        answer: (piece, signal) => session.ask('comparisonRows', piece, { signal }),
      },
      overview: {
        guard: guards.overview,
        answer: async (given, signal) => {
          const { strips, rows } = await session.ask('comparisonOverview', given, { signal });
          // Arrays from another process are views of one large buffer, which VS Code would send with each of them.
          return { strips: strips.map((strip) => strip.slice()), rows: rows.slice() };
        },
      },
      find: {
        guard: guards.find,
        answer: (given, signal) => session.ask('comparisonFind', given, { signal }),
      },
      openSource: {
        guard: guards.openSource,
        answer: async (given) => {
          const place = await session.ask('comparisonPlace', given);
          if (place?.file === undefined || place.line === undefined) return { opened: false };
          await goToSource(this.kymo, place, this.traceUri(), this.panel.webviewPanel.viewColumn);
          return { opened: true };
        },
      },
      choose: {
        guard: guards.choose,
        answer: ({ parts }) => {
          void session.choose(parts);
          return { started: true };
        },
      },
      cancel: { guard: guards.cancel, answer: () => ({ cancelled: session.cancel() }) },
      save: {
        guard: guards.save,
        answer: async (given) => ({
          saved: await saveComparison(given, session, this.traceUri(), this.kymo.log),
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

  private async act(action: ComparisonAction): Promise<void> {
    switch (action) {
      case 'swap':
        void this.session.swap();
        this.showTitle();
        return;
      case 'chooseInputs':
        await vscode.commands.executeCommand('kymo.compareTraces');
    }
  }

  private traceUri(): vscode.Uri {
    return vscode.Uri.file(this.input.views[0]?.file ?? '/');
  }

  private showTitle(): void {
    this.panel.webviewPanel.title = comparisonTitle(this.input.views);
  }

  private follow(state: ComparisonState): void {
    if (state.kind === 'making' && state.progress !== undefined) {
      this.panel.tell('progress', state.progress);
      return;
    }
    this.showTitle();
    this.panel.tell('shown', this.shown(state));
  }

  private shown(state: ComparisonState): ComparisonShown {
    return {
      ...openedOf(state),
      panel: panelName(this.input),
      title: comparisonTitle(this.input.views),
      parts: this.session.parts,
    };
  }
}
