import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { record, text } from '../control/shape';

/**
 * Both sides of a connection prove that they know the token of the session, without sending it: a process that listens on a port that
 * has become free learns nothing, and cannot give orders.
 */
const short = text(128);

/** From who was asked: the first frame. */
export const challenge = record({ nonce: short });
/** From who asks. `hello` is JSON, signed as it is. */
export const signedHello = record({ hello: text(2 ** 20), nonce: short, proof: short });
/** From who was asked: its own proof, and the tree when this is the first connection of an inner process. */
export const acceptance = record({ proof: short, answer: text(8), layout: text(2 ** 24) });

export function nonce(): string {
  return randomBytes(24).toString('base64');
}

/** A token for a new session. */
export function newToken(): string {
  return randomBytes(32).toString('base64');
}

/** @param side who proves */
export function proofOf(token: string, side: 'parent' | 'child', ...words: readonly string[]): string {
  return createHmac('sha256', token)
    .update(JSON.stringify([side, ...words]))
    .digest('base64');
}

/** Takes as long whatever is wrong. */
export function isProof(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
