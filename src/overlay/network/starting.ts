import { count, record, text } from '../control/shape';
import type { LayoutNode } from '../layout/layout';
import type { Address } from '../members/surroundings';
import { OverlayError } from '../packets/overlayError';

/** A started process, as its starter sees it. */
export interface StartedProcess {
  /** Settles when the process has ended, with what is known of why: `exit code 1`. Never fails. */
  readonly ended: Promise<string>;
  /** Ends it at once. */
  kill(): void;
}

/**
 * Starts the program of a process on its host. The environment contains the token of the session: it must not become part of the arguments,
 * which others can see.
 */
export type StartProcess = (
  node: LayoutNode,
  environment: Readonly<Record<string, string>>,
) => StartedProcess;

/** What a process has to know to find the network. */
export interface Invitation {
  readonly rank: number;
  readonly host: string;
  readonly parent: Address;
  readonly root: Address;
  readonly token: string;
  /** A neighbour that is silent for longer is lost. */
  readonly silenceMilliseconds: number;
}

/** The variable of the environment with an invitation. */
const variable = 'KYMO_OVERLAY';

const addressShape = record({ rank: count, host: text(255), port: count });
export const invitation = record({
  rank: count,
  host: text(255),
  parent: addressShape,
  root: addressShape,
  token: text(128),
  silenceMilliseconds: count,
});

export function environmentOf(invited: Invitation): Readonly<Record<string, string>> {
  return { [variable]: JSON.stringify(invited) };
}

/** Reads the invitation, and removes it: programs that this process starts are not invited. @throws OverlayError `usage`, `malformed` */
export function takeInvitation(environment: Record<string, string | undefined>): Invitation {
  const content = environment[variable];
  if (content === undefined)
    throw new OverlayError('usage', `The environment has no ${variable}: the network starts this process.`);
  Reflect.deleteProperty(environment, variable);
  try {
    return invitation(JSON.parse(content), variable);
  } catch (error) {
    if (error instanceof OverlayError) throw error;
    throw new OverlayError('malformed', `${variable} is not JSON.`, error);
  }
}
