import { loadedShare } from '../../cost/runConditions';
import { formatPercent } from '../../format';
import type { Base, LeftOut } from '../../functions/base';
import { shareOf } from '../../functions/share';
import { present } from '../../present';
import { whatPreemptionMeans } from '../recorded/recordedValues';
import { distinctPaths, pathKey } from '../resources/pathKey';
import type { SearchNode, SearchNotice, SearchRecord, SearchedThread } from '../search/searchRecord';
import type { CodeTree } from './codeTree';
import type { LiveWindow } from './liveWindow';

/** What a search in a running program is of: its threads with the time that they have run since it began, and its functions. */
export class LiveFacts {
  private readonly threads = new Map<string, SearchedThread>();
  private readonly leftOut = new Map<LeftOut, number>();
  private windows: readonly LiveWindow[] = [];
  private wallSeconds = 0;
  private preemptedSeconds = 0;

  constructor(
    private readonly code: CodeTree,
    private readonly notices: readonly SearchNotice[],
  ) {}

  /** The windows of an interval, of different processes. */
  add(windows: readonly LiveWindow[]): void {
    this.windows = windows;
    for (const { values, inside } of windows) {
      this.wallSeconds += inside.wallSeconds;
      this.preemptedSeconds += inside.preemptedSeconds;
      for (const thread of values.threads) {
        const key = pathKey(thread.machine);
        const { seconds = 0 } = this.threads.get(key) ?? {};
        this.threads.set(key, { ...thread, seconds: seconds + thread.seconds });
      }
      for (const { what, seconds } of values.base.leftOut)
        this.leftOut.set(what, (this.leftOut.get(what) ?? 0) + seconds);
    }
  }

  /** The record with the program that it is of. */
  complete(record: SearchRecord): SearchRecord {
    const [first] = this.windows;
    const notices = [...this.notices, ...this.conditions, ...record.notices];
    if (first === undefined) return { ...record, notices };
    const threads = [...this.threads.values()];
    const seconds = threads.reduce((sum, thread) => sum + thread.seconds, 0);
    const leftOut = [...this.leftOut].map(([what, own]) => ({ what, seconds: own }));
    const base: Base = { ...first.values.base, seconds, leftOut };
    const metrics = new Map(record.hypotheses.map(({ id, metric }) => [id, metric]));
    const nodes = record.nodes.map((node) => {
      const metric = node.truth === 'true' ? metrics.get(node.hypothesis) : undefined;
      return metric === undefined ? node : { ...node, ...present({ ranks: this.lateRanks(node, metric) }) };
    });
    const codes = distinctPaths(nodes.map(({ focus }) => focus.Code));
    const functions = codes.flatMap((code) => this.code.functionOf(code) ?? []);
    return { ...record, nodes, notices, program: { base, threads, functions } };
  }

  /** How the machine was so far. */
  private get conditions(): readonly SearchNotice[] {
    const preempted = shareOf(this.preemptedSeconds, { seconds: this.wallSeconds });
    if (!(preempted >= loadedShare)) return [];
    const message = `Threads were pre-empted for ${formatPercent(preempted)} of the time by the wall clock. ${whatPreemptionMeans}`;
    return [{ time: 0, message }];
  }

  private lateRanks({ focus }: SearchNode, metric: string): readonly number[] | undefined {
    const key = focus.Code.length === 0 ? undefined : this.code.names.keyOf(focus.Code);
    for (const window of this.windows) {
      const ranks = window.lateRanks({ metric, focus, key });
      if (ranks !== undefined && ranks.length > 0) return ranks;
    }
    return undefined;
  }
}
