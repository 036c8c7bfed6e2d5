import { at } from '../at';
import { getOrMake } from '../getOrMake';
import { rankSet } from '../properties/rankSet';
import type { Process } from './context';

/**
 * Processes as people name them: `2–4`, `50, 63–87`; ranks with the same threads, where any rank has several, as `0–9 (threads 1–3)`; after
 * their run, where there are several. Processes without a rank, which is then negative, have their names.
 * @param processes all of the context: what else there is decides what a name must contain
 * @param members positions in `processes`
 */
export function condensedNames(processes: readonly Process[], members: Iterable<number>): string {
  const hasRuns = new Set(processes.map(({ run }) => run)).size > 1;
  const hasThreads = processes.some(({ thread }) => thread !== processes[0]?.thread);
  const byRun = new Map<string | undefined, Process[]>();
  for (const member of members) {
    const process = at(processes, member);
    getOrMake(byRun, process.run, () => []).push(process);
  }
  return [...byRun]
    .map(([run, list]) => `${hasRuns && run !== undefined ? `${run}: ` : ''}${namesInRun(list, hasThreads)}`)
    .join('; ');
}

function namesInRun(processes: readonly Process[], hasThreads: boolean): string {
  const threadsOf = new Map<number, number[]>();
  const names: string[] = [];
  for (const { rank, thread, name } of processes)
    if (rank < 0) names.push(name);
    else getOrMake(threadsOf, rank, () => []).push(thread);
  if (threadsOf.size === 0) return names.join(', ');
  const ranksOf = new Map<string, number[]>();
  for (const [rank, threads] of threadsOf) {
    const text = hasThreads ? ` (${threads.length > 1 ? 'threads' : 'thread'} ${spaced(threads)})` : '';
    getOrMake(ranksOf, text, () => []).push(rank);
  }
  return [...[...ranksOf].map(([threads, ranks]) => `${spaced(ranks)}${threads}`), ...names].join(', ');
}

function spaced(numbers: readonly number[]): string {
  return rankSet(numbers).replaceAll('-', '–').replaceAll(',', ', ');
}
