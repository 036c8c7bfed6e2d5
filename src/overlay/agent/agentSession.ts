import type { BackEndStream } from '../members/backEnd';
import { OverlayError } from '../packets/overlayError';
import type { Packet } from '../packets/packet';
import { agentPackets } from './agentPackets';
import { ForwardedProcess } from './forwardedProcess';
import { Outbox } from './outbox';
import { isOfThisHost, socketNames } from './processSocket';

/** Where the processes of a run are, and what they want to hear. */
export interface WatchedFolder {
  /** With their sockets; may be shared with other hosts. */
  readonly folder: string;
  readonly token: string;
}

/** How often the folder is looked at: programs run for longer, and the folder may be on a file system of the cluster. */
const lookMilliseconds = 200;

/** One stream of the front end: the processes of this host as it sees them. */
export class AgentSession {
  private readonly processes = new Map<number, ForwardedProcess>();
  private readonly outbox: Outbox;
  private readonly timer: NodeJS.Timeout;
  private last = 0;
  private isClosed = false;

  constructor(
    stream: BackEndStream,
    private readonly watched: WatchedFolder,
  ) {
    this.outbox = new Outbox(stream, (isFull) => {
      for (const process of this.processes.values()) process.hold(isFull);
    });
    this.timer = setInterval(() => void this.look(), lookMilliseconds);
    void this.look();
  }

  hasRoom(): void {
    this.outbox.flush();
  }

  /** @throws OverlayError `format`, `usage` */
  take(packet: Packet): void {
    const { folder, token } = this.watched;
    const { look, open, requests, pause, close } = agentPackets;
    if (packet.tag === look.tag) return;
    if (packet.tag === open.tag) {
      const [number, serial] = packet.unpack(open.format);
      void this.processes.get(Number(number))?.open(folder, token, Number(serial));
    } else if (packet.tag === requests.tag) {
      const [number, bytes] = packet.unpack(requests.format);
      this.processes.get(Number(number))?.requests(bytes as Uint8Array);
    } else if (packet.tag === pause.tag) {
      const [number, isPaused] = packet.unpack(pause.format);
      this.processes.get(Number(number))?.pause(isPaused === 1);
    } else if (packet.tag === close.tag) {
      const [number] = packet.unpack(close.format);
      this.drop(Number(number));
    } else throw new OverlayError('usage', `An agent does not understand packets with tag ${packet.tag}.`);
  }

  /** Ends all connections; the processes run on. */
  close(): void {
    this.isClosed = true;
    clearInterval(this.timer);
    for (const process of this.processes.values()) process.close();
  }

  private async look(): Promise<void> {
    const names = (await socketNames(this.watched.folder)).filter(isOfThisHost);
    if (this.isClosed) return;
    const known = new Set([...this.processes.values()].map(({ name }) => name));
    for (const name of names) if (!known.has(name)) this.found(name);
  }

  private found(name: string): void {
    const number = ++this.last;
    const process = new ForwardedProcess(name, {
      messages: (bytes) => this.outbox.send(agentPackets.messages, number, bytes),
      over: (why) => {
        this.processes.delete(number);
        this.outbox.send(agentPackets.over, number, why);
      },
    });
    process.hold(this.outbox.isFull);
    this.processes.set(number, process);
    this.outbox.send(agentPackets.found, number, name);
  }

  /** Also one that the front end has given up: it is found again as a new one. */
  private drop(number: number): void {
    this.processes.get(number)?.close();
    this.processes.delete(number);
    this.outbox.send(agentPackets.over, number, '');
  }
}
