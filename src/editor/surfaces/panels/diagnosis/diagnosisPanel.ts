import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type {
  DiagnosisAction,
  DiagnosisEvents,
  DiagnosisRequests,
  DiagnosisShown,
} from '../../../../protocol/diagnosis';
import { goToSource } from '../../../actions/goToSource';
import {
  DiagnosisSession,
  type DiagnosisInput,
  type DiagnosisState,
} from '../../../state/diagnosis/diagnosisSession';
import type { Kymo } from '../../../state/kymo';
import { openedOf } from '../../../state/opened/openedSession';
import type { Answers } from '../panelChannel';
import { OpenedPanel } from '../openedPanel';
import type { Panel } from '../panels';
import { diagnosisGuards as guards, panelName } from './requests';
import { saveDiagnosis } from './saveDiagnosis';

/** The owner of one panel that shows a diagnosis. */
export class DiagnosisPanel extends OpenedPanel<DiagnosisRequests, DiagnosisEvents, DiagnosisSession> {
  readonly answers = this.makeAnswers();
  /** Shown in the source. */
  private inSource: DiagnosisInput | undefined;

  constructor(kymo: Kymo, panel: Panel<DiagnosisEvents>, input: DiagnosisInput) {
    super(kymo, panel, new DiagnosisSession(kymo.engine, input));
  }

  protected title(): string {
    const { state } = this.session;
    return state.kind === 'done' ? l10n.t`Diagnosis: ${state.opened.title}` : panelTitle(this.input);
  }

  protected get file(): string | undefined {
    return this.input.path;
  }

  private makeAnswers(): Answers<DiagnosisRequests> {
    const { session } = this;
    return {
      ...this.common,
      nodes: {
        guard: guards.nodes,
        answer: (piece, signal) => session.ask('diagnosisNodes', piece, { signal }),
      },
      layout: {
        guard: guards.layout,
        answer: (graph, signal) => this.kymo.engine.query('diagnosisLayout', graph, { signal }),
      },
      openSource: {
        guard: guards.openSource,
        answer: (node) => this.openSource(node),
      },
      setThresholds: {
        guard: guards.setThresholds,
        answer: async ({ thresholds }) => {
          const changed = session.setThresholds(thresholds);
          // A search that is repeated says by itself how it goes on.
          if (session.state.kind === 'done') await changed;
          return { started: true };
        },
      },
      save: {
        guard: guards.save,
        answer: async (given) => ({
          saved: await saveDiagnosis(given, session, this.uri, this.kymo.log),
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

  /** At its place in the measurement, else wherever a function of this name is known. */
  private async openSource(given: {
    readonly id: string;
    readonly node: number;
  }): Promise<{ readonly opened: boolean }> {
    const { name, place } = await this.session.ask('diagnosisPlace', given);
    if (place?.line !== undefined) {
      await goToSource(this.kymo, place, this.uri, this.panel.webviewPanel.viewColumn);
      return { opened: true };
    }
    return this.openNamed(name);
  }

  private async act(action: DiagnosisAction): Promise<void> {
    switch (action) {
      case 'chooseInput':
        await vscode.commands.executeCommand('kymo.diagnose');
        return;
      case 'import':
        await vscode.commands.executeCommand('kymo.importSearch');
        return;
      case 'makeAgain':
        void this.session.again();
        return;
      case 'search':
      case 'pause':
      case 'stop':
        await this.session.steer(action);
    }
  }

  /** What the panel shows stands in the source, too, with the same thresholds. */
  protected override follow(state: DiagnosisState): void {
    super.follow(state);
    if (state.kind !== 'done' || state.opened.found === undefined) return;
    const { diagnosis } = this.kymo;
    // A search that goes on stays hidden once the user has hidden it.
    if (this.inSource === this.input) diagnosis.update(this.input, state.opened.found);
    else void diagnosis.show(this.input, state.opened.found);
    this.inSource = this.input;
  }

  protected shown(state: DiagnosisState): DiagnosisShown {
    const title = state.kind === 'done' ? state.opened.title : inputTitle(this.input);
    return { ...openedOf(state), panel: panelName(this.input), title };
  }
}

export function panelTitle(input: DiagnosisInput): string {
  return l10n.t`Diagnosis: ${inputTitle(input)}`;
}

/** Most profiles have the same name. */
function inputTitle({ path: file }: DiagnosisInput): string {
  const name = path.basename(file);
  return name === 'profile.cubex' || name === 'search.json' ? path.basename(path.dirname(file)) : name;
}
