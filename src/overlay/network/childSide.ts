import type { Hello } from '../control/messages';
import type { FilterClass } from '../filters/filter';
import type { ParentLink } from '../members/parentLink';
import type { Address, Surroundings } from '../members/surroundings';
import type { OverlayError } from '../packets/overlayError';
import { beatsPerSilence, type Connection, type Traffic } from './connection';
import { dial } from './dial';
import { loadFilterModule } from './loadFilterModule';
import { hostClock, loadMilliseconds, ownLoad } from './ownLoad';

/** A process that has a parent. */
export interface Child {
  readonly parent: Pick<ParentLink, 'opened' | 'refused' | 'closed'>;
  fromParent(bytes: Buffer, from: number, to: number): void;
  problem(error: OverlayError): void;
  reportLoad(row: readonly number[]): void;
  /** Of a process with children. */
  probeClocks?(): void;
}

export interface ChildSideOptions {
  readonly token: string;
  /** A neighbour that is silent for longer is lost. */
  readonly silenceMilliseconds: number;
  /** JSON of the tree, when the parent gives it. */
  readonly layout: (layout: string) => void;
  /** The queue to the parent is too long, or has become short. */
  readonly full: (isFull: boolean) => void;
  /** Connections that must show that they live, besides that to the parent. */
  readonly others: () => Iterable<Connection>;
  readonly ended: (why: string) => void;
}

/** The world of a process with a parent: sockets, timers, modules. */
export class ChildSide implements Surroundings {
  connection: Connection | undefined;
  private timers: readonly NodeJS.Timeout[] = [];
  private hasEnded = false;

  constructor(
    private readonly child: () => Child,
    private readonly traffic: Traffic,
    private readonly options: ChildSideOptions,
  ) {}

  readonly after = (milliseconds: number, call: () => void): (() => void) => {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  };

  readonly now = hostClock;

  readonly load = (module: string, name: string): Promise<FilterClass> => loadFilterModule(module, name);

  connect(to: Address, hello: Hello): void {
    const { layout, full } = this.options;
    if (this.timers.length === 0) this.timers = this.startTimers();
    dial(to, hello, this.options.token, this.traffic, {
      opened: (connection, tree) => {
        this.connection = connection;
        this.child().parent.opened(connection);
        if (tree !== '') layout(tree);
      },
      refused: () => this.child().parent.refused(),
      problem: (error) => this.child().problem(error),
      frame: (bytes, from, end) => this.child().fromParent(bytes, from, end),
      closed: (connection) => {
        if (this.connection === connection) this.connection = undefined;
        this.child().parent.closed(connection);
      },
      full,
    });
  }

  ended(why: string): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    for (const timer of this.timers) clearInterval(timer);
    this.options.ended(why);
  }

  private startTimers(): readonly NodeJS.Timeout[] {
    const { silenceMilliseconds, others } = this.options;
    const beat = (): void => {
      const now = performance.now();
      this.connection?.beat(now, silenceMilliseconds);
      for (const connection of others()) connection.beat(now, silenceMilliseconds);
    };
    return [
      setInterval(beat, silenceMilliseconds / beatsPerSilence),
      setInterval(() => {
        this.child().reportLoad(ownLoad(this.traffic));
        this.child().probeClocks?.();
      }, loadMilliseconds),
    ];
  }
}
