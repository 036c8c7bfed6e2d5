import type { ProgressSink } from '../../core/progress';
import { cleanText } from './answers';

/** Sends a notification of the protocol; `progress` has to grow. */
export type SendProgress = (step: {
  readonly progress: number;
  readonly total?: number;
  readonly message: string;
}) => Promise<void>;

/** A client that hears nothing for a minute gives up, and a run can be longer. */
const heartbeatMilliseconds = 10_000;
/** Between two steps of unknown size, of 100. */
const smallStep = 0.001;

/** Progress of long work as notifications, and its log on standard error. */
export class ProgressNotes implements ProgressSink {
  private last = 0;
  private message = '';
  private readonly heartbeat: NodeJS.Timeout | undefined;

  /** @param send undefined: the client wants no progress */
  constructor(
    private readonly send: SendProgress | undefined,
    private readonly into: Pick<ProgressSink, 'log'>,
    milliseconds = heartbeatMilliseconds,
  ) {
    if (send !== undefined) this.heartbeat = setInterval(() => this.note(undefined), milliseconds).unref();
  }

  report({ message, fraction }: { readonly message: string; readonly fraction?: number }): void {
    this.message = cleanText(message);
    this.note(fraction);
  }

  log(line: string): void {
    this.into.log(line);
  }

  end(): void {
    clearInterval(this.heartbeat);
  }

  private note(fraction: number | undefined): void {
    if (this.send === undefined || this.message === '') return;
    this.last = Math.max(this.last + smallStep, 100 * (fraction ?? 0));
    // Nobody waits for a notification; a closed connection ends the work by its signal.
    this.send({ progress: this.last, total: 100, message: this.message }).catch(() => undefined);
  }
}
