import type { StackSample } from '../../../core/diagnosis/deepStart/functionCountGraph';
import type { LiveWindow } from '../../../core/diagnosis/live/liveWindow';
import { SearchedSeat } from '../../../core/diagnosis/live/searchedSeat';
import { pathKey } from '../../../core/diagnosis/resources/pathKey';
import { largestCost } from '../../../core/diagnosis/search/largestCost';
import { slowDown } from '../../../core/diagnosis/search/costThrottle';
import type { SearchRecord } from '../../../core/diagnosis/search/searchRecord';
import type { AgentPlace } from '../../../core/diagnosis/strategies/agent';
import { FrontEnd } from '../../../core/diagnosis/strategies/frontEnd';
import { mergedRecord } from '../../../core/diagnosis/strategies/mergedRecord';
import type { SearchStart, ToAgent, ToFrontEnd } from '../../../core/diagnosis/strategies/messages';
import { present } from '../../../core/present';
import { Reduction } from '../../../core/diagnosis/strategies/reduction';
import { TimeAligned } from '../../../overlay/services/timeAligned';
import type { ProcessCosts } from './recording';
import { searchedProgram, type SearchedProgramOptions } from './searchedProgram';
import { windowSeconds, type LiveDiagnosisSettings } from './settings';

export interface LiveSearchOptions extends SearchedProgramOptions {
  readonly settings: LiveDiagnosisSettings;
  /** Name of the run. */
  readonly run: string;
  /** The agent beside the processes of a host; undefined: they are searched here. */
  readonly remote?: (place: AgentPlace, start: SearchStart) => RemoteSeat | undefined;
}

/** An agent on another host, as the front end sees it. What it answers goes to `LiveSearch.answered`. */
export interface RemoteSeat {
  receive(message: ToAgent): void;
  /** What it has sent last of its search. */
  readonly record: SearchRecord | undefined;
}

interface Seat {
  readonly place: AgentPlace;
  /** Of an agent in this process. */
  readonly searched?: SearchedSeat;
  readonly remote?: RemoteSeat;
}

/** What was true becomes false after so many times as long: with the usual 5 s, after Paradyn's 20 s. */
const doubtedFor = 4;
/** Share of the limit that the front end leaves to what agents have not reported. */
const margin = 0.1;
/** Bytes of samples that are stored for later requests, per agent. */
const storedBytes = 1 << 20;
/** Rounds of messages and answers in one step; more would be a search that asks without end. */
const mostRounds = 10_000;

/**
 * The search in a program that runs: the front end and, for a centralised search, one agent that sees all processes, else one for each host, in this process or on its
 * host. Windows of what was recorded go in; the functions to record come out.
 */
export class LiveSearch {
  /** Hosts of the program. */
  readonly allHosts: readonly string[];
  private readonly frontEnd: FrontEnd;
  private readonly start: SearchStart;
  private readonly seats: readonly Seat[];
  private readonly reduction: Reduction | undefined;
  private orders: { readonly message: ToAgent; readonly host?: string }[] = [];
  private answers: (readonly [seat: number, message: ToFrontEnd])[] = [];
  private now = 0;
  /** Positions of the agents that were lost. What comes of them later does not count. */
  private readonly lostSeats = new Set<number>();

  constructor(options: LiveSearchOptions) {
    const { settings, run, machine } = options;
    const { strategy, hypotheses, costLimit, concludeAfter, deepStart } = settings;
    this.start = {
      ...{ strategy, run, clock: 'wall', hypotheses, storedBytes },
      rules: {
        minTimeToTrue: concludeAfter,
        minTimeToFalse: concludeAfter,
        minTimeFromTrue: doubtedFor * concludeAfter,
      },
      costLimit: slowDown(costLimit),
      isBorrowing: true,
      measuresHosts: true,
      margin: margin * costLimit,
      reportsInUse: 2,
      samplingInterval: windowSeconds,
      ...(deepStart !== undefined && { deepStart }),
    };
    const places = placesOf(machine);
    this.allHosts = places.map(({ host }) => host);
    const program = searchedProgram(options);
    this.frontEnd = new FrontEnd(this.start, places, program, {
      down: (message, host) => void this.orders.push({ message, ...(host !== undefined && { host }) }),
    });
    this.seats = (strategy === 'centralised' ? [wholeOf(places)] : places).map((place, position) => {
      const remote = place.isWhole === true ? undefined : options.remote?.(place, this.start);
      if (remote !== undefined) return { place, remote };
      const up = (message: ToFrontEnd): void => void this.answers.push([position, message]);
      const { code } = options;
      return { place, searched: new SearchedSeat({ start: this.start, place, program, code, machine, up }) };
    });
    if (this.seats.length > 1)
      this.reduction = new Reduction(this.seats.keys(), windowSeconds, (children, from) => {
        const intervals = { kind: 'earliest-end' } as const;
        return new TimeAligned({ children, intervals, operation: 'mean', quantity: 'level', start: from });
      });
    this.frontEnd.begin();
    this.exchange();
  }

  /** Hosts whose processes an agent in this process sees; one that sees all has none. */
  get hosts(): readonly (string | undefined)[] {
    const here = this.seats.filter(({ searched }) => searched !== undefined);
    return here.map(({ place }) => (place.isWhole === true ? undefined : place.host));
  }

  /** Keys of the functions that must be recorded from now on. */
  get wanted(): ReadonlySet<string> {
    return new Set(this.seats.flatMap(({ searched }) => [...(searched?.wanted ?? [])]));
  }

