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
import { OpenedPanel } from '../openedPanel';
import type { Panel } from '../panels';
import { comparisonGuards as guards, panelName } from './requests';
import { saveComparison } from './saveComparison';

/** The owner of one panel that compares traces. */
export class ComparisonPanel extends OpenedPanel<ComparisonRequests, ComparisonEvents, ComparisonSession> {
  readonly answers = this.makeAnswers();

  constructor(kymo: Kymo, panel: Panel<ComparisonEvents>, input: ComparisonInput) {
    super(kymo, panel, new ComparisonSession(kymo.engine, input));
  }

  protected title(): string {
    return comparisonTitle(this.input.views);
  }

  protected get file(): string | undefined {
    return this.input.views[0]?.file;
  }

  private makeAnswers(): Answers<ComparisonRequests> {
    const { session } = this;
    return {
      ...this.common,
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
        answer: (given, signal) => session.ask('comparisonOverview', given, { signal }),
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
          await goToSource(this.kymo, place, this.uri, this.panel.webviewPanel.viewColumn);
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
      save: {
        guard: guards.save,
        answer: async (given) => ({
          saved: await saveComparison(given, session, this.uri, this.kymo.log),
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
        return;
      case 'chooseInputs':
        await vscode.commands.executeCommand('kymo.compareTraces');
    }
  }

  protected shown(state: ComparisonState): ComparisonShown {
    return {
      ...openedOf(state),
      panel: panelName(this.input),
      title: this.title(),
      parts: this.session.parts,
    };
  }
}
