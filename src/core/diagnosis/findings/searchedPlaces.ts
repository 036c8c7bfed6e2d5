import type { Base } from '../../functions/base';
import { shareOf } from '../../functions/share';
import { getOrMake } from '../../getOrMake';
import { largestOf } from '../../sums';
import { wholeOf } from '../hypotheses/metrics';
import type { Focus, ResourcePath } from '../resources/focus';
import { printResource } from '../resources/focusText';
import type { SearchedFunction, SearchedThread, SearchRecord } from '../search/searchRecord';

/** What the resources of a search are in the program, for those who read of them: a finished measurement knows it, and so do the agents of a running program. */
export interface SearchedPlaces {
  /** The function that a resource of `Code` is; undefined for modules and the root, and where it is not known. */
  readonly functionOf: (code: ResourcePath) => SearchedFunction | undefined;
  /** What shares of the metric are of, in the whole program; undefined where it is not known. */
  readonly base: (metric: string) => Base | undefined;
  /** The part (0…1) of the base that a part of the machine has. */
  readonly partOf: (metric: string, focus: Focus) => number;
  /** Ranks of a part of the machine. */
  readonly ranks: (focus: Focus) => readonly number[];
  /** Number of processes; 0 where it is not known. */
  readonly processes: number;
  readonly threads: number;
}

/** A host, process or thread, or the whole machine. */
interface MachinePart {
  readonly ranks: Set<number>;
  threadSeconds: number;
  /** Of the first threads of processes that have several. */
  teamSeconds: number;
}

type KnownThread = Omit<SearchedThread, 'rank'> & { readonly rank?: number };

/** As the record says it. Without its program: what the names of its resources show, each process counting the same. */
export function placesOf({ program, nodes }: Pick<SearchRecord, 'program' | 'nodes'>): SearchedPlaces {
  const threads: readonly KnownThread[] = program?.threads ?? namedThreads(nodes);
  const functions = new Map(program?.functions.map((own) => [printResource('Code', own.code), own]));
  const parts = machineParts(threads);
  const part = (machine: ResourcePath): MachinePart | undefined =>
    parts.get(printResource('Machine', machine));
  const whole = part([]);
  const secondsOf = (metric: string, of: MachinePart | undefined): number =>
    (wholeOf(metric) === 'teams' ? of?.teamSeconds : of?.threadSeconds) ?? 0;
  return {
    functionOf: (code) => functions.get(printResource('Code', code)),
    base: (metric) =>
      program && {
        ...program.base,
        seconds:
          wholeOf(metric) === 'run'
            ? largestOf(
                threads.map(({ seconds }) => seconds),
                0,
              )
            : secondsOf(metric, whole),
      },
    partOf: (metric, { Machine }) =>
      wholeOf(metric) === 'run' || Machine.length === 0
        ? 1
        : shareOf(secondsOf(metric, part(Machine)), { seconds: secondsOf(metric, whole) }),
    ranks: ({ Machine }) => [...(part(Machine)?.ranks ?? [])],
    processes: new Set(threads.map(({ machine }) => processKey(machine))).size,
    threads: threads.length,
  };
}

function machineParts(threads: readonly KnownThread[]): ReadonlyMap<string, MachinePart> {
  const parts = new Map<string, MachinePart>();
  const begun = new Set<string>();
  for (const { machine, rank, seconds } of threads) {
    const process = processKey(machine);
    const isFirstOfSeveral = machine.length > 2 && !begun.has(process);
    begun.add(process);
    for (let depth = 0; depth <= machine.length; depth++) {
      const own = getOrMake(parts, printResource('Machine', machine.slice(0, depth)), (): MachinePart => ({
        ranks: new Set(),
        threadSeconds: 0,
        teamSeconds: 0,
      }));
      if (rank !== undefined) own.ranks.add(rank);
      own.threadSeconds += seconds;
      if (isFirstOfSeveral) own.teamSeconds += seconds;
    }
  }
  return parts;
}

function processKey(machine: ResourcePath): string {
  return printResource('Machine', machine.slice(0, 2));
}

/** The most precise parts of the machine that experiments name. */
function namedThreads(nodes: SearchRecord['nodes']): readonly KnownThread[] {
  const named = new Map(nodes.map(({ focus: { Machine } }) => [printResource('Machine', Machine), Machine]));
  const above = new Set([...named.values()].map((machine) => printResource('Machine', machine.slice(0, -1))));
  const threads = [...named].flatMap(([key, machine]) =>
    machine.length > 1 && !above.has(key) ? [machine] : [],
  );
  const counts = new Map<string, number>();
  for (const machine of threads) counts.set(processKey(machine), (counts.get(processKey(machine)) ?? 0) + 1);
  return threads.map((machine) => {
    const [, rank] = /^rank (\d+)$/.exec(machine[1] ?? '') ?? [];
    const seconds = 1 / (counts.get(processKey(machine)) ?? 1);
    return { machine, seconds, ...(rank !== undefined && { rank: Number(rank) }) };
  });
}
