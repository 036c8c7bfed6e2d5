import { assertNever } from '../../core/errors';
import { controlVersion, frameHeadBytes, viewOf } from './frames';

/** What is asked of a watched process. Each request has one answer with its serial number; samples come beside them. */
export type ControlRequest =
  /** The first request of a connection. A process closes connections with a wrong token without a word. */
  | { readonly kind: 'hello'; readonly token: string }
  | { readonly kind: 'state' }
  /** Switches the sites of functions; at most `mostSwitches`. */
  | { readonly kind: 'switch'; readonly slots: readonly SlotSwitch[] }
  /** Times about one in so many visits of sampled slots from now on; at most `mostIntervals`. */
  | { readonly kind: 'intervals'; readonly slots: readonly SlotInterval[] }
  | CountersRequest
  /** Begins or ends the stream of iterations. */
  | { readonly kind: 'iterations'; readonly on: boolean }
  /** Suspends the program at the end of its next iteration, or lets it go on. */
  | { readonly kind: 'suspend'; readonly on: boolean }
  /** Samples the stacks of all threads; 0 ends it. The shortest interval is 1,000 microseconds. */
  | { readonly kind: 'stacks'; readonly intervalMicroseconds: number }
  /** Samples the call stacks of threads that run, with all functions: the first one now; 0 ends it. The shortest interval is 1,000 microseconds. */
  | { readonly kind: 'callStacks'; readonly intervalMicroseconds: number }
  /** One such sample, which is the answer. */
  | { readonly kind: 'callStacksNow' }
  /** Where the code of the process comes from. */
  | { readonly kind: 'code' };

export interface SlotSwitch {
  readonly slot: number;
  readonly on: boolean;
}

export interface SlotInterval {
  readonly slot: number;
  /** A power of two from 1 (all visits are timed) to 65536. */
  readonly interval: number;
}

export interface CountersRequest {
  readonly kind: 'counters';
  readonly of: 'paths' | 'functions';
  /** One value per thread, or the sum over all threads. */
  readonly perThread: boolean;
  /** What came since the last such request of this connection with `differences`, or all since the begin. */
  readonly differences: boolean;
}

export const mostSwitches = 16_000;
export const mostIntervals = 8_000;
const largestInterval = 65_536;
export const mostTokenBytes = 128;

const types = {
  hello: 1,
  state: 2,
  switch: 3,
  counters: 4,
  iterations: 5,
  suspend: 6,
  stacks: 7,
  intervals: 8,
  callStacks: 9,
  callStacksNow: 10,
  code: 11,
} as const;
const magic = 'KYMOCTL1';

/**
 * The bytes of a request.
 * @param serial from 1; the answer repeats it
 * @throws RangeError when there are too many slots, the token is too long, or an interval is none
 */
export function encodeRequest(request: ControlRequest, serial: number): Uint8Array {
  const body = bodyOf(request);
  const bytes = new Uint8Array(frameHeadBytes + body.length);
  const view = viewOf(bytes);
  view.setUint32(0, body.length, true);
  view.setUint16(4, types[request.kind], true);
  view.setUint16(6, controlVersion, true);
  view.setUint32(8, serial, true);
  bytes.set(body, frameHeadBytes);
  return bytes;
}

function bodyOf(request: ControlRequest): Uint8Array {
  if ('on' in request) return Uint8Array.of(request.on ? 1 : 0);
  if ('intervalMicroseconds' in request) return words([request.intervalMicroseconds]);
  switch (request.kind) {
    case 'hello':
      return helloBody(request.token);
    case 'state':
    case 'callStacksNow':
    case 'code':
      return new Uint8Array(0);
    case 'switch':
      return switchBody(request.slots);
    case 'intervals':
      return intervalsBody(request.slots);
    case 'counters':
      return Uint8Array.of(
        request.of === 'functions' ? 1 : 0,
        request.perThread ? 1 : 0,
        request.differences ? 1 : 0,
        0,
      );
    default:
      return assertNever(request);
  }
}

function helloBody(token: string): Uint8Array {
  const bytes = new TextEncoder().encode(magic + token);
  if (bytes.length > magic.length + mostTokenBytes)
    throw new RangeError(`A token has at most ${mostTokenBytes} bytes.`);
  return bytes;
}

function switchBody(slots: readonly SlotSwitch[]): Uint8Array {
  if (slots.length > mostSwitches)
    throw new RangeError(`At most ${mostSwitches} functions are switched by one request.`);
  return words([slots.length, ...slots.map(({ slot, on }) => (slot & 0x7fff_ffff) + (on ? 0x8000_0000 : 0))]);
}

function intervalsBody(slots: readonly SlotInterval[]): Uint8Array {
  if (slots.length > mostIntervals)
    throw new RangeError(`At most ${mostIntervals} functions get intervals by one request.`);
  return words([slots.length, ...slots.flatMap(({ slot, interval }) => [slot, shiftOf(interval)])]);
}

function shiftOf(interval: number): number {
  const shift = Math.log2(interval);
  if (!Number.isInteger(shift) || interval < 1 || interval > largestInterval)
    throw new RangeError(`An interval is a power of two from 1 to ${largestInterval}, not ${interval}.`);
  return shift;
}

function words(values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 4);
  const view = viewOf(bytes);
  values.forEach((value, i) => {
    view.setUint32(4 * i, value, true);
  });
  return bytes;
}
