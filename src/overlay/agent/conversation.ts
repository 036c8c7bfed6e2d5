import { KymoError } from '../../core/errors';
import { FrameReader } from '../../formats/control/frames';
import { decodeMessage, type ControlMessage, type ProcessState } from '../../formats/control/messages';
import { encodeRequest, type ControlRequest } from '../../formats/control/requests';
import type { ControlListener } from './processLink';

export type ConnectionErrorReason = 'not-watchable' | 'process-ended' | 'request-refused';

interface Waiting {
  readonly resolve: (message: ControlMessage) => void;
  readonly reject: (error: Error) => void;
}

/** Requests and answers of one process, whatever carries the bytes (docs/formats.md, "Control socket"). */
export class Conversation {
  private readonly reader = new FrameReader();
  private readonly waiting = new Map<number, Waiting>();
  private serial = 0;
  private failure: Error | undefined;
  private isOver = false;

  /** @param name of the process's socket, for messages */
  constructor(
    readonly name: string,
    private readonly listener: ControlListener,
  ) {}

  /**
   * The answer; of several parts, the last.
   * @param carry takes the bytes of the request, and its serial number
   * @throws KymoError `process-ended`, `request-refused`
   */
  async ask(
    request: ControlRequest,
    carry: (bytes: Uint8Array, serial: number) => void,
  ): Promise<ControlMessage> {
    if (this.isOver) throw this.ended();
    const serial = ++this.serial;
    const answer = new Promise<ControlMessage>((resolve, reject) => {
      this.waiting.set(serial, { resolve, reject });
    });
    carry(encodeRequest(request, serial), serial);
    const message = await answer;
    if (message.kind !== 'refused') return message;
    throw new KymoError<ConnectionErrorReason>(
      'request-refused',
      `The process of ${this.name} refused “${request.kind}”: ${message.text}.`,
    );
  }

  /** @throws KymoError `process-ended` */
  async state(carry: (bytes: Uint8Array) => void): Promise<ProcessState> {
    const message = await this.ask({ kind: 'state' }, carry);
    if (message.kind === 'state') return message;
    throw this.ended();
  }

  /** Takes bytes of the process. @returns whether the connection can go on */
  take(bytes: Uint8Array): boolean {
    if (this.isOver) return false;
    try {
      for (const frame of this.reader.push(bytes)) {
        const message = decodeMessage(frame);
        if (message !== undefined) this.hand(message);
      }
      return true;
    } catch (error) {
      this.end(error instanceof Error ? error : new Error(String(error)));
      return false;
    }
  }

  /** Nothing comes any more: whoever waits for an answer gets an error. The first failure is the one that is told. */
  end(failure?: Error): void {
    this.failure ??= failure;
    this.isOver = true;
    for (const { reject } of this.waiting.values()) reject(this.ended());
    this.waiting.clear();
  }

  private hand(message: ControlMessage): void {
    this.listener(message);
    if (!('serial' in message) || (message.kind === 'values' && message.hasMore)) return;
    this.waiting.get(message.serial)?.resolve(message);
    this.waiting.delete(message.serial);
  }

  private ended(): KymoError {
    return new KymoError<ConnectionErrorReason>(
      'process-ended',
      this.failure === undefined
        ? `The process of ${this.name} has ended, or does not answer any more.`
        : `The connection to the process of ${this.name} failed: ${this.failure.message}`,
      {},
      { cause: this.failure },
    );
  }
}

export function notWatchable(name: string, cause: unknown): KymoError {
  return new KymoError<ConnectionErrorReason>(
    'not-watchable',
    `The process of ${name} cannot be watched: it has ended, or belongs to another session.`,
    {},
    { cause },
  );
}
