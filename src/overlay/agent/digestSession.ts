import type { Digest } from '../../core/digest/digest';
import type { BackEndStream } from '../members/backEnd';
import type { Packet } from '../packets/packet';
import { digestValues } from '../services/digestPacket';
import { agentPackets } from './agentPackets';

/** What an agent of a reduced run has watching the processes of its host. */
export interface HostWatch {
  /** @param slotCount of the processes that count @param suspend whether they wait at the end of an iteration from now on */
  look(slotCount: number, suspend: boolean): Promise<Digest>;
  /** Ends all connections; the processes run on. */
  close(): void;
}

/** The stream of a reduced run in an agent: each question of the front end is answered by a digest, except for those that come meanwhile. */
export class DigestSession {
  private isLooking = false;
  private isClosed = false;

  constructor(
    private readonly stream: BackEndStream,
    private readonly host: HostWatch,
  ) {}

  hasRoom(): void {
    // The next question comes soon.
  }

  /** @throws OverlayError `format` */
  take(packet: Packet): void {
    const [slotCount, suspend] = packet.unpack(agentPackets.ask.format);
    if (!this.isLooking) void this.answer(Number(slotCount), suspend === 1);
  }

  close(): void {
    this.isClosed = true;
    this.host.close();
  }

  private async answer(slotCount: number, suspend: boolean): Promise<void> {
    this.isLooking = true;
    try {
      const digest = await this.host.look(slotCount, suspend);
      const { tag, format } = agentPackets.digest;
      if (!this.isClosed && this.stream.hasRoom) this.stream.send(tag, format, ...digestValues(digest));
    } finally {
      this.isLooking = false;
    }
  }
}
