import { open } from 'node:fs/promises';
import { list } from '../control/shape';
import { OverlayError } from '../packets/overlayError';
import { type Invitation, invitation } from './starting';

/** More is no file of invitations. */
const mostBytes = 2 ** 26;

/**
 * Writes invitations for back ends that a process manager starts with one environment for all: each takes the one at its own number.
 * Only the owner can read the file, which contains the token. @throws when there is one already
 */
export async function writeInvitations(file: string, invitations: readonly Invitation[]): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(JSON.stringify(invitations));
  } finally {
    await handle.close();
  }
}

/**
 * @param index number of this process among those that were started together, from 0
 * @throws OverlayError `usage` when others could have written or can read the file, or when it has too few invitations; `malformed`
 */
export async function readInvitation(file: string, index: number): Promise<Invitation> {
  const handle = await open(file, 'r');
  try {
    const { uid, mode, size } = await handle.stat();
    if (uid !== process.getuid?.() || (mode & 0o077) !== 0)
      throw new OverlayError('usage', `${file} must belong to this user, and nobody else may read it.`);
    if (size > mostBytes)
      throw new OverlayError('malformed', `${file} is too large for a file of invitations.`);
    const all = list(invitation)(parse(await handle.readFile('utf8'), file), file);
    const mine = all[index];
    if (mine === undefined)
      throw new OverlayError(
        'usage',
        `${file} has ${all.length} invitations; this process is number ${index}.`,
      );
    return mine;
  } finally {
    await handle.close();
  }
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new OverlayError('malformed', `${file} is not JSON.`, error);
  }
}
