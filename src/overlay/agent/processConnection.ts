import { closeSync, openSync } from 'node:fs';
import net from 'node:net';
import { KymoError } from '../../core/errors';
import { FrameReader } from '../../formats/control/frames';
import { decodeMessage, type ControlMessage, type ProcessState } from '../../formats/control/messages';
import { encodeRequest, type ControlRequest } from '../../formats/control/requests';

export type ConnectionErrorReason = 'not-watchable' | 'process-ended' | 'request-refused';

/** Receives whatever the process says: definitions, values and samples, answers included. May throw to end the connection. */
export type ControlListener = (message: ControlMessage) => void;

interface Waiting {
  readonly resolve: (message: ControlMessage) => void;
  readonly reject: (error: Error) => void;
}

/** The connection to one process that can be watched (docs/formats.md, "Control socket"). Whatever goes wrong here, the process runs on. */
export class ProcessConnection {
  private readonly reader = new FrameReader();
  private readonly waiting = new Map<number, Waiting>();
  private serial = 0;
  private failure: Error | undefined;
  /** Resolves when the connection is over. */
  readonly over: Promise<void>;

  private constructor(
    private readonly socket: net.Socket,
    private readonly name: string,
    private readonly listener: ControlListener,
  ) {
    socket.on('data', (bytes) => {
      this.read(bytes);
    });
    socket.on('error', (error) => {
      this.failure ??= error;
    });
    this.over = new Promise((resolve) => {
      socket.once('close', () => {
        this.rejectAll();
        resolve();
      });
    });
  }

  /**
   * @param folder with the socket, of any length
   * @param name of the socket in it
   * @throws KymoError `not-watchable`
   */
  static async open(
    folder: string,
    name: string,
    token: string,
    listener: ControlListener,
  ): Promise<{ readonly connection: ProcessConnection; readonly state: ProcessState }> {
    const connection = new ProcessConnection(await connected(folder, name), name, listener);
    const answer = await connection.ask({ kind: 'hello', token }).catch((error: unknown) => {
      throw notWatchable(name, error);
    });
    if (answer.kind === 'welcome') return { connection, state: answer };
    connection.close();
    throw notWatchable(name, undefined);
  }

  /** The answer; of several parts, the last. @throws KymoError `process-ended`, `request-refused` */
  async ask(request: ControlRequest): Promise<ControlMessage> {
    if (this.socket.destroyed) throw this.ended();
    const serial = ++this.serial;
    const answer = new Promise<ControlMessage>((resolve, reject) => {
      this.waiting.set(serial, { resolve, reject });
    });
    this.socket.write(encodeRequest(request, serial));
    const message = await answer;
    if (message.kind !== 'refused') return message;
    throw new KymoError<ConnectionErrorReason>(
      'request-refused',
      `The process of ${this.name} refused “${request.kind}”: ${message.text}.`,
    );
  }

  async state(): Promise<ProcessState> {
    const message = await this.ask({ kind: 'state' });
    if (message.kind === 'state') return message;
    throw this.ended();
  }

  /** Nothing more is read while it is paused; the process drops samples then, and runs on. */
  pause(isPaused: boolean): void {
    if (isPaused) this.socket.pause();
    else this.socket.resume();
  }

  close(): void {
    this.socket.destroy();
  }

  private read(bytes: Uint8Array): void {
    try {
      for (const frame of this.reader.push(bytes)) {
        const message = decodeMessage(frame);
        if (message !== undefined) this.take(message);
      }
    } catch (error) {
      this.failure ??= error instanceof Error ? error : new Error(String(error));
      this.socket.destroy();
    }
  }

  private take(message: ControlMessage): void {
    this.listener(message);
    if (!('serial' in message) || (message.kind === 'values' && message.hasMore)) return;
    this.waiting.get(message.serial)?.resolve(message);
    this.waiting.delete(message.serial);
  }

  private rejectAll(): void {
    for (const { reject } of this.waiting.values()) reject(this.ended());
    this.waiting.clear();
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

/** Paths of sockets have at most 107 bytes, those of folders are longer: the folder is named by a descriptor. */
function connected(folder: string, name: string): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const descriptor = openSync(folder, 'r');
    const socket = net.connect(`/proc/self/fd/${descriptor}/${name}`);
    const fail = (error: Error): void => {
      closeSync(descriptor);
      reject(notWatchable(name, error));
    };
    socket.once('error', fail);
    socket.once('connect', () => {
      closeSync(descriptor);
      socket.off('error', fail);
      resolve(socket);
    });
  });
}

function notWatchable(name: string, cause: unknown): KymoError {
  return new KymoError<ConnectionErrorReason>(
    'not-watchable',
    `The process of ${name} cannot be watched: it has ended, or belongs to another session.`,
    {},
    { cause },
  );
}
