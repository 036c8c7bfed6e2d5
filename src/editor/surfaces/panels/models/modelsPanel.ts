import path from 'node:path';
import * as vscode from 'vscode';
import type { ModelsEvents, ModelsRequests, ModelsShown } from '../../../../protocol/models';
import { openFunctionNamed } from '../../../actions/openFunctionNamed';
import type { Kymo } from '../../../state/kymo';
import { ModelsSession, type ModelsInput, type ModelsState } from '../../../state/models/modelsSession';
import type { Answers } from '../panelChannel';
import type { Panel, PanelOwner } from '../panels';
import { modelsGuards as guards, panelName } from './requests';
import { saveModels } from './saveModels';

/** The owner of one panel of performance models. Relays between engine and webview, and computes nothing. */
export class ModelsPanel implements PanelOwner<ModelsRequests> {
  readonly answers: Answers<ModelsRequests>;
  private readonly session: ModelsSession;
  private readonly following: vscode.Disposable;

  constructor(
    private readonly kymo: Kymo,
    private readonly panel: Panel<ModelsEvents>,
    readonly input: ModelsInput,
  ) {
    this.session = new ModelsSession(kymo.engine, input);
    this.following = this.session.onDidChange((state) => this.follow(state));
    this.answers = this.makeAnswers();
    panel.webviewPanel.title = panelTitle(input);
  }

  /** Brings the panel to the front. */
  reveal(): void {
    this.panel.webviewPanel.reveal(undefined, false);
  }

  dispose(): void {
    this.following.dispose();
    this.session.dispose();
  }

  private makeAnswers(): Answers<ModelsRequests> {
    const { session } = this;
    return {
      open: { guard: guards.open, answer: () => this.shown(session.state) },
      rows: { guard: guards.rows, answer: (piece, signal) => session.ask('modelRows', piece, { signal }) },
      predictions: {
        guard: guards.predictions,
        answer: async (piece, signal) => ownArrays(await session.ask('modelPredictions', piece, { signal })),
      },
      detail: {
        guard: guards.detail,
        answer: (model, signal) => session.ask('modelDetail', model, { signal }),
      },
      curve: {
        guard: guards.curve,
        answer: async (model, signal) => {
          const curve = await session.ask('modelCurve', model, { signal });
          return { ...ownArrays(curve), at: curve.at.slice() };
        },
      },
      openSource: {
        guard: guards.openSource,
        answer: async (row) => {
          const name = await session.ask('modelRegion', row);
          const { viewColumn } = this.panel.webviewPanel;
          const isFirst = viewColumn === undefined || viewColumn === vscode.ViewColumn.One;
          const beside = isFirst ? vscode.ViewColumn.Beside : vscode.ViewColumn.One;
          return { opened: await openFunctionNamed(this.kymo, name, { viewColumn: beside }) };
        },
      },
      make: {
        guard: guards.make,
        answer: () => {
          void session.make();
          return { started: true };
        },
      },
      cancel: { guard: guards.cancel, answer: () => ({ cancelled: session.cancel() }) },
      save: {
        guard: guards.save,
        answer: async (given) => ({
          saved: await saveModels(given, session, vscode.Uri.file(this.input.paths[0] ?? '/'), this.kymo.log),
        }),
      },
      chooseInput: {
        guard: guards.chooseInput,
        answer: async () => {
          await vscode.commands.executeCommand('kymo.showModels');
          return {};
        },
      },
    };
  }

  private follow(state: ModelsState): void {
    if (state.kind === 'making' && state.progress !== undefined) this.panel.tell('progress', state.progress);
    else this.panel.tell('shown', this.shown(state));
  }

  private shown(state: ModelsState): ModelsShown {
    const common = { panel: panelName(this.input), title: inputTitle(this.input) };
    switch (state.kind) {
      case 'done':
        return { ...common, kind: 'done', header: state.opened.header, title: state.opened.title };
      case 'making':
      case 'empty':
      case 'failed':
      case 'cancelled':
        return { ...common, ...state };
    }
  }
}

/** Arrays from another process are views of one large buffer, which VS Code would send with each of them. */
function ownArrays<Given extends Readonly<Record<'values' | 'low' | 'high', Float64Array>>>(
  given: Given,
): Given {
  const { values, low, high } = given;
  return { ...given, values: values.slice(), low: low.slice(), high: high.slice() };
}

export function panelTitle(input: ModelsInput): string {
  return `Models: ${inputTitle(input)}`;
}

function inputTitle({ paths }: ModelsInput): string {
  const [first = '', ...more] = paths;
  return `${path.basename(first)}${more.length > 0 ? ` and ${more.length} more` : ''}`;
}
