import { LayoutError } from './layoutError';

/** Enough for one agent on each node of the largest machines with their inner processes; bounds the memory that a text can ask for. */
export const mostProcesses = 262_144;

/** Largest layout file or list of hosts, in UTF-16 code units: a line of 128 for each process. */
export const longestText = mostProcesses * 128;

/** A host name has at most 253 characters (RFC 1035, section 2.3.4, without the length bytes). */
export const longestName = 253;

/** @throws LayoutError `too-large` */
export function checkProcesses(count: number): void {
  if (!(count <= mostProcesses))
    throw new LayoutError(
      'too-large',
      `The layout has more than ${mostProcesses} processes. Choose a smaller tree.`,
    );
}
