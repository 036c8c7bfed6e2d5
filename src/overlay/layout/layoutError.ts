import { KymoError, type ErrorPlace } from '../../core/errors';

/**
 * - `bad-syntax`: the text of a layout, a list of hosts or a generator's specification cannot be read
 * - `bad-tree`: the processes do not form one tree
 * - `too-large`: more processes than a network may have
 * - `slots-run-out`: the hosts cannot hold the processes
 * - `unknown-rank`: the layout has no process of that rank
 */
type LayoutFault = 'bad-syntax' | 'bad-tree' | 'too-large' | 'slots-run-out' | 'unknown-rank';

/** A layout that cannot be used; `where` names the line and the column in its text, both from 1. */
export class LayoutError extends KymoError<LayoutFault> {
  override readonly name = 'LayoutError';

  constructor(reason: LayoutFault, message: string, where: ErrorPlace = {}) {
    super(reason, message, where);
  }
}

/** Text from a file as part of a message: quoted, with escapes, and short. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
