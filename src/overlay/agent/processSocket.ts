import { closeSync, openSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import net from 'node:net';
import { hostname } from 'node:os';

/** As much of a host's name as the runtime writes. */
const mostHostLength = 47;

/** Names of the sockets in a folder, of processes that can be watched on any host; none while there is no folder. */
export async function socketNames(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  return names.filter((name) => name.endsWith('.control'));
}

/** The host of a socket `<host>.<pid>.control`, of a long name its beginning. */
export function socketHost(name: string): string {
  return name.replace(/\.\d+\.control$/, '');
}

/** Whether a host has this name in sockets. */
export function isSameHost(ofSocket: string, host: string): boolean {
  return ofSocket === host.slice(0, mostHostLength);
}

/** Whether a socket `<host>.<pid>.control` is of this host: a shared folder has those of others too, which cannot be connected to. */
export function isOfThisHost(name: string): boolean {
  return isSameHost(socketHost(name), hostname());
}

/**
 * Connects to a socket. Paths of sockets have at most 107 bytes, those of folders are longer: the folder is named by a descriptor.
 * @throws what the system says
 */
export function connectSocket(folder: string, name: string): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const descriptor = openSync(folder, 'r');
    const socket = net.connect(`/proc/self/fd/${descriptor}/${name}`);
    const fail = (error: Error): void => {
      closeSync(descriptor);
      reject(error);
    };
    socket.once('error', fail);
    socket.once('connect', () => {
      closeSync(descriptor);
      socket.off('error', fail);
      resolve(socket);
    });
  });
}
