/** The extension's side of the engine: starts engine processes, sends requests, and ends what it started. */
import { cancelGraceMilliseconds, EngineProcess, type EngineProgram } from './engineProcess';
import { answered, Questions, streamed, type PartListener, type RequestHooks } from './questions';
import type { RequestTable } from './requests/request';
import type { NameOf, OptionsOf, PartOf, Requests, ResultOf } from './requests/requests';

/** The shared process ends after this time without a question. */
const idleMilliseconds = 30_000;

/** The client has one method per way and home of a request (`requests/request.ts`); any other combination does not compile. */
export class EngineClient<Table extends RequestTable = Requests> {
  private readonly shared: Questions<Table, 'shared'>;
  private readonly documents = new Set<Questions<Table, 'document'>>();
  private readonly jobs = new Set<EngineProcess>();

  constructor(private readonly program: EngineProgram) {
    this.shared = new Questions(program, idleMilliseconds, 'stuck');
  }

  /** Asks a short question. Cancelling it discards its answer at once. @throws EngineError; KymoError `cancelled`, `engine-ended` */
  query<Name extends NameOf<Table, 'query', 'shared'>>(
    name: Name,
    options: OptionsOf<Table, Name>,
    hooks: RequestHooks = {},
  ): Promise<ResultOf<Table, Name>> {
    return this.shared.query(name, options, hooks);
  }

  /** Asks a question with a long answer, in parts. Leaving the iteration cancels it. @throws as `query`, while it is iterated */
  stream<Name extends NameOf<Table, 'stream', 'shared'>>(
    name: Name,
    options: OptionsOf<Table, Name>,
    hooks: RequestHooks = {},
  ): AsyncIterable<PartOf<Table, Name>> {
    return this.shared.stream(name, options, hooks);
  }

  /**
   * Returns the process of one opened file or analysis, which holds that in memory. The caller disposes of it. It ends by itself after
   * `idleAfterMilliseconds` without a question, and starts again with the next one.
   */
  document(idleAfterMilliseconds: number): Questions<Table, 'document'> {
    const questions = new Questions<Table, 'document'>(this.program, idleAfterMilliseconds, 'expected', () =>
      this.documents.delete(questions),
    );
    this.documents.add(questions);
    return questions;
  }

  /** Runs long work in a process of its own. When `signal` aborts, the promise rejects within a second and no process remains. */
  job<Name extends NameOf<Table, 'job', 'own'>>(
    name: Name,
    options: OptionsOf<Table, Name>,
    hooks: RequestHooks = {},
  ): Promise<ResultOf<Table, Name>> {
    return this.inOwnProcess(name, options, hooks) as Promise<ResultOf<Table, Name>>;
  }

  /** Runs long work with many answers in a process of its own. Leaving the iteration ends it, as cancelling ends a job. */
  follow<Name extends NameOf<Table, 'stream', 'own'>>(
    name: Name,
    options: OptionsOf<Table, Name>,
    hooks: RequestHooks = {},
  ): AsyncIterable<PartOf<Table, Name>> {
    return streamed(
      (onPart, signal) => this.inOwnProcess(name, options, { ...hooks, signal }, onPart),
      hooks,
    );
  }

  dispose(): void {
    this.shared.dispose();
    for (const document of this.documents) document.dispose();
    for (const job of this.jobs) job.end();
  }

  private async inOwnProcess(
    name: string,
    options: unknown,
    hooks: RequestHooks,
    onPart?: PartListener,
  ): Promise<unknown> {
    let engine: EngineProcess | undefined;
    let kill: NodeJS.Timeout | undefined;
    const begin: Parameters<typeof answered>[4] = (question) => {
      const started = new EngineProcess(this.program);
      engine = started;
      this.jobs.add(started);
      started.ask(question);
      return () => {
        started.cancel(question.place?.id ?? 0);
        kill = setTimeout(() => started.kill(), cancelGraceMilliseconds);
      };
    };
    try {
      return await answered(name, options, hooks, onPart, begin, true);
    } finally {
      clearTimeout(kill);
      if (engine !== undefined) this.jobs.delete(engine);
      engine?.end();
    }
  }
}
