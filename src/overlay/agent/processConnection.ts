import type net from 'node:net';
import type { ControlMessage, ProcessState } from '../../formats/control/messages';
import type { ControlRequest } from '../../formats/control/requests';
import { Conversation, notWatchable } from './conversation';
import type { ControlListener, OpenedProcess, ProcessLink } from './processLink';
import { connectSocket } from './processSocket';

/** The connection to one process of this host that can be watched (docs/formats.md, "Control socket"). */
export class ProcessConnection implements ProcessLink {
  readonly over: Promise<void>;

  private constructor(
    private readonly socket: net.Socket,
    private readonly conversation: Conversation,
  ) {
    socket.on('data', (bytes) => {
      if (!conversation.take(bytes)) socket.destroy();
    });
    let failure: Error | undefined;
    socket.on('error', (error) => {
      failure ??= error;
    });
    this.over = new Promise((resolve) => {
      socket.once('close', () => {
        conversation.end(failure);
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
  ): Promise<OpenedProcess> {
    const socket = await connectSocket(folder, name).catch((error: unknown) => {
      throw notWatchable(name, error);
    });
    const connection = new ProcessConnection(socket, new Conversation(name, listener));
    const answer = await connection.ask({ kind: 'hello', token }).catch((error: unknown) => {
      throw notWatchable(name, error);
    });
    if (answer.kind === 'welcome') return { connection, state: answer };
    connection.close();
    throw notWatchable(name, undefined);
  }

  ask(request: ControlRequest): Promise<ControlMessage> {
    return this.conversation.ask(request, this.write);
  }

  state(): Promise<ProcessState> {
    return this.conversation.state(this.write);
  }

  pause(isPaused: boolean): void {
    if (isPaused) this.socket.pause();
    else this.socket.resume();
  }

  close(): void {
    this.socket.destroy();
  }

  private readonly write = (bytes: Uint8Array): void => {
    this.socket.write(bytes);
  };
}
