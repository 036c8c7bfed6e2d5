/** The extension's side of the engine: starts engine processes, sends requests, and ends what it started. */
import { fork, type ChildProcess } from 'node:child_process';
import { KymoError } from '../core/errors';
import { EngineError } from './failure';
import type {
  EngineEvent,
  FromEngine,
  RequestName,
  RequestOptions,
  RequestResult,
  ToEngine,
} from './messages';

/** Cancelled work that has not ended by then is killed; a guard beside each program it started kills that too. */
const cancelGraceMilliseconds = 900;
/** Queries share a process; it ends when none came for so long. */
const idleMilliseconds = 30_000;

export interface RequestHooks {
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: EngineEvent) => void;
}

/** An engine process for questions that follow each other: started with the first, ended when none came for a while. */
export class EngineQueries {
  private process: EngineProcess | undefined;
  private idle: NodeJS.Timeout | undefined;

  constructor(
    private readonly program: EngineProgram,
    private readonly idleAfterMilliseconds: number,
    private readonly onDispose: () => void = () => undefined,
  ) {}

  /** Throws `EngineError`. */
  async query<Name extends RequestName>(
    name: Name,
    options: RequestOptions<Name>,
    hooks: RequestHooks = {},
  ): Promise<RequestResult<Name>> {
    clearTimeout(this.idle);
    this.process = this.process?.alive === true ? this.process : new EngineProcess(this.program);
    const engine = this.process;
    try {
      return await engine.request(name, options, hooks);
    } finally {
      if (!engine.busy) this.idle = setTimeout(() => engine.end(), this.idleAfterMilliseconds).unref();
    }
  }

  dispose(): void {
    clearTimeout(this.idle);
    this.process?.end();
    this.onDispose();
  }
}

/** What all engine processes of a window share. */
export interface EngineProgram {
  /** The bundled engine (`dist/engine.js`). */
  readonly file: string;
  /** Gets what an engine process prints by itself: warnings of Node, a crash. */
  readonly onOutput: (line: string) => void;
  /** Whether programs that the workspace names may be started now; each request tells it. */
  readonly isTrusted: () => boolean;
}

export class EngineClient {
  private readonly shared: EngineQueries;
  private readonly jobs = new Set<EngineProcess>();
  private readonly beside = new Set<EngineQueries>();

  constructor(private readonly program: EngineProgram) {
    this.shared = new EngineQueries(program, idleMilliseconds);
  }

  /** A short question. Throws `EngineError`. */
  query<Name extends RequestName>(
    name: Name,
    options: RequestOptions<Name>,
    hooks: RequestHooks = {},
  ): Promise<RequestResult<Name>> {
    return this.shared.query(name, options, hooks);
  }

  /**
   * A process beside the shared one, for questions that may take long or whose answers it keeps in memory. The caller disposes of it;
   * it ends by itself when no question came for so long, and what it kept is gone with it.
   */
  queriesBeside(idleAfterMilliseconds: number): EngineQueries {
    const queries: EngineQueries = new EngineQueries(this.program, idleAfterMilliseconds, () =>
      this.beside.delete(queries),
    );
    this.beside.add(queries);
    return queries;
  }

  /** Long work, in a process of its own. When `signal` aborts, it rejects within a second and nothing is left running. */
  async job<Name extends RequestName>(
    name: Name,
    options: RequestOptions<Name>,
    hooks: RequestHooks,
  ): Promise<RequestResult<Name>> {
    const engine = new EngineProcess(this.program);
    this.jobs.add(engine);
    try {
      return await engine.request(name, options, hooks);
    } finally {
      this.jobs.delete(engine);
      engine.end();
    }
  }

  dispose(): void {
    this.shared.dispose();
    for (const queries of this.beside) queries.dispose();
    for (const job of this.jobs) job.end();
  }
}

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onEvent: ((event: EngineEvent) => void) | undefined;
}

class EngineProcess {
  private readonly child: ChildProcess;
  private readonly pending = new Map<number, Pending>();
  private nextId = 1;
  /** What the process printed last that looks like the cause of its end. */
  private complaint = '';

  constructor(private readonly program: EngineProgram) {
    this.child = fork(program.file, [], {
      // The extension host may be an Electron process; its executable is a Node with this variable.
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      // Not the host's own flags: it may run under a debugger.
      execArgv: [],
      // Typed arrays cross as they are.
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.child.on('message', (message: FromEngine) => this.receive(message));
    this.child.on('error', (error) =>
      this.failAll(`The engine process could not be started: ${error.message}.`),
    );
    // `close` and not `exit`: by then all messages and the last output have arrived.
    this.child.on('close', (status, signal) =>
      this.failAll(
        `The engine process ended unexpectedly (${signal ?? `status ${status ?? 0}`}).${this.complaint} The log may say more.`,
      ),
    );
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        for (const line of text.trimEnd().split('\n')) {
          if (/error/i.test(line)) this.complaint = ` It said: ${line.trim().slice(0, 200)}.`;
          program.onOutput(line);
        }
      });
    }
  }

  get alive(): boolean {
    return this.child.connected && this.child.exitCode === null && this.child.signalCode === null;
  }

  get busy(): boolean {
    return this.pending.size > 0;
  }

  request<Name extends RequestName>(
    name: Name,
    options: RequestOptions<Name>,
    { signal, onEvent }: RequestHooks,
  ): Promise<RequestResult<Name>> {
    const id = this.nextId;
    this.nextId += 1;
    return new Promise<RequestResult<Name>>((resolve, reject) => {
      let kill: NodeJS.Timeout | undefined;
      const onAbort = (): void => {
        this.send({ kind: 'cancel', id });
        kill = setTimeout(() => this.child.kill('SIGKILL'), cancelGraceMilliseconds);
      };
      const settled = (): void => {
        clearTimeout(kill);
        signal?.removeEventListener('abort', onAbort);
      };
      this.pending.set(id, {
        resolve: (result) => {
          settled();
          resolve(result as RequestResult<Name>);
        },
        reject: (error) => {
          settled();
          reject(
            signal?.aborted === true ? new KymoError('cancelled', 'Cancelled.', {}, { cause: error }) : error,
          );
        },
        onEvent,
      });
      this.send({ kind: 'request', id, name, options, trusted: this.program.isTrusted() } as ToEngine);
      if (signal?.aborted === true) onAbort();
      else signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** Lets the process go: it stops what it runs and exits by itself, and is killed if it does not. */
  end(): void {
    if (!this.alive) return;
    this.child.disconnect();
    const kill = setTimeout(() => this.child.kill('SIGKILL'), 2 * cancelGraceMilliseconds).unref();
    this.child.once('exit', () => clearTimeout(kill));
  }

  private send(message: ToEngine): void {
    if (this.child.connected) this.child.send(message, () => undefined);
  }

  private receive(message: FromEngine): void {
    const waiting = this.pending.get(message.id);
    if (waiting === undefined) return;
    switch (message.kind) {
      case 'event':
        waiting.onEvent?.(message.event);
        return;
      case 'result':
        this.pending.delete(message.id);
        waiting.resolve(message.result);
        return;
      case 'error':
        this.pending.delete(message.id);
        waiting.reject(new EngineError(message.error));
        return;
    }
  }

  private failAll(message: string): void {
    const waiting = [...this.pending.values()];
    this.pending.clear();
    for (const { reject } of waiting) reject(new KymoError('engine-ended', message));
  }
}
