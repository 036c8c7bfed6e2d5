import * as l10n from '@vscode/l10n';
import { present } from '../../../core/present';
import type { EngineClient } from '../../../engine/client';
import type { RequestHooks } from '../../../engine/questions';
import type { DiagnosisWish } from '../../../workflows/diagnosing/live/diagnosisWish';
import type { Threshold } from '../../../protocol/diagnosis';
import type {
  DiagnosisName,
  DiagnosisQuestion,
  OpenedDiagnosis,
} from '../../../workflows/views/diagnosisView';
import { OpenedSession, type SessionState } from '../opened/openedSession';

/** What is diagnosed, and with which thresholds. */
export interface DiagnosisInput {
  /** Absolute: a profile, the folder of an experiment, a round or a study, a saved search, or the search in a run. */
  readonly path: string;
  /** Those that differ from what the hypotheses say. */
  readonly thresholds?: readonly Threshold[];
}

export type DiagnosisState = SessionState<DiagnosisQuestion, OpenedDiagnosis>;

/** The search in one input. */
export class DiagnosisSession extends OpenedSession<DiagnosisName, OpenedDiagnosis> {
  private revision = 0;

  constructor(
    engine: EngineClient,
    private given: DiagnosisInput,
  ) {
    super(engine, {
      empty: 'nothing-to-diagnose',
      changed: ['diagnosis-changed', l10n.t('The search is being repeated. Wait for its end.')],
    });
    void this.make();
  }

  get input(): DiagnosisInput {
    return this.given;
  }

  /** Whether the search is in a run that is under way. */
  private get isGoingOn(): boolean {
    return this.state.kind === 'done' && this.state.opened.header.wanted !== undefined;
  }

  /** Makes the document, and follows a search that is under way until its run ends. */
  override async make(): Promise<void> {
    await super.make();
    const { state } = this;
    if (state.kind !== 'done' || !this.isGoingOn) return;
    const { question } = state;
    const isCurrent = (): boolean => this.state.kind === 'done' && this.state.question === question;
    try {
      for await (const opened of this.questions.stream('followDiagnosis', question)) {
        if (!isCurrent()) return;
        this.become({ kind: 'done', opened, question });
      }
    } catch (error) {
      if (isCurrent())
        this.become({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
    }
  }

  /** Pauses a search that is under way, lets it go on, or stops it. @throws KymoError `no-run` */
  async steer(state: DiagnosisWish['state']): Promise<void> {
    await this.engine.query('steerDiagnosis', { path: this.given.path, state });
  }

  /**
   * Repeats the search in the same measurement with these thresholds in place of those that the hypotheses say, or changes those of a search that is under way.
   * @throws KymoError `no-run`
   */
  async setThresholds(thresholds: readonly Threshold[]): Promise<void> {
    if (this.isGoingOn) {
      await this.engine.query('steerDiagnosis', searchedFor({ path: this.given.path, thresholds }));
      return;
    }
    this.given = {
      path: this.given.path,
      ...present({ thresholds: thresholds.length > 0 ? thresholds : undefined }),
    };
    await this.make();
  }

  /** Reads the measurement again: it may have changed. */
  async again(): Promise<void> {
    this.revision += 1;
    await this.make();
  }

  protected newQuestion(): DiagnosisQuestion {
    return { ...searchedFor(this.given), revision: this.revision };
  }

  protected open(question: DiagnosisQuestion, hooks: RequestHooks): Promise<OpenedDiagnosis> {
    return this.questions.query('openDiagnosis', question, hooks);
  }
}

/** As the engine is asked. */
export function searchedFor({ path, thresholds = [] }: DiagnosisInput): Omit<DiagnosisQuestion, 'revision'> {
  return {
    path,
    thresholds: Object.fromEntries(thresholds.map(({ hypothesis, threshold }) => [hypothesis, threshold])),
  };
}
