import { open } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { list, text, type Shape } from '../control/shape';
import { environmentOf, takeInvitation, type Invitation } from '../network/starting';
import { OverlayError } from '../packets/overlayError';
import type { WatchedFolder } from './agentSession';

/** What an agent has to know. It has secrets, so it is never in arguments. */
export interface AgentOrders {
  readonly invitation: Invitation;
  readonly watched: WatchedFolder;
}

/** Variables of an environment, or of a file or standard input that stands for one. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Those that a watched program has, too (docs/formats.md). */
const folderVariable = 'KYMO_CONTROL';
const tokenVariable = 'KYMO_CONTROL_TOKEN';
const tokenFile = 'token';
const mostTokenBytes = 128;
/** More is no list of orders. */
const mostBytes = 2 ** 26;

export function ordersEnvironment({ invitation, watched }: AgentOrders): Readonly<Record<string, string>> {
  return {
    ...environmentOf(invitation),
    [folderVariable]: watched.folder,
    [tokenVariable]: watched.token,
  };
}

/**
 * Orders of variables; without a token, the file `token` of the folder has it, which must be the user's and nobody else's.
 * @throws OverlayError `usage`, `malformed`
 */
export async function readOrders(variables: Variables): Promise<AgentOrders> {
  const invitation = takeInvitation({ ...variables });
  const { [folderVariable]: folder = '', [tokenVariable]: given } = variables;
  if (folder === '')
    throw new OverlayError('usage', `${folderVariable} names no folder with the sockets of a run.`);
  const token = given ?? (await readOwn(path.join(folder, tokenFile), mostTokenBytes + 1)).trim();
  // Whoever started this process may not have known on which host.
  return { invitation: { ...invitation, host: hostname() }, watched: { folder, token } };
}

/**
 * Writes orders for agents that a process manager starts with one command for all: each takes those at its own number. Only the owner can read
 * the file. @throws when there is one already
 */
export async function writeOrders(file: string, orders: readonly AgentOrders[]): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(JSON.stringify(orders.map(ordersEnvironment)));
  } finally {
    await handle.close();
  }
}

/**
 * @param index number of this process among those that were started together, from 0
 * @throws OverlayError `usage` when others could have written or can read the file, or when it has too few orders; `malformed`
 */
export async function readOrdersFile(file: string, index: number): Promise<Variables> {
  return pickOrders(await readOwn(file, mostBytes), file, index);
}

const variablesShape: Shape<Variables> = (value, name) => {
  const entries = Object.entries(value ?? {}).map(
    ([key, content]) => [key, text(2 ** 16)(content, name)] as const,
  );
  return Object.fromEntries(entries);
};

/** @param content JSON of a list of orders @param name of where it was read, for messages @throws OverlayError `usage`, `malformed` */
export function pickOrders(content: string, name: string, index: number): Variables {
  const all = list(variablesShape)(parse(content, name), name);
  const mine = all[index];
  if (mine === undefined)
    throw new OverlayError(
      'usage',
      `${name} has orders for ${all.length} agents; this one is number ${index}.`,
    );
  return mine;
}

function parse(content: string, name: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new OverlayError('malformed', `${name} is not JSON.`, error);
  }
}

/** A file with secrets. @throws OverlayError `usage`, `malformed`; what the system says */
async function readOwn(file: string, most: number): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const { uid, mode, size } = await handle.stat();
    if (uid !== process.getuid?.() || (mode & 0o077) !== 0)
      throw new OverlayError('usage', `${file} must belong to this user, and no other user may read it.`);
    if (size > most) throw new OverlayError('malformed', `${file} has more than ${most} bytes.`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}
