import { KymoError } from '../../core/errors';

/** What can be wrong in the network; events and errors name one of these. */
export const overlayReasons = [
  /** Bytes that are no frame, packet or control message of this network, or larger than allowed. */
  'malformed',
  /** A format string that is not one, or values that do not fit it, or a body read with another format. */
  'format',
  /** A connection without the session's token. */
  'token',
  /** Data or an order for a stream that does not exist here. */
  'unknown-stream',
  /** A filter refused its input, threw, or could not be loaded. */
  'filter',
  /** A process did not start, or not in time. */
  'start',
  /** The caller asked for what cannot be done, or not now. */
  'usage',
] as const;

export type OverlayReason = (typeof overlayReasons)[number];

export class OverlayError extends KymoError<OverlayReason> {
  override readonly name = 'OverlayError';

  constructor(reason: OverlayReason, message: string, cause?: unknown) {
    super(reason, message, {}, cause === undefined ? undefined : { cause });
  }
}
