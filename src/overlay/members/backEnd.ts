import type { StreamDefinition } from '../control/configuration';
import { type DownMessage, readDownMessage } from '../control/messages';
import { frameKinds, readJson, StreamFrame } from '../packets/frame';
import { OverlayError } from '../packets/overlayError';
import type { Packet } from '../packets/packet';
import type { Packable } from '../packets/values';
import { SourceStream } from '../streams/sourceStream';
import { asOverlayError } from '../streams/upStream';
import { ParentLink, type Self } from './parentLink';
import type { Surroundings } from './surroundings';

/** Reports of arrived packets wait this long for more. */
const reportMilliseconds = 50;
const leavePollMilliseconds = 20;

/** A stream as a back end sees it: it learns of one by a packet that comes on it, or from the list of what there is. */
export interface BackEndStream {
  readonly id: number;
  /**
   * Queues a packet towards the front end.
   * @param tag from 100
   * @returns whether there is room for more; if not, wait for `onRoom`
   * @throws OverlayError `format`, `usage`
   */
  send(tag: number, format: string, ...values: readonly Packable[]): boolean;
  readonly hasRoom: boolean;
}

export interface BackEndHandlers {
  onPacket(packet: Packet, stream: BackEndStream): void;
  /** A stream that was full has room again. */
  onRoom(stream: BackEndStream): void;
  onClose(stream: BackEndStream): void;
}

interface Entry {
  readonly source: SourceStream;
  readonly shown: BackEndStream;
}

/** A leaf of the tree: the source of data, and the only place where the tool works. */
export class BackEnd {
  readonly parent: ParentLink;
  private readonly streams = new Map<number, Entry>();
  private lastStream = 0;
  private epoch = 0;
  private stopReport: (() => void) | undefined;

  constructor(
    private readonly self: Self,
    private readonly surroundings: Surroundings,
    private readonly handlers: BackEndHandlers,
  ) {
    this.parent = new ParentLink(self, surroundings, { children: () => [] });
  }

  /** Leaves the network as soon as the front end has taken all that was sent. */
  leave(): void {
    if (![...this.streams.values()].every(({ source }) => source.isTaken)) {
      this.surroundings.after(leavePollMilliseconds, () => this.leave());
      return;
    }
    this.parent.control({ kind: 'leaving', how: 'left' });
    this.end('The back end has left the network.');
  }

  reportLoad(row: readonly number[]): void {
    this.parent.control({ kind: 'loads', rows: [[this.self.rank, ...row]] });
  }

  fromParent(bytes: Buffer, from: number, to: number): void {
    try {
      const kind = bytes[from + 4];
      if (kind === frameKinds.control) this.downMessage(readDownMessage(readJson(bytes, from, to)));
      else if (kind === frameKinds.down || kind === frameKinds.taken)
        this.frame(new StreamFrame(bytes, from, to));
    } catch (error) {
      this.problem(asOverlayError(error, 'malformed'));
    }
  }

  problem({ reason, message }: OverlayError): void {
    this.parent.control({ kind: 'problem', rank: this.self.rank, reason, message: message.slice(0, 2048) });
  }

  private frame(frame: StreamFrame): void {
    const entry = this.streams.get(frame.stream);
    if (entry === undefined) {
      if (frame.stream > this.lastStream)
        this.problem(new OverlayError('unknown-stream', `There is no stream ${frame.stream} here.`));
    } else if (frame.kind === frameKinds.taken) {
      if (entry.source.setTaken(frame)) this.handlers.onRoom(entry.shown);
    } else if (frame.epoch === this.epoch) {
      for (const packet of entry.source.receive(frame)) this.handlers.onPacket(packet, entry.shown);
      entry.source.handedOn();
      this.stopReport ??= this.surroundings.after(reportMilliseconds, () => {
        this.stopReport = undefined;
        for (const { source } of this.streams.values()) source.reportArrived();
      });
    }
  }

  private downMessage(message: DownMessage): void {
    if (message.kind === 'configuration') {
      const { configuration } = message;
      if (!this.parent.configured(configuration)) return;
      this.epoch = configuration.epoch;
      const since = configuration.members.find(({ rank }) => rank === this.self.rank)?.since ?? 0;
      const open = new Set(configuration.streams.map(({ id }) => id));
      for (const id of this.streams.keys()) if (!open.has(id)) this.close(id);
      for (const definition of configuration.streams)
        if (this.isMember(definition)) this.open(definition, since);
    } else if (message.kind === 'stream') this.open(message.stream, 0);
    else if (message.kind === 'close') this.close(message.stream);
    else if (message.kind === 'probe') {
      const now = this.surroundings.now();
      this.parent.control({ kind: 'answer', id: message.id, received: now, answered: now });
    } else if (message.kind === 'shutdown') this.end('The front end has ended the network.');
  }

  private isMember({ members }: StreamDefinition): boolean {
    return members.some(([first, last]) => first <= this.self.rank && this.self.rank <= last);
  }

  private open(definition: StreamDefinition, since: number): void {
    const { id } = definition;
    this.lastStream = Math.max(this.lastStream, id);
    const entry = this.streams.get(id);
    if (entry !== undefined) {
      if (entry.source.restart(definition, this.epoch)) this.handlers.onRoom(entry.shown);
      return;
    }
    const isLate = since > definition.created;
    const send = (bytes: Buffer): void => this.parent.send(bytes);
    const source = new SourceStream(id, this.self.rank, definition, this.epoch, isLate, send);
    this.streams.set(id, { source, shown: shown(source) });
  }

  private close(id: number): void {
    const entry = this.streams.get(id);
    this.streams.delete(id);
    if (entry !== undefined) this.handlers.onClose(entry.shown);
  }

  private end(why: string): void {
    this.stopReport?.();
    this.parent.close();
    this.surroundings.ended(why);
  }
}

function shown(source: SourceStream): BackEndStream {
  return {
    id: source.id,
    send: (tag, format, ...values) => {
      source.add(tag, format, values);
      return source.hasRoom;
    },
    get hasRoom() {
      return source.hasRoom;
    },
  };
}
