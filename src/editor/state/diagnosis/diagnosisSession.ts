import { present } from '../../../core/present';
import type { EngineClient } from '../../../engine/client';
import type { RequestHooks } from '../../../engine/questions';
import type { Threshold } from '../../../protocol/diagnosis';
import type {
  DiagnosisName,
  DiagnosisQuestion,
  OpenedDiagnosis,
} from '../../../workflows/views/diagnosisView';
import { OpenedSession, type SessionState } from '../opened/openedSession';

/** What is diagnosed, and with which thresholds. */
export interface DiagnosisInput {
  /** Absolute: a profile, the folder of an experiment, a round or a study, or a saved search. */
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
      changed: ['diagnosis-changed', 'The search is being repeated. Wait for its end.'],
    });
    void this.make();
  }

  get input(): DiagnosisInput {
    return this.given;
  }

  /** Repeats the search in the same measurement with these thresholds in place of those that the hypotheses say. */
  async setThresholds(thresholds: readonly Threshold[]): Promise<void> {
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
