import type { Configuration, Member, Role } from '../control/configuration';
import type { Hello, UpMessage } from '../control/messages';
import { frameKinds, jsonFrame } from '../packets/frame';
import { parentOrder } from './parentChoice';
import type { Address, Link, Surroundings } from './surroundings';
import { View } from './view';

/** A child waits this long until an epoch names it as a child of the process that it has asked, then asks another one. */
const patienceMilliseconds = 1000;
const pauseMilliseconds = 200;
/** An orphan asks each candidate this often. When none answers, the front end included, the network has ended. */
const mostRounds = 3;

export interface ParentLinkHooks {
  /** What this process has below. */
  children(): readonly (readonly [rank: number, attempt: number])[];
}

export interface Self {
  readonly rank: number;
  readonly role: Exclude<Role, 'front-end'>;
  readonly host: string;
  readonly port: number;
}

/** The connection to the parent, and the search for another one when it breaks (specification §2.10). */
export class ParentLink {
  private link: Link | undefined;
  private target: Address | undefined;
  private root: Address | undefined;
  private queue: Address[] = [];
  private rounds = 0;
  private attempt = 0;
  private members: readonly Member[] = [];
  private stopPatience: (() => void) | undefined;
  private hasEnded = false;
  /** Whether the present epoch has this process as a child of the one that it is connected to. */
  isAttached = false;

  constructor(
    private readonly self: Self,
    private readonly surroundings: Surroundings,
    private readonly hooks: ParentLinkHooks,
  ) {}

  /** Whether somebody could be accepted as a child: there is a way to the front end, or one was never lost. */
  get acceptsChildren(): boolean {
    return this.link !== undefined && (this.isAttached || this.members.length === 0);
  }

  /** @param root the front end: the one to ask when nothing else is known */
  start(first: Address, root: Address): void {
    this.root = root;
    this.queue = [first];
    this.next();
  }

  opened(link: Link): void {
    if (this.hasEnded) {
      link.close();
      return;
    }
    this.link = link;
    // At the start the network may take its time; later others are there to be asked.
    if (this.members.length > 0)
      this.stopPatience = this.surroundings.after(patienceMilliseconds, () => this.moveOn());
  }

  refused(): void {
    this.next();
  }

  /** @param link the one that has ended */
  closed(link: Link): void {
    if (link !== this.link) return;
    this.drop();
    if (this.hasEnded) return;
    // One that was only asked is not lost: the next one is.
    if (this.isAttached || this.members.length === 0) {
      this.isAttached = false;
      this.rounds = 0;
      this.queue = [...this.candidates()];
    }
    this.next();
  }

  /** @returns whether this process belongs to the epoch */
  configured({ members }: Configuration): boolean {
    const me = members.find(({ rank }) => rank === this.self.rank);
    if (me?.state !== 'up' || me.parent !== this.target?.rank || me.attempt !== this.attempt) return false;
    this.members = members;
    this.isAttached = true;
    this.rounds = 0;
    this.stopPatience?.();
    return true;
  }

  /** Frames are lost while there is no parent: what matters is sent again when there is one. */
  send(bytes: Buffer, from?: number, to?: number): void {
    this.link?.send(bytes, from, to);
  }

  control(message: UpMessage): void {
    this.send(jsonFrame(frameKinds.control, message));
  }

  /** Ends the connection on purpose, and looks for no other one. */
  close(): void {
    this.hasEnded = true;
    this.stopPatience?.();
    this.link?.close();
    this.link = undefined;
  }

  private moveOn(): void {
    this.control({ kind: 'leaving', how: 'moved' });
    const { link } = this;
    this.drop();
    link?.close();
    this.next();
  }

  private drop(): void {
    this.stopPatience?.();
    this.link = undefined;
  }

  private next(): void {
    if (this.hasEnded) return;
    this.target = this.queue.shift();
    if (this.target !== undefined) {
      this.attempt++;
      this.surroundings.connect(this.target, this.hello());
    } else if (++this.rounds < mostRounds) {
      this.surroundings.after(pauseMilliseconds, () => {
        this.queue = [...this.candidates()];
        this.next();
      });
    } else {
      this.hasEnded = true;
      this.surroundings.ended('No process of the network can be reached any more.');
    }
  }

  private hello(): Hello {
    return { ...this.self, attempt: this.attempt, children: this.hooks.children() };
  }

  private candidates(): readonly Address[] {
    if (this.members.length === 0) return this.root === undefined ? [] : [this.root];
    const { rank } = this.self;
    const view = new View({ epoch: 0, members: this.members, streams: [] }, rank);
    const lost = view.member(rank)?.parent ?? rank;
    const possible = this.members.filter(
      (member) =>
        member.role === 'front-end' ||
        (member.role === 'inner' &&
          member.state === 'up' &&
          !view.isWithin(member.rank, lost) &&
          !view.isWithin(member.rank, rank)),
    );
    const ranks = possible.map((member) => member.rank);
    const order = parentOrder(rank, ranks, this.members);
    return [...new Set([...order, ...ranks])].flatMap((candidate) => {
      const member = possible.find((one) => one.rank === candidate);
      return member === undefined ? [] : { rank: member.rank, host: member.host, port: member.port };
    });
  }
}
