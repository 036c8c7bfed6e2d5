import { getOrMake } from '../../../core/getOrMake';
import type { AgentPlace } from '../../../core/diagnosis/strategies/agent';
import type { SearchRecord } from '../../../core/diagnosis/search/searchRecord';
import type { SearchStart, ToFrontEnd } from '../../../core/diagnosis/strategies/messages';
import type { RemoteSeat } from './liveSearch';
import { readReport, type SearchOrder, type SearchReport } from './searchMessages';

/** A stream to agents, see `RunProcesses.search`. */
interface Stream {
  readonly hosts: readonly string[];
  readonly send: (order: string) => void;
}

export interface RemoteAgentsOptions {
  /** @param onReport receives what agents report @param onLost of hosts whose agent was lost */
  readonly open: (onReport: (text: string) => void, onLost: (host: string) => void) => Stream | undefined;
  readonly onAnswer: (host: string, message: ToFrontEnd) => void;
  /** Functions that nobody else recorded, and that nobody records any more; by key. */
  readonly onSwitched: (on: readonly string[], off: readonly string[]) => void;
  /** @param why unless the agent was lost, which is said elsewhere */
  readonly onLost: (host: string, why?: string) => void;
}

/** The agents of a search that are beside their processes on other hosts, as the front end sees them. */
export class RemoteAgents {
  private readonly stream: Stream | undefined;
  private readonly records = new Map<string, SearchRecord>();
  /** Hosts that record a function for the search, by its key. */
  private readonly recording = new Map<string, Set<string>>();

  constructor(private readonly options: RemoteAgentsOptions) {
    this.stream = options.open(
      (text) => this.take(text),
      (host) => options.onLost(host),
    );
  }

  get hasAny(): boolean {
    return (this.stream?.hosts.length ?? 0) > 0;
  }

  /** Whether an agent is on a host. */
  isOn(host: string): boolean {
    return this.stream?.hosts.includes(host) ?? false;
  }

  isRecorded(key: string): boolean {
    return (this.recording.get(key)?.size ?? 0) > 0;
  }

  /** The agent of a host begins to search. */
  seat(
    place: AgentPlace,
    start: SearchStart,
    known: Omit<Extract<SearchOrder, { readonly kind: 'begin' }>, 'kind' | 'place' | 'start'>,
  ): RemoteSeat {
    this.send({ kind: 'begin', start, place, ...known });
    const { records } = this;
    return {
      receive: (message) => {
        // It was sent with the place.
        if (message.type !== 'start') this.send({ kind: 'order', host: place.host, message });
      },
      get record() {
        return records.get(place.host);
      },
    };
  }

  private send(order: SearchOrder): void {
    this.stream?.send(JSON.stringify(order));
  }

  private take(text: string): void {
    const report = readReport(text);
    if (report === undefined) return;
    switch (report.kind) {
      case 'answer':
        this.options.onAnswer(report.host, report.message);
        break;
      case 'record':
        this.records.set(report.host, report.record);
        break;
      case 'switched':
        this.switched(report);
        break;
      case 'failed':
        this.options.onLost(report.host, report.message);
        break;
    }
  }

  private switched({ host, on, off }: Extract<SearchReport, { readonly kind: 'switched' }>): void {
    const first = on.filter((key) => !this.isRecorded(key));
    for (const key of on) getOrMake(this.recording, key, () => new Set<string>()).add(host);
    for (const key of off) this.recording.get(key)?.delete(host);
    this.options.onSwitched(
      first,
      off.filter((key) => !this.isRecorded(key)),
    );
  }
}
