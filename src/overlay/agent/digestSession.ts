import type { Digest } from '../../core/digest/digest';
import type { BackEndStream } from '../members/backEnd';
import type { Packet } from '../packets/packet';
import { digestValues } from '../services/digestPacket';
import { agentPackets } from './agentPackets';

/** What the front end of a reduced run asks for. */
export interface DigestQuestion {
  /** Of the selection: of the processes that count. */
  readonly slotCount: number;
  /** Whether they wait at the end of an iteration from now on. */
  readonly suspend: boolean;
  /** The first iteration that is wanted, from 0. */
  readonly firstIteration: number;
  /** Of the target; undefined: the first phase that is visited. */
  readonly phase: string | undefined;
}

/** What an agent of a reduced run has watching the processes of its host. */
export interface HostWatch {
  look(question: DigestQuestion): Promise<Digest>;
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
    const [slotCount, suspend, first, phase] = packet.unpack(agentPackets.ask.format);
    if (this.isLooking) return;
    void this.answer({
      slotCount: Number(slotCount),
      suspend: suspend === 1,
      firstIteration: Number(first),
      phase: phase === '' ? undefined : String(phase),
    });
  }

  close(): void {
    this.isClosed = true;
    this.host.close();
  }

  private async answer(question: DigestQuestion): Promise<void> {
    this.isLooking = true;
    try {
      const digest = await this.host.look(question);
      const { tag, format } = agentPackets.digest;
      if (!this.isClosed && this.stream.hasRoom) this.stream.send(tag, format, ...digestValues(digest));
    } finally {
      this.isLooking = false;
    }
  }
}
