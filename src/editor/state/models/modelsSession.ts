import * as l10n from '@vscode/l10n';
import { present } from '../../../core/present';
import type { EngineClient } from '../../../engine/client';
import type { RequestHooks } from '../../../engine/questions';
import { usualModelSettings, type ModelSettings } from '../../../protocol/models';
import type { ModelsName, ModelsQuestion, OpenedModels } from '../../../workflows/views/modelsView';
import { OpenedSession, type SessionState } from '../opened/openedSession';

/** What models are made of, and how. */
export interface ModelsInput {
  /** Absolute: files with measurements, folders with experiments, or studies. */
  readonly paths: readonly string[];
  /** The same of other measurements, whose models are shown beside these. */
  readonly compared?: readonly string[];
  readonly settings?: ModelSettings;
}

export type ModelsState = SessionState<ModelsQuestion, OpenedModels>;

/** The performance models of one input. */
export class ModelsSession extends OpenedSession<ModelsName, OpenedModels> {
  private revision = 0;

  constructor(
    engine: EngineClient,
    private given: ModelsInput,
  ) {
    super(engine, {
      empty: 'no-model',
      changed: ['models-changed', l10n.t('The models are being made again. Wait for their end.')],
    });
    void this.make();
  }

  get input(): ModelsInput {
    return this.given;
  }

  get settings(): ModelSettings {
    return this.given.settings ?? usualModelSettings;
  }

  /** Makes the models in this way, and compares them with others. */
  async remake(settings: ModelSettings, compared: readonly string[] | undefined): Promise<void> {
    this.given = { paths: this.given.paths, settings, ...present({ compared }) };
    await this.make();
  }

  protected newQuestion(): ModelsQuestion {
    const { paths, compared } = this.given;
    const { mode, measure, scaling } = this.settings;
    this.revision += 1;
    return {
      request: {
        paths,
        measure,
        ...(scaling !== 'default' && { scaling }),
        ...(mode === 'extra-p' && { extrap: { single: 'default' } }),
      },
      ...(compared !== undefined && { compared }),
      revision: this.revision,
    };
  }

  protected open(question: ModelsQuestion, hooks: RequestHooks): Promise<OpenedModels> {
    return this.questions.query('openModels', question, hooks);
  }
}
