import type { ControlMessage, ProcessState } from '../../formats/control/messages';
import type { ControlRequest } from '../../formats/control/requests';
import type { FrontEndStream } from '../members/frontEnd';
import { agentPackets } from './agentPackets';
import { Conversation, notWatchable } from './conversation';
import type { ControlListener, OpenedProcess, ProcessLink } from './processLink';

/** A process that an agent watches, as the front end sees it. */
export class RemoteProcess implements ProcessLink {
  readonly over: Promise<void>;
  private readonly conversation: Conversation;
  private settle: () => void = () => undefined;
  private isOver = false;

  private constructor(
    name: string,
    listener: ControlListener,
    private readonly number: number,
    private readonly stream: Pick<FrontEndStream, 'send'>,
  ) {
    this.conversation = new Conversation(name, listener);
    this.over = new Promise((resolve) => (this.settle = resolve));
  }

  /**
   * @param number that the agent has given it
   * @param made receives the process before anything of it arrives
   * @throws KymoError `not-watchable`
   */
  static async open(
    { name, number }: { readonly name: string; readonly number: number },
    stream: Pick<FrontEndStream, 'send'>,
    listener: ControlListener,
    made: (process: RemoteProcess) => void,
  ): Promise<OpenedProcess> {
    const connection = new RemoteProcess(name, listener, number, stream);
    made(connection);
    const { open } = agentPackets;
    // The agent knows the token, and sends the hello itself.
    const hello = connection.conversation.ask({ kind: 'hello', token: '' }, (_, serial) => {
      stream.send(open.tag, open.format, number, serial);
    });
    const answer = await hello.catch((error: unknown) => {
      throw notWatchable(name, error);
    });
    if (answer.kind === 'welcome') return { connection, state: answer };
    connection.close();
    throw notWatchable(name, undefined);
  }

  ask(request: ControlRequest): Promise<ControlMessage> {
    return this.conversation.ask(request, this.carry);
  }

  state(): Promise<ProcessState> {
    return this.conversation.state(this.carry);
  }

  pause(isPaused: boolean): void {
    const { pause } = agentPackets;
    if (!this.isOver) this.stream.send(pause.tag, pause.format, this.number, isPaused ? 1 : 0);
  }

  close(): void {
    if (this.isOver) return;
    const { close } = agentPackets;
    this.stream.send(close.tag, close.format, this.number);
    this.end();
  }

  /** For whoever receives the packets of the agent. */
  take(bytes: Uint8Array): void {
    if (!this.isOver && !this.conversation.take(bytes)) this.close();
  }

  /** Nothing comes any more, and nothing can be sent. */
  end(failure?: Error): void {
    this.isOver = true;
    this.conversation.end(failure);
    this.settle();
  }

  private readonly carry = (bytes: Uint8Array): void => {
    const { requests } = agentPackets;
    this.stream.send(requests.tag, requests.format, this.number, bytes);
  };
}
