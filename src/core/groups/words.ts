import { at } from '../at';
import { getOrMake } from '../getOrMake';
import { foldTemplates } from '../names/foldTemplates';
import { unqualifiedName } from '../names/unqualifiedName';
import { visibleControls } from '../names/visibleControls';
import { rankSet } from '../properties/rankSet';
import type { FunctionPair, Process, ProcessContext } from './context';

/** A name of a generated function may be of any length. */
const nameCharacters = 60;
/** Ranges of ranks in one list, and lists of one group; more would be longer than a sentence. */
const mostRanges = 10;
const mostParts = 4;

/** `2–4`, `50, 63–87`; more than ten ranges end with `… (number of all)`. */
export function condensedNumbers(numbers: Iterable<number>): string {
  const all = [...numbers];
  const ranges = rankSet(all).split(',');
  const shown = ranges.slice(0, mostRanges).join(', ').replaceAll('-', '–');
  return ranges.length > mostRanges ? `${shown}, … (${all.length})` : shown;
}

/** Processes of each group, ascending. */
export function membersOfGroups({ sets, groupOf }: ProcessContext): readonly (readonly number[])[] {
  const members: number[][] = sets.map(() => []);
  groupOf.forEach((group, process) => at(members, group).push(process));
  return members;
}

/** Processes as the subject of a sentence. */
export interface ProcessNames {
  /** In the middle of a sentence: `rank 0`, `ranks 1–3`, `threads 1–3 of ranks 0–3`. */
  readonly text: string;
  readonly isOne: boolean;
}

/**
 * Names some of the processes, by their positions; the first thread of a rank stands for it. Ranks and runs are omitted where all processes are
 * of one. Processes without a rank, which is then negative, have their names.
 */
export function processNamer(
  all: readonly Process[],
): (members: ArrayLike<number> & Iterable<number>) => ProcessNames {
  const isOneRank = all.length > 1 && all.every(({ rank }) => rank >= 0 && rank === all[0]?.rank);
  const isOneRun = all.every(({ run }) => run === all[0]?.run);
  return (members) => {
    const runs = new Map<string | undefined, Process[]>();
    for (const member of members) {
      const process = at(all, member);
      getOrMake(runs, isOneRun ? undefined : process.run, () => []).push(process);
    }
    const parts = [...runs].flatMap(([run, processes]) =>
      partsOf(processes, isOneRank).map((part) =>
        run === undefined ? part : `${part} of ${shortName(run)}`,
      ),
    );
    return { text: joined(parts, mostParts), isOne: members.length === 1 };
  };
}

/** What the processes are, where they are counted: each of several threads of a rank is one. */
export function processNoun(all: readonly Process[]): 'rank' | 'thread' {
  return all.every(({ thread }) => thread === 0) ? 'rank' : 'thread';
}

/** Ranks with the same threads are one part. */
function partsOf(processes: readonly Process[], isOneRank: boolean): readonly string[] {
  const threadsOf = new Map<number, Set<number>>();
  const names: string[] = [];
  for (const { rank, thread, name } of processes)
    if (rank < 0) names.push(shortName(name));
    else getOrMake(threadsOf, rank, () => new Set()).add(thread);
  const parts = new Map<string, { readonly threads: readonly number[]; readonly ranks: number[] }>();
  for (const [rank, threads] of threadsOf) {
    const numbers = [...threads];
    getOrMake(parts, rankSet(numbers), () => ({ threads: numbers, ranks: [] })).ranks.push(rank);
  }
  const ofRanks = [...parts.values()].map(({ threads, ranks }) => {
    const isFirst = threads.length === 1 && threads[0] === 0;
    const itsRanks = `${ranks.length === 1 ? 'rank' : 'ranks'} ${condensedNumbers(ranks)}`;
    if (isFirst) return isOneRank ? 'the main thread' : itsRanks;
    const ofThreads = `${threads.length * ranks.length === 1 ? 'thread' : 'threads'} ${condensedNumbers(threads)}`;
    return isOneRank ? ofThreads : `${ofThreads} of ${itsRanks}`;
  });
  return [...ofRanks, ...names];
}

/** A function in a sentence: without scope, parameters, template arguments and the file that its attribute may name. */
export function shortName(name: string): string {
  const plain = visibleControls(name.replace(/ \([^()]*[./][^()]*\)$/, ''));
  // Directives have blanks in their names.
  // Nor are `(static initializers for main.cpp)` parameters.
  const short =
    plain.startsWith('!$') || plain.startsWith('(') ? plain : unqualifiedName(foldTemplates(plain));
  if (short.length <= nameCharacters) return short;
  // Half of a character that takes two units is none.
  return `${short.slice(0, nameCharacters - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** `a, b and 3 more`: the first texts that differ. */
export function listOf<Thing>(things: readonly Thing[], text: (thing: Thing) => string, most = 6): string {
  const shown = new Set<string>();
  let covered = 0;
  for (const thing of things) {
    const next = text(thing);
    if (shown.size === most && !shown.has(next)) break;
    shown.add(next);
    covered++;
  }
  return joined([...shown], most, things.length - covered);
}

/** `a, b and c`; `a, b and 5 more` */
function joined(parts: readonly string[], most: number, further = 0): string {
  const rest = further + Math.max(0, parts.length - most);
  const shown = parts.slice(0, most);
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`;
  const last = shown.at(-1) ?? '';
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')} and ${last}`;
}

/** `main → solve`; a process begins with a pair without a caller. */
export function pairText({ caller, callee }: FunctionPair): string {
  return caller === undefined ? shortName(callee) : `${shortName(caller)} → ${shortName(callee)}`;
}

/** As the beginning of a sentence. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