  get state(): SearchRecord['state'] {
    return this.frontEnd.state;
  }

  /** How often anything was concluded, by the front end and all agents. */
  get conclusions(): number {
    const ofRecord = (nodes: SearchRecord['nodes'] = []): number =>
      nodes.reduce((sum, { conclusions }) => sum + conclusions.length, 0);
    return this.seats.reduce(
      (sum, { searched, remote }) => sum + (searched?.agent.conclusions ?? ofRecord(remote?.record?.nodes)),
      this.frontEnd.conclusions,
    );
  }

  /** Of the front end and all agents. */
  get record(): SearchRecord {
    const [own, ...others] = [
      this.frontEnd.record,
      ...this.seats.map(({ searched, remote }, position) => {
        const record = searched?.agent.record ?? remote?.record;
        return record !== undefined && this.lostSeats.has(position) ? staleOf(record) : record;
      }),
    ].filter((record) => record !== undefined);
    // The agent of a centralised search knows what it costs, and has no record.
    const cost = largestCost(this.seats.map(({ searched }) => searched?.agent.largestCost));
    const known = { ...(own ?? this.empty), ...present({ largestCost: cost }) };
    return { ...mergedRecord(known, others), state: this.state };
  }

  /** What an agent on another host has answered. */
  answered(host: string, message: ToFrontEnd): void {
    const position = this.seats.findIndex(({ place, remote }) => remote !== undefined && place.host === host);
    if (position < 0) return;
    this.answers.push([position, message]);
    this.exchange();
  }

  /**
   * @param windows of each agent's processes, in the order of `hosts`, all of the same time; undefined: none could be asked
   * @param time when they end, in seconds since the search began
   * @param tooDear functions that must not be recorded any more, by key, and why
   */
  take(
    time: number,
    windows: readonly (LiveWindow | undefined)[],
    costs: ProcessCosts,
    stacks: readonly StackSample[],
    tooDear: ReadonlyMap<string, string> = new Map(),
  ): void {
    this.now = time;
    const here = this.seats.filter(({ searched }) => searched !== undefined);
    here.forEach(({ place, searched }, position) => {
      const window = windows[position];
      if (window === undefined || searched === undefined) return;
      const own = stacks.filter(({ machine: [host] }) => place.isWhole === true || host === place.host);
      const shares = place.processes.map((process) => costs.get(process) ?? 0);
      searched.take(window, shares, own, tooDear);
    });
    this.exchange();
    this.frontEnd.tick(this.now);
    this.exchange();
  }

  /** Changes by the user. */
  control(message: Extract<ToAgent, { readonly type: 'threshold' | 'pause' | 'resume' | 'stop' }>): void {
    this.frontEnd.control(this.now, message);
    this.exchange();
  }

  /** The processes of a host are watched no longer. */
  lost(host: string): void {
    this.frontEnd.lost(this.now, host);
    const position = this.seats.findIndex(({ place }) => place.host === host && place.isWhole !== true);
    if (position >= 0) this.lostSeats.add(position);
    for (const message of position < 0 ? [] : (this.reduction?.leave(position) ?? []))
      this.frontEnd.receive(this.now, message);
    this.exchange();
  }

  /** The program has ended. */
  end(): void {
    for (const { searched } of this.seats) searched?.end(this.now);
    this.exchange();
    this.frontEnd.end(this.now);
  }

  /** Before any agent of a truly distributed search has reported. */
  private get empty(): SearchRecord {
    const { strategy, run, clock, costLimit, hypotheses, deepStart } = this.start;
    const about = { strategy, run, clock, costLimit, deepStart: deepStart !== undefined };
    return { ...about, end: this.now, state: this.state, hypotheses, nodes: [], notices: [] };
  }

  private exchange(): void {
    for (let round = 0; round < mostRounds && this.orders.length + this.answers.length > 0; round++) {
      const { orders, answers } = this;
      this.orders = [];
      this.answers = [];
      for (const { message, host } of orders) this.order(message, host);
      for (const [seat, message] of answers.filter(([own]) => !this.lostSeats.has(own)))
        for (const reduced of this.reduction?.push(seat, message) ?? [message])
          this.frontEnd.receive(this.now, reduced);
      for (const reduced of this.reduction?.take() ?? []) this.frontEnd.receive(this.now, reduced);
    }
  }

  private order(message: ToAgent, host: string | undefined): void {
    if (message.type === 'disable') this.reduction?.disabled(message.request);
    for (const { place, searched, remote } of this.seats)
      if (host === undefined || place.isWhole === true || place.host === host) {
        searched?.receive(this.now, message);
        remote?.receive(message);
      }
  }
}

/** What an agent that was lost had concluded is of an earlier time. */
function staleOf(record: SearchRecord): SearchRecord {
  return { ...record, nodes: record.nodes.map((node) => ({ ...node, stale: true })) };
}

function placesOf(machine: LiveSearchOptions['machine']): readonly AgentPlace[] {
  let firstProcess = 0;
  return (machine.get(pathKey([])) ?? []).map((host, hostNumber) => {
    const processes = machine.get(pathKey([host])) ?? [];
    const place = { host, hostNumber, firstProcess, processes };
    firstProcess += processes.length;
    return place;
  });
}

function wholeOf(places: readonly AgentPlace[]): AgentPlace {
  const processes = places.flatMap((place) => place.processes);
  return { host: '', hostNumber: 0, firstProcess: 0, processes, isWhole: true };
}
