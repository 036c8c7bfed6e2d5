import { at } from '../../core/at';
import type { Location, SystemNode } from '../../core/profile/profile';
import type { ResultHead } from '../../formats/kymo-result/resultFile';

/** The ranks of processes: those of the launcher if they differ; otherwise (a program that starts itself again, several runs without MPI) their order. */
export function shownRanks(ranks: readonly number[]): readonly number[] {
  return new Set(ranks).size === ranks.length ? ranks : ranks.map((_, order) => order);
}

/** Machine → node → process → thread, as in Score-P. */
export function systemTree(results: readonly ResultHead[]): {
  readonly system: readonly SystemNode[];
  /** Locations in the order of the results and their threads. */
  readonly locations: readonly Location[];
} {
  const system: SystemNode[] = [{ name: 'machine', kind: 'machine' }];
  const hosts = new Map<string, number>();
  const launched = results.map(({ rank }) => rank);
  const ranks = shownRanks(launched);
  const locations: Location[] = [];
  results.forEach((result, order) => {
    const host = result.host === '' ? 'unknown host' : result.host;
    let node = hosts.get(host);
    if (node === undefined) {
      node = system.push({ name: host, kind: 'node', parent: 0 }) - 1;
      hosts.set(host, node);
    }
    const rank = at(ranks, order);
    const name = result.rankCount > 1 && ranks === launched ? `MPI Rank ${rank}` : `Process ${rank}`;
    const process = system.push({ name, kind: 'process', parent: node, rank }) - 1;
    result.threads.forEach((_, thread) => {
      const shown = thread === 0 ? 'Master thread' : `Thread ${thread}`;
      locations.push({ name: shown, rank, thread, process, kind: 'thread' });
    });
  });
  return { system, locations };
}
