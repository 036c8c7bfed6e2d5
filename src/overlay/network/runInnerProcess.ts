import { InnerProcess, shutdownReason } from '../members/innerProcess';
import { fewestChildren, type ParentChoice } from '../members/parentChoice';
import { ChildProcesses } from './childProcesses';
import { ChildSide } from './childSide';
import { readLayout } from './layoutText';
import { Listener } from './listener';
import { asOverlayError } from '../streams/upStream';
import type { Invitation, StartProcess } from './starting';

export interface InnerProcessOptions {
  /** Starts the children that the layout names. */
  readonly start: StartProcess;
  /** Default: who has the fewest children. */
  readonly chooseParent?: ParentChoice;
  /** A neighbour that is silent for longer is lost; milliseconds, default 20,000. */
  readonly silenceMilliseconds?: number;
}

/**
 * Runs this process as an inner process of a network until the network ends, or cannot be reached any more.
 * @returns why it has ended; the caller then ends the process
 */
export function runInnerProcess(
  invited: Invitation,
  { start, chooseParent = fewestChildren, silenceMilliseconds = 20_000 }: InnerProcessOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const { token, rank, host, root } = invited;
    let listener: Listener | undefined;
    let children: ChildProcesses | undefined;
    let member: InnerProcess | undefined;
    let tree = '';
    const the = (): InnerProcess => {
      if (member === undefined) throw new Error('The process is not connected yet.');
      return member;
    };
    const side = new ChildSide(the, {
      token,
      silenceMilliseconds,
      layout: (text) => {
        tree = text;
        try {
          children?.startAll(readLayout(text));
        } catch (error) {
          the().problem(asOverlayError(error, 'malformed'));
        }
      },
      // The slower the parent, the less is read from the children.
      full: (isFull) => {
        for (const child of listener?.children ?? []) child.pause(isFull);
      },
      others: () => listener?.children ?? [],
      ended: (why) => {
        const isOrdered = why === shutdownReason;
        const ending = isOrdered ? children?.end() : children?.forget();
        // Sockets send what is queued before the process ends.
        const sent = new Promise((done) => setTimeout(done, 20));
        void Promise.all([ending, sent]).then(() => {
          listener?.close();
          resolve(why);
        });
      },
    });
    const fullChildren = new Set<unknown>();
    listener = new Listener({
      token,
      traffic: side.traffic,
      layout: () => (tree === '' ? undefined : readLayout(tree)),
      full: (child, isFull) => {
        if (isFull) fullChildren.add(child);
        else fullChildren.delete(child);
        side.connection?.pause(fullChildren.size > 0);
      },
    });
    listener.listen(host).then((port) => {
      const self = { rank, host, port };
      children = new ChildProcesses(start, token, self, root, (error) => the().problem(error));
      member = new InnerProcess(self, side, chooseParent);
      listener?.serve(member);
      member.start(invited.parent, root);
    }, reject);
  });
}
