import type { Socket } from 'node:net';
import type { Link } from '../members/surroundings';
import { aliveFrame, frameKinds } from '../packets/frame';
import { type FrameHandler, FrameReader } from '../packets/frameReader';
import { asOverlayError } from '../streams/upStream';
import type { OverlayError } from '../packets/overlayError';

/** Frames of a turn of the event loop are gathered in buffers of this size. */
const slabBytes = 2 ** 16;
/** Queued bytes from which whoever fills the queue is not read from any more. */
const fullBytes = 4 * 2 ** 20;

/**
 * How often neighbours look after each other until one is lost that is silent. Often: the parent of a lost process and its children have to
 * notice at about the same time.
 */
export const beatsPerSilence = 20;

/** Bytes of all connections of a process; their frames go out once per turn of the event loop. */
export class Traffic {
  read = 0;
  written = 0;
  /** Messages of both directions, of one packet or several. */
  messages = 0;
  private readonly waiting = new Set<Connection>();
  private isScheduled = false;
  private readonly flush = (): void => {
    this.isScheduled = false;
    for (const connection of this.waiting) connection.flush();
    this.waiting.clear();
  };

  schedule(connection: Connection): void {
    this.waiting.add(connection);
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(this.flush);
  }
}

export interface ConnectionHandlers {
  readonly frame: FrameHandler;
  /** Once, whatever ended it. */
  closed(): void;
  /** What came cannot be read; the connection ends. */
  malformed(error: OverlayError): void;
  /** The queue is too long, or was and is empty now. */
  readonly full: (isFull: boolean) => void;
}

/** A socket as a link: frames in, frames out, one write per turn of the event loop. */
export class Connection implements Link {
  readonly reader: FrameReader;
  private slab = Buffer.allocUnsafe(slabBytes);
  private filled = 0;
  private isFull = false;
  private isClosed = false;
  private lastRead = performance.now();
  private lastWritten = 0;
  handlers: ConnectionHandlers;

  constructor(
    private readonly socket: Socket,
    private readonly traffic: Traffic,
    handlers: ConnectionHandlers,
    largestFrame: number,
  ) {
    this.handlers = handlers;
    this.reader = new FrameReader(largestFrame);
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.received(chunk));
    socket.on('drain', () => this.setFull(false));
    // A reset is the end too, and `close` follows.
    socket.on('error', () => undefined);
    socket.on('close', () => this.ended());
    socket.on('end', () => socket.end());
  }

  send(bytes: Buffer, from = 0, to = bytes.length): void {
    if (this.isClosed) return;
    const size = to - from;
    this.traffic.messages++;
    if (size > slabBytes - this.filled) this.write();
    if (size > slabBytes) {
      this.out(Buffer.from(bytes.subarray(from, to)));
      return;
    }
    if (size > 64) bytes.copy(this.slab, this.filled, from, to);
    else
      for (let position = 0; position < size; position++)
        this.slab[this.filled + position] = bytes[from + position] ?? 0;
    this.filled += size;
    this.traffic.schedule(this);
  }

  flush(): void {
    if (!this.isClosed) this.write();
  }

  close(): void {
    this.flush();
    this.socket.end();
    // One that does not read would hold the process back.
    setTimeout(() => this.socket.destroy(), 500).unref();
  }

  /** Ends it at once. */
  destroy(): void {
    this.socket.destroy();
  }

  pause(isPaused: boolean): void {
    if (isPaused) this.socket.pause();
    else this.socket.resume();
  }

  /** Shows the other side that this one lives, and ends the connection when the other one does not show it. */
  beat(now: number, silence: number): void {
    if (now - this.lastRead > silence && !this.socket.isPaused()) this.destroy();
    else if (now - this.lastWritten > silence / beatsPerSilence / 2) this.send(aliveFrame());
  }

  private write(): void {
    if (this.filled === 0) return;
    // Small ones are copied, so that a connection with little to say does not need a new slab each turn.
    if (this.filled <= slabBytes / 8) {
      this.out(Buffer.from(this.slab.subarray(0, this.filled)));
    } else {
      this.out(this.slab.subarray(0, this.filled));
      this.slab = Buffer.allocUnsafe(slabBytes);
    }
    this.filled = 0;
  }

  private out(bytes: Buffer): void {
    this.traffic.written += bytes.length;
    this.lastWritten = performance.now();
    this.socket.write(bytes);
    if (this.socket.writableLength > fullBytes) this.setFull(true);
  }

  private received(chunk: Buffer): void {
    this.traffic.read += chunk.length;
    this.lastRead = performance.now();
    try {
      this.reader.read(chunk, this.frame);
    } catch (error) {
      this.handlers.malformed(asOverlayError(error, 'malformed'));
      this.destroy();
    }
  }

  private readonly frame: FrameHandler = (bytes, from, to) => {
    this.traffic.messages++;
    if (!this.isClosed && bytes[from + 4] !== frameKinds.alive) this.handlers.frame(bytes, from, to);
  };

  private setFull(isFull: boolean): void {
    if (this.isFull === isFull) return;
    this.isFull = isFull;
    this.handlers.full(isFull);
  }

  private ended(): void {
    if (this.isClosed) return;
    this.setFull(false);
    this.isClosed = true;
    this.handlers.closed();
  }
}
