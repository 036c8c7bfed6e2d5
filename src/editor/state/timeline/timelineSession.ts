import * as l10n from '@vscode/l10n';
import type { EngineClient } from '../../../engine/client';
import type { RequestHooks } from '../../../engine/questions';
import type { OptionsOf, Requests, ResultOf } from '../../../engine/requests/requests';
import type { OpenedTimeline, TimelineName, TimelineQuestion } from '../../../workflows/views/timelineView';
import { OpenedSession, type SessionState } from '../opened/openedSession';

/** The trace of a panel. */
export interface TimelineInput {
  /** Absolute: the anchor file of an OTF2 archive. */
  readonly file: string;
}

export type TimelineState = SessionState<TimelineQuestion, OpenedTimeline>;

type AboutTrace =
  | 'timelineSpans'
  | 'timelineStack'
  | 'timelineMessages'
  | 'timelineProfile'
  | 'timelineFind'
  | 'timelineFunction';
type Asked<Request extends AboutTrace> = Omit<OptionsOf<Requests, Request>, keyof TimelineQuestion>;

/** An opened trace. */
export class TimelineSession extends OpenedSession<
  { readonly question: TimelineQuestion; readonly id: TimelineName['id'] },
  OpenedTimeline
> {
  constructor(
    engine: EngineClient,
    readonly input: TimelineInput,
  ) {
    super(engine, {
      empty: 'no-events',
      changed: ['trace-changed', l10n.t('The trace is being read again. Wait for its end.')],
    });
    void this.make();
  }

  /** Asks about the trace; the engine opens it again if it no longer has it. @throws KymoError */
  about<Request extends AboutTrace>(
    name: Request,
    options: Asked<Request>,
    hooks: RequestHooks = {},
  ): Promise<ResultOf<Requests, Request>> {
    const request = { ...options, ...this.question } as unknown as OptionsOf<Requests, Request>;
    return this.questions.query(name, request, hooks);
  }

  protected newQuestion(): TimelineQuestion {
    return { file: this.input.file };
  }

  protected open(question: TimelineQuestion, hooks: RequestHooks): Promise<OpenedTimeline> {
    return this.questions.query('openTimeline', question, hooks);
  }
}
