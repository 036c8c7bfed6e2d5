import * as l10n from '@vscode/l10n';
import type { EngineClient } from '../../../engine/client';
import type { RequestHooks } from '../../../engine/questions';
import type { ComparedPart } from '../../../protocol/comparison';
import type {
  ComparisonName,
  ComparisonQuestion,
  OpenedComparison,
} from '../../../workflows/views/traceComparisonView';
import { OpenedSession, type SessionState } from '../opened/openedSession';

/** A trace, or a part of it. */
export interface ComparedInput extends ComparedPart {
  /** Absolute: the anchor file of an OTF2 trace, or a call-graph trace. */
  readonly file: string;
}

/** What is compared: two to four traces, in their order. */
export interface ComparisonInput {
  readonly views: readonly ComparedInput[];
}

export type ComparisonState = SessionState<ComparisonQuestion, OpenedComparison>;

/** The comparison of some traces. */
export class ComparisonSession extends OpenedSession<ComparisonName, OpenedComparison> {
  constructor(
    engine: EngineClient,
    private given: ComparisonInput,
  ) {
    super(engine, {
      empty: 'no-calls',
      changed: ['comparison-changed', l10n.t('The traces are being compared again. Wait for the end.')],
    });
    void this.make();
  }

  get input(): ComparisonInput {
    return this.given;
  }

  /** The rank and iterations of each view. */
  get parts(): readonly ComparedPart[] {
    return this.given.views.map(({ rank, iterations }) => ({
      ...(rank !== undefined && { rank }),
      ...(iterations !== undefined && { iterations }),
    }));
  }

  /** Compares other ranks or iterations of these traces. @param parts of each view */
  async choose(parts: readonly ComparedPart[]): Promise<void> {
    this.given = { views: this.given.views.map(({ file }, view) => ({ file, ...parts[view] })) };
    await this.make();
  }

  /** Exchanges the order of the views. */
  async swap(): Promise<void> {
    this.given = { views: this.given.views.toReversed() };
    await this.make();
  }

  protected newQuestion(): ComparisonQuestion {
    return { paths: this.given.views.map(({ file }) => file), parts: this.parts };
  }

  protected open(question: ComparisonQuestion, hooks: RequestHooks): Promise<OpenedComparison> {
    return this.questions.query('openComparison', question, hooks);
  }
}
