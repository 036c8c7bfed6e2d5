import { assertNever } from '../../../core/errors';
import { largestOf } from '../../../core/sums';
import { at } from '../../../core/at';
import { nodeOf, type RankTree } from '../../layout/treeQueries';
import { startUpActivities, type StartUpActivity, type StartUpActivityName } from './activities';
import { VirtualProcesses, type MessageCost } from './virtualProcesses';

/** What the start-up of a program costs. Times in seconds, sizes in bytes. */
export interface StartUpCost extends MessageCost {
  /** Of the data of one process, by activity: its report where reports are concatenated, the full data of a class. */
  readonly bytes: Readonly<Record<StartUpActivityName, number>>;
  /** Processor time of the front end for such data. */
  readonly useSeconds: Readonly<Record<StartUpActivityName, number>>;
  readonly parseSeconds: number;
  /** Rounds of broadcast and reduction that measure clocks. */
  readonly skewRounds: number;
  /** Different programs or machines among the processes. */
  readonly classes: number;
}

export interface ActivityTime {
  readonly name: StartUpActivityName;
  /** Seconds since all agents run. */
  readonly start: number;
  readonly end: number;
  /** How many messages the front end received. */
  readonly messagesAtRoot: number;
}

/** Bytes of a hash value with its rank. */
const hashBytes = 12;
/** Bytes of a probe or an answer with time stamps. */
const stampBytes = 28;

/**
 * The start-up in virtual time: when each activity begins and ends. Activities with the front end follow each other as their dependencies say;
 * executables are parsed beside them. With a tree of depth 1 this is the start-up without inner processes.
 */
export function simulateStartUp(tree: RankTree, cost: StartUpCost): readonly ActivityTime[] {
  const processes = new VirtualProcesses(tree, cost);
  const ends = new Map<StartUpActivityName, number>();
  return startUpActivities.map((activity) => {
    const start = largestOf(
      activity.after.map((name) => ends.get(name) ?? 0),
      0,
    );
    const { end, messagesAtRoot } = perform(activity, start, { tree, cost, processes });
    ends.set(activity.name, end);
    return { name: activity.name, start, end, messagesAtRoot };
  });
}

interface Run {
  readonly tree: RankTree;
  readonly cost: StartUpCost;
  readonly processes: VirtualProcesses;
}

function perform(
  activity: StartUpActivity,
  start: number,
  run: Run,
): { readonly end: number; readonly messagesAtRoot: number } {
  const { tree, cost, processes } = run;
  const bytes = cost.bytes[activity.name];
  const use = cost.useSeconds[activity.name];
  const asked = activity.isAsked && activity.mechanism !== 'clock-skew';
  const starts = asked ? processes.broadcast(start, bytes).ready : tree.nodes.map(() => start);
  const upwards = (bytesOf: (backEnds: number) => number, useOf: (backEnds: number) => number) => {
    const { ready, messagesAtRoot } = processes.reduce(starts, bytesOf, useOf);
    return { end: at(ready, tree.root), messagesAtRoot };
  };
  const nothing = () => 0;
  switch (activity.mechanism) {
    case 'concatenation':
      return upwards(
        (backEnds) => backEnds * bytes,
        (backEnds) => backEnds * use,
      );
    case 'classes':
      return fullData(
        upwards((backEnds) => backEnds * hashBytes, nothing),
        bytes,
        use,
        run,
      );
    case 'wait-for-all':
      return upwards(() => bytes, nothing);
    case 'clock-skew':
      return skewRounds(start, run);
    case 'local':
      return { end: start + cost.parseSeconds, messagesAtRoot: 0 };
    default:
      return assertNever(activity.mechanism);
  }
}

/** The full data of each class, from one process each. */
function fullData(
  hashes: { readonly end: number; readonly messagesAtRoot: number },
  bytes: number,
  use: number,
  { tree, cost, processes }: Run,
): { readonly end: number; readonly messagesAtRoot: number } {
  const leaves = tree.nodes.flatMap((_, rank) => (nodeOf(tree, rank).children.length === 0 ? [rank] : []));
  const representatives = leaves.slice(0, cost.classes);
  const ends = representatives.map((rank) => processes.ask(rank, hashes.end, bytes, use));
  return {
    end: largestOf(ends, hashes.end),
    messagesAtRoot: hashes.messagesAtRoot + representatives.length,
  };
}

/** One round after the other, and one reduction that adds the skews of the links. */
function skewRounds(
  start: number,
  { tree, cost, processes }: Run,
): { readonly end: number; readonly messagesAtRoot: number } {
  let end = start;
  let messagesAtRoot = 0;
  const up = (bytesOf: (backEnds: number) => number, starts: readonly number[]) => {
    const reduced = processes.reduce(starts, bytesOf, () => 0);
    end = at(reduced.ready, tree.root);
    messagesAtRoot += reduced.messagesAtRoot;
  };
  for (let round = 0; round < cost.skewRounds; round++)
    up(() => stampBytes, processes.broadcast(end, stampBytes).ready);
  up(
    (backEnds) => backEnds * hashBytes,
    tree.nodes.map(() => end),
  );
  return { end, messagesAtRoot };
}
