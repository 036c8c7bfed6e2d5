import { fork, type ChildProcess } from 'node:child_process';
import { KymoError } from '../core/errors';
import { EngineError } from './failure';
import type { EngineEvent, FromEngine, ToEngine } from './wire';

/** The part that all engine processes of a window share. */
export interface EngineProgram {
  /** The bundled engine (`dist/engine.js`). */
  readonly file: string;
  /** Receives the output of an engine process outside of its messages: warnings of Node, a crash. */
  readonly onOutput: (line: string) => void;
  /** Whether programs that the workspace names may be started now; each request carries it. */
  readonly isTrusted: () => boolean;
}

export interface Question {
  readonly name: string;
  readonly options: unknown;
  readonly onEvent: (event: EngineEvent) => void;
  readonly onPart: (part: unknown) => void;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: KymoError) => void;
  /** The process that handles the question at present. */
  place?: { readonly process: EngineProcess; readonly id: number };
}

interface Asked {
  /** Undefined after the caller has cancelled: nobody waits for the answer. */
  question: Question | undefined;
  hasBegun: boolean;
  /** The question has changed no file and delivered no part, so another process may answer it instead. */
  isRepeatable: boolean;
}

/** Notifications to the owner of a process. */
interface ProcessHooks {
  /** Nobody waits for an answer of the process any more. */
  readonly onUnused?: () => void;
  /** A cancelled question has not ended within `cancelGraceMilliseconds`. */
  readonly onStuck?: () => void;
  /** The process has begun no question for a while although one waits: it is busy with another one. */
  readonly onSilent?: () => void;
}

/** Cancelled work that runs longer than this counts as stuck. A guard beside each program that it started ends that too. */
export const cancelGraceMilliseconds = 900;
/** A busy machine begins a question sooner than this. */
const patienceMilliseconds = 3000;

export class EngineProcess {
  private readonly child: ChildProcess;
  private readonly asked = new Map<number, Asked>();
  private nextId = 1;
  private isReady = false;
  private silence: NodeJS.Timeout | undefined;
  /** The last line of the process's own output that looks like the cause of its end. */
  private complaint = '';

  constructor(
    private readonly program: EngineProgram,
    private readonly hooks: ProcessHooks = {},
  ) {
    this.child = fork(program.file, [], {
      // The extension host may be an Electron process; its executable is a Node with this variable.
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      // The engine must not inherit the host's flags: the host may run under a debugger.
      execArgv: [],
      // This serialization passes typed arrays as typed arrays.
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
        `The engine process ended unexpectedly (${signal ?? `status ${status ?? 0}`}).${this.complaint} See the log for details.`,
      ),
    );
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        for (const line of text.trimEnd().split('\n')) {
          if (/error/i.test(line)) this.complaint = ` Its last message: ${line.trim().slice(0, 200)}.`;
          program.onOutput(line);
        }
      });
  }

  get isAlive(): boolean {
    return this.child.connected && this.child.exitCode === null && this.child.signalCode === null;
  }

  get isUsed(): boolean {
    return [...this.asked.values()].some(({ question }) => question !== undefined);
  }

  ask(question: Question): void {
    const id = this.nextId;
    this.nextId += 1;
    question.place = { process: this, id };
    this.asked.set(id, { question, hasBegun: false, isRepeatable: true });
    const { name, options } = question;
    this.send({ kind: 'request', id, name, options, trusted: this.program.isTrusted() });
    if (this.silence === undefined) this.listen();
  }

  /** Asks the work to end and still waits for its answer. */
  cancel(id: number): void {
    this.send({ kind: 'cancel', id });
  }

  /** Notifies the handler of a stream that the caller has received a part. */
  taken(id: number): void {
    this.send({ kind: 'taken', id });
  }

  /** Asks the work to end and discards its answer. */
  forget(id: number): void {
    const asked = this.asked.get(id);
    if (asked?.question === undefined) return;
    asked.question = undefined;
    this.cancel(id);
    this.listen();
    const check = (): void => {
      if (this.asked.has(id) && asked.hasBegun) this.hooks.onStuck?.();
    };
    setTimeout(check, cancelGraceMilliseconds).unref();
    if (!this.isUsed) this.hooks.onUnused?.();
  }

  /** Removes the questions from the process that another process can answer. */
  takeBack(which: 'not begun' | 'repeatable' | 'all'): readonly Question[] {
    const back: Question[] = [];
    for (const [id, { question, hasBegun, isRepeatable }] of this.asked) {
      const isTaken = !hasBegun || which === 'all' || (which === 'repeatable' && isRepeatable);
      if (question === undefined || !isTaken) continue;
      back.push(question);
      this.forget(id);
    }
    return back;
  }

  /** Asks the process to end its work and exit, and kills it if it does not. */
  end(): void {
    if (!this.isAlive) return;
    this.child.disconnect();
    const kill = setTimeout(() => this.kill(), 2 * cancelGraceMilliseconds).unref();
    this.child.once('exit', () => clearTimeout(kill));
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  private send(message: ToEngine): void {
    if (this.child.connected) this.child.send(message, () => undefined);
  }

  private receive(message: FromEngine): void {
    if (message.kind === 'ready') {
      this.isReady = true;
      this.listen();
      return;
    }
    const asked = this.asked.get(message.id);
    if (asked === undefined) return;
    switch (message.kind) {
      case 'began':
        asked.hasBegun = true;
        asked.isRepeatable = !message.writes;
        this.listen();
        break;
      case 'event':
        asked.question?.onEvent(message.event);
        break;
      case 'part':
        asked.isRepeatable = false;
        asked.question?.onPart(message.part);
        break;
      case 'result':
        this.settle(message.id, (question) => question.resolve(message.result));
        break;
      case 'error':
        this.settle(message.id, (question) => question.reject(new EngineError(message.error)));
    }
  }

  private settle(id: number, answer: (question: Question) => void): void {
    const question = this.asked.get(id)?.question;
    this.asked.delete(id);
    this.listen();
    if (question === undefined) return;
    answer(question);
    if (!this.isUsed) this.hooks.onUnused?.();
  }

  /** Calls `onSilent` if questions wait and none begins. */
  private listen(): void {
    clearTimeout(this.silence);
    this.silence = undefined;
    const { onSilent } = this.hooks;
    const waits = [...this.asked.values()].some((entry) => entry.question !== undefined && !entry.hasBegun);
    if (onSilent === undefined || !this.isReady || !waits) return;
    this.silence = setTimeout(() => {
      this.silence = undefined;
      onSilent();
    }, patienceMilliseconds).unref();
  }

  private failAll(message: string): void {
    for (const id of [...this.asked.keys()])
      this.settle(id, (question) => question.reject(new KymoError('engine-ended', message)));
  }
}
