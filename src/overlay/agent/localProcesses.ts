import { KymoError } from '../../core/errors';
import type { ConnectionErrorReason } from './conversation';
import { ProcessConnection } from './processConnection';
import type { ProcessSource } from './processLink';
import { isOfThisHost, socketNames } from './processSocket';

/** The processes of a run on this host. @param folder with their sockets */
export function localProcesses(folder: string, token: string): ProcessSource {
  return {
    names: async () => {
      const names = await socketNames(folder);
      const foreign = names.find((name) => !isOfThisHost(name));
      if (foreign === undefined) return names;
      throw new KymoError<ConnectionErrorReason>(
        'not-watchable',
        `A process of the program runs on another machine (${foreign}): only those on this one can be watched. Refine without --online.`,
      );
    },
    open: (name, listener) => ProcessConnection.open(folder, name, token, listener),
  };
}

/** Those processes of a run that are on this host. @param folder with the sockets of all */
export function processesOfHost(folder: string, token: string): ProcessSource {
  return {
    names: async () => (await socketNames(folder)).filter(isOfThisHost),
    open: (name, listener) => ProcessConnection.open(folder, name, token, listener),
  };
}
