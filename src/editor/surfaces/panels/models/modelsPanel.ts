import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { ModelsEvents, ModelsRequests, ModelsShown } from '../../../../protocol/models';
import type { Kymo } from '../../../state/kymo';
import { ModelsSession, type ModelsInput, type ModelsState } from '../../../state/models/modelsSession';
import { openedOf } from '../../../state/opened/openedSession';
import type { Answers } from '../panelChannel';
import { OpenedPanel } from '../openedPanel';
import type { Panel } from '../panels';
import { modelsGuards as guards, panelName } from './requests';
import { saveModels } from './saveModels';

/** The owner of one panel of performance models. */
export class ModelsPanel extends OpenedPanel<ModelsRequests, ModelsEvents, ModelsSession> {
  readonly answers = this.makeAnswers();

  constructor(kymo: Kymo, panel: Panel<ModelsEvents>, input: ModelsInput) {
    super(kymo, panel, new ModelsSession(kymo.engine, input));
  }

  protected title(): string {
    return panelTitle(this.input);
  }

  protected get file(): string | undefined {
    return this.input.paths[0];
  }

  /** Shows the models of other measurements beside these; undefined: no longer. */
  compare(compared: readonly string[] | undefined): void {
    void this.session.remake(this.session.settings, compared);
  }

  private makeAnswers(): Answers<ModelsRequests> {
    const { session } = this;
    return {
      ...this.common,
      rows: { guard: guards.rows, answer: (piece, signal) => session.ask('modelRows', piece, { signal }) },
      predictions: {
        guard: guards.predictions,
        answer: (piece, signal) => session.ask('modelPredictions', piece, { signal }),
      },
      detail: {
        guard: guards.detail,
        answer: (model, signal) => session.ask('modelDetail', model, { signal }),
      },
      curve: {
        guard: guards.curve,
        answer: (model, signal) => session.ask('modelCurve', model, { signal }),
      },
      plane: {
        guard: guards.plane,
        answer: (model, signal) => session.ask('modelPlane', model, { signal }),
      },
      openSource: {
        guard: guards.openSource,
        answer: async (row) => this.openNamed(await session.ask('modelRegion', row)),
      },
      make: {
        guard: guards.make,
        answer: ({ settings }) => {
          void session.remake(settings, session.input.compared);
          return { started: true };
        },
      },
      save: {
        guard: guards.save,
        answer: async (given) => ({
          saved: await saveModels(given, session, this.uri, this.kymo.log),
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

  protected shown(state: ModelsState): ModelsShown {
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

export function panelTitle(input: ModelsInput): string {
  return l10n.t`Models: ${inputTitle(input)}`;
}

function inputTitle({ paths }: ModelsInput): string {
  const [first = '', ...more] = paths;
  const name = path.basename(first);
  return more.length > 0 ? l10n.t`${name} and ${more.length} more` : name;
}
