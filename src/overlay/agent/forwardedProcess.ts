import type net from 'node:net';
import { encodeRequest } from '../../formats/control/requests';
import { connectSocket } from './processSocket';

export interface ForwardingHooks {
  messages(bytes: Uint8Array): void;
  /** Once. @param why what went wrong; empty: the process closed the connection */
  over(why: string): void;
}

/** The connection of an agent to a process, whose bytes it carries without looking at them. */
export class ForwardedProcess {
  private socket: net.Socket | undefined;
  private hasBegun = false;
  private isOver = false;
  private isHeld = false;
  private isPaused = false;

  constructor(
    readonly name: string,
    private readonly hooks: ForwardingHooks,
  ) {}

  /** @param serial of the hello, whose answer is the first message */
  async open(folder: string, token: string, serial: number): Promise<void> {
    if (this.hasBegun) return;
    this.hasBegun = true;
    try {
      const socket = await connectSocket(folder, this.name);
      this.socket = socket;
      socket.on('data', (bytes) => this.hooks.messages(bytes));
      socket.on('error', (error) => this.end(error.message));
      socket.on('close', () => this.end(''));
      socket.write(encodeRequest({ kind: 'hello', token }, serial));
      this.update();
      // It may have been closed meanwhile.
      if (this.isOver) socket.destroy();
    } catch (error) {
      this.end(error instanceof Error ? error.message : String(error));
    }
  }

  requests(bytes: Uint8Array): void {
    this.socket?.write(bytes);
  }

  /** The front end wants nothing more for now. */
  pause(isPaused: boolean): void {
    this.isPaused = isPaused;
    this.update();
  }

  /** The way to the front end has no room. */
  hold(isHeld: boolean): void {
    this.isHeld = isHeld;
    this.update();
  }

  /** Without a word to the front end. */
  close(): void {
    this.isOver = true;
    this.socket?.destroy();
  }

  private update(): void {
    if (this.isPaused || this.isHeld) this.socket?.pause();
    else this.socket?.resume();
  }

  private end(why: string): void {
    if (this.isOver) return;
    this.close();
    this.hooks.over(why);
  }
}
