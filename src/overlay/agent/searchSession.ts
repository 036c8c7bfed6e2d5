import type { BackEndStream } from '../members/backEnd';
import type { Packet } from '../packets/packet';
import { agentPackets } from './agentPackets';
import { Outbox } from './outbox';

/** What an agent has searching on its host. Orders and reports are texts, whose meaning is none of the network's business. */
export interface HostSearch {
  order(text: string): void;
  /** Ends it; the processes run on. */
  close(): void;
}

/** The stream of a search in an agent: orders of the front end go to what searches, and its reports up. */
export class SearchSession {
  private readonly outbox: Outbox;
  private readonly host: HostSearch;

  /** @param begin makes what searches, given where its reports go */
  constructor(stream: BackEndStream, begin: (report: (text: string) => void) => HostSearch) {
    this.outbox = new Outbox(stream, () => undefined);
    this.host = begin((text) => this.outbox.send(agentPackets.report, text));
  }

  hasRoom(): void {
    this.outbox.flush();
  }

  /** @throws OverlayError `format` */
  take(packet: Packet): void {
    const [text] = packet.unpack(agentPackets.order.format);
    this.host.order(String(text));
  }

  close(): void {
    this.host.close();
  }
}
