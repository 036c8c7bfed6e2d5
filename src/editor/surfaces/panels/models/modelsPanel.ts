import path from 'node:path';
import * as vscode from 'vscode';
import type { ModelsEvents, ModelsRequests, ModelsShown } from '../../../../protocol/models';
import { openFunctionNamed } from '../../../actions/openFunctionNamed';
import type { Kymo } from '../../../state/kymo';
import { ModelsSession, type ModelsInput, type ModelsState } from '../../../state/models/modelsSession';
import { openedOf } from '../../../state/opened/openedSession';
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
    input: ModelsInput,
  ) {
    this.session = new ModelsSession(kymo.engine, input);
    this.following = this.session.onDidChange((state) => this.follow(state));
    this.answers = this.makeAnswers();
    panel.webviewPanel.title = panelTitle(input);
  }

  get input(): ModelsInput {
    return this.session.input;
  }

  /** Shows the models of other measurements beside these; undefined: no longer. */
  compare(compared: readonly string[] | undefined): void {
    void this.session.remake(this.session.settings, compared);
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
          return ownArrays(await session.ask('modelCurve', model, { signal }));
        },
      },
      plane: {
        guard: guards.plane,
        answer: async (model, signal) => {
          const plane = await session.ask('modelPlane', model, { signal });
          return { ...plane, cells: ownArrays(plane.cells), stops: ownArrays(plane.stops) };
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
        answer: ({ settings }) => {
          void session.remake(settings, session.input.compared);
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
      measureNext: { guard: guards.measureNext, answer: ({ id }) => Promise.resolve(this.measureNext(id)) },
      act: {
        guard: guards.act,
        answer: async ({ action }) => {
          if (action === 'compareNothing') this.compare(undefined);
          else if (action === 'compare')
            await vscode.commands.executeCommand('kymo.compareModels', this.input);
          else await vscode.commands.executeCommand('kymo.showModels');
          return {};
        },
      },
    };
  }

  private measureNext(id: string): { readonly started: boolean } {
    const { state, input } = this.session;
    const [directory] = input.paths;
    if (state.kind !== 'done' || state.opened.header.id !== id || directory === undefined)
      return { started: false };
    const { next } = state.opened.header;
    if (next === undefined) return { started: false };
    const { coordinates, repetitions } = next;
    const point = { directory, coordinates, repetitions };
    // The command ends with the runs, which may take long.
    void vscode.commands.executeCommand('kymo.study.measurePoint', point).then(() => this.session.make());
    return { started: true };
  }

  private follow(state: ModelsState): void {
    if (state.kind === 'making' && state.progress !== undefined) this.panel.tell('progress', state.progress);
    else this.panel.tell('shown', this.shown(state));
  }

  private shown(state: ModelsState): ModelsShown {
    const { input, settings } = this.session;
    return {
      ...openedOf(state),
      panel: panelName(input),
      title: inputTitle(input),
      settings,
      isComparing: input.compared !== undefined,
    };
  }
}

/** Arrays from another process are views of one large buffer, which VS Code would send with each of them. */
function ownArrays<Given extends object>(given: Given): Given {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]: [string, unknown]) => [
      name,
      value instanceof Float64Array ? value.slice() : value,
    ]),
  ) as Given;
}

export function panelTitle(input: ModelsInput): string {
  return `Models: ${inputTitle(input)}`;
}

function inputTitle({ paths }: ModelsInput): string {
  const [first = '', ...more] = paths;
  return `${path.basename(first)}${more.length > 0 ? ` and ${more.length} more` : ''}`;
}
