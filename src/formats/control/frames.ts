import { KymoError } from '../../core/errors';

/** Version of the messages in both directions. */
export const controlVersion = 1;
/** Bytes of a frame before its body. */
export const frameHeadBytes = 12;
/** The longest body of a message of the process, in bytes. */
export const mostMessageBytes = 1 << 20;

export type ControlErrorReason = 'message-too-long' | 'other-version' | 'invalid-message';

/** A message as it came; the body is not decoded yet. */
export interface ControlFrame {
  readonly type: number;
  /** That of the request which it answers; 0: it answers none. */
  readonly serial: number;
  readonly body: Uint8Array;
}

/** Cuts a stream of bytes into frames. It holds at most one frame and the piece that was pushed last. */
export class FrameReader {
  private pieces: Uint8Array[] = [];
  private held = 0;

  /**
   * Returns the frames that the bytes complete. The bodies may be parts of `bytes`.
   * @throws KymoError `message-too-long` or `other-version`
   */
  push(bytes: Uint8Array): readonly ControlFrame[] {
    this.pieces.push(bytes);
    this.held += bytes.length;
    const frames: ControlFrame[] = [];
    for (let needed = this.needed(); this.held >= needed; needed = this.needed()) {
      const whole = this.take(needed);
      const view = viewOf(whole);
      frames.push({
        type: view.getUint16(4, true),
        serial: view.getUint32(8, true),
        body: whole.subarray(frameHeadBytes),
      });
    }
    return frames;
  }

  /** Bytes from the beginning of what is held to the end of the frame, as far as its length is known. */
  private needed(): number {
    if (this.held < frameHeadBytes) return frameHeadBytes;
    const head = viewOf(this.front(frameHeadBytes));
    const bytes = head.getUint32(0, true);
    const version = head.getUint16(6, true);
    if (version !== controlVersion)
      throw new KymoError<ControlErrorReason>(
        'other-version',
        `The process speaks version ${version} of the control messages, and this is version ${controlVersion}. Build it with the same Kymo.`,
      );
    if (bytes > mostMessageBytes)
      throw new KymoError<ControlErrorReason>(
        'message-too-long',
        `The process announces a message of ${bytes} bytes; at most ${mostMessageBytes} are allowed.`,
      );
    return frameHeadBytes + bytes;
  }

  /** Joins pieces until the first one has so many bytes. */
  private front(count: number): Uint8Array {
    const [first] = this.pieces;
    if (first !== undefined && first.length >= count) return first;
    const joined = new Uint8Array(this.held);
    let offset = 0;
    for (const piece of this.pieces) {
      joined.set(piece, offset);
      offset += piece.length;
    }
    this.pieces = [joined];
    return joined;
  }

  private take(count: number): Uint8Array {
    const front = this.front(count);
    const rest = front.subarray(count);
    this.pieces = rest.length > 0 ? [rest, ...this.pieces.slice(1)] : this.pieces.slice(1);
    this.held -= count;
    return front.subarray(0, count);
  }
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
