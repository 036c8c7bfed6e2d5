import { InnerProcess, shutdownReason } from '../members/innerProcess';
import { ChildProcesses } from './childProcesses';
import { ChildSide } from './childSide';
import type { Layout } from '../layout/layout';
import { readLayout } from './layoutText';
import { type Connection, Traffic } from './connection';
import { Listener } from './listener';
import { asOverlayError } from '../streams/upStream';
import type { Invitation, StartProcess } from './starting';

export interface InnerProcessOptions {
  /** Starts the children that the layout names. */
  readonly start: StartProcess;
}

/**
 * Runs this process as an inner process of a network until the network ends, or cannot be reached any more.
 * @returns why it has ended; the caller then ends the process
 */
export async function runInnerProcess(
  { token, rank, host, parent, root, silenceMilliseconds }: Invitation,
  { start }: InnerProcessOptions,
): Promise<string> {
  const traffic = new Traffic();
  let tree: Layout | undefined;
  const listener = new Listener({ token, traffic, layout: () => tree });
  const self = { rank, host, port: await listener.listen(host) };
  const children = new ChildProcesses(start, { token, parent: self, root, silenceMilliseconds }, (error) =>
    member.problem(error),
  );
  const ended = new Ending();
  const side = new ChildSide(() => member, traffic, {
    token,
    silenceMilliseconds,
    layout: (text) => {
      try {
        tree = readLayout(text);
        children.startAll(tree);
      } catch (error) {
        member.problem(asOverlayError(error, 'malformed'));
      }
    },
    // The slower the parent, the less is read from the children; and the other way round.
    full: (isFull) => {
      for (const child of listener.children) child.pause(isFull);
    },
    others: () => listener.children,
    ended: (why) => ended.settle(why),
  });
  const fullChildren = new Set<Connection>();
  const member: InnerProcess = new InnerProcess(self, side);
  listener.serve(member, (child, isFull) => {
    if (isFull) fullChildren.add(child);
    else fullChildren.delete(child);
    side.connection?.pause(fullChildren.size > 0);
  });
  member.parent.start(parent, root);
  const why = await ended.why;
  // Sockets send what is queued before the process ends.
  const sent = new Promise((resolve) => setTimeout(resolve, 20));
  if (why === shutdownReason) await children.end();
  else children.forget();
  await sent;
  listener.close();
  return why;
}

/** A promise with what settles it. */
class Ending {
  settle: (why: string) => void = () => undefined;
  readonly why = new Promise<string>((resolve) => (this.settle = resolve));
}
