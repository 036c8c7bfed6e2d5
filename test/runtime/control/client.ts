import { closeSync, openSync, readdirSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { at } from '../../../src/core/at';
import { FrameReader } from '../../../src/formats/control/frames';
import {
  decodeMessage,
  type ControlMessage,
  type IterationNode,
  type Values,
  type WatchedCommunicator,
  type WatchedPath,
  type WatchedRegion,
  type WatchedThread,
} from '../../../src/formats/control/messages';
import { encodeRequest, type ControlRequest } from '../../../src/formats/control/requests';

export type Message<Kind extends ControlMessage['kind']> = Extract<ControlMessage, { readonly kind: Kind }>;

/** Connects to a socket in a folder with a path of any length. */
export function connectIn(folder: string, name: string): Promise<net.Socket> {
  const descriptor = openSync(folder, 'r');
  return new Promise((resolve, reject) => {
    const socket = net.connect(`/proc/self/fd/${descriptor}/${name}`);
    const failed = (error: Error): void => {
      closeSync(descriptor);
      reject(error);
    };
    socket.once('error', failed);
    socket.once('connect', () => {
      socket.off('error', failed);
      closeSync(descriptor);
      resolve(socket);
    });
  });
}

/** Waits until a process (of this pid, if one is given, and not of another one) can be watched, and returns the name of its socket. */
export async function socketIn(folder: string, pid?: number, not?: number): Promise<string> {
  for (let attempt = 0; attempt < 3000; attempt++) {
    const name = readdirSync(folder).find(
      (file) => file.endsWith(`${pid ?? ''}.control`) && !file.endsWith(`.${not}.control`),
    );
    if (name !== undefined) return name;
    await pause(10);
  }
  throw new Error(`no process in ${folder} can be watched`);
}

/** A client that checks everything that arrives, and keeps the definitions. */
export class Watcher {
  readonly threads: WatchedThread[] = [];
  readonly regions: WatchedRegion[] = [];
  readonly paths: WatchedPath[] = [];
  readonly nodes: IterationNode[] = [];
  readonly communicators: WatchedCommunicator[] = [];
  readonly inbox: ControlMessage[] = [];
  /** What was not as it should be. */
  readonly mistakes: unknown[] = [];
  closed = false;
  private serial = 0;
  private readonly reader = new FrameReader();
  private waiting: (() => void)[] = [];

  private constructor(readonly socket: net.Socket) {
    socket.on('data', (bytes) => {
      try {
        for (const frame of this.reader.push(bytes)) this.take(decodeMessage(frame));
      } catch (error) {
        this.mistakes.push(error);
        socket.destroy();
      }
      this.wake();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.closed = true;
      this.wake();
    });
  }

  static async open(folder: string, token: string, pid?: number, not?: number): Promise<Watcher> {
    const watcher = new Watcher(await connectIn(folder, await socketIn(folder, pid, not)));
    await watcher.ask({ kind: 'hello', token });
    return watcher;
  }

  private wake(): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const resolve of waiting) resolve();
  }

  private take(message: ControlMessage | undefined): void {
    if (message === undefined) throw new Error('a message of an unknown type');
    const defined = <Item>(list: Item[], items: readonly Item[], first: number): void => {
      if (first !== list.length + 1)
        throw new Error(`definitions begin at ${first} and not at ${list.length + 1}`);
      list.push(...items);
    };
    if (message.kind === 'threads') this.threads.push(...message.threads);
    else if (message.kind === 'regions') this.regions.push(...message.regions);
    else if (message.kind === 'communicator') this.communicators.push(message);
    else if (message.kind === 'paths') defined(this.paths, message.paths, message.first);
    else if (message.kind === 'nodes') defined(this.nodes, message.nodes, message.first);
    else this.inbox.push(message);
  }

  /** Waits for the first message that fits, and takes it out of the inbox; undefined when the connection ends before. */
  async next(fits: (message: ControlMessage) => boolean): Promise<ControlMessage | undefined> {
    for (;;) {
      const position = this.inbox.findIndex(fits);
      if (position >= 0) return this.inbox.splice(position, 1)[0];
      if (this.closed) return undefined;
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  async nextOf<Kind extends ControlMessage['kind']>(kind: Kind): Promise<Message<Kind>> {
    const message = await this.next((candidate) => candidate.kind === kind);
    if (message === undefined) throw new Error(`the connection ended before a message "${kind}"`);
    return message as Message<Kind>;
  }

  send(request: ControlRequest): number {
    this.socket.write(encodeRequest(request, ++this.serial));
    return this.serial;
  }

  /** Lets a suspended program go on to the end of its next iteration. */
  step(): void {
    const requests = [false, true].map((on) => encodeRequest({ kind: 'suspend', on }, ++this.serial));
    this.socket.write(Buffer.concat(requests));
  }

  /** The first answer to a request. */
  async ask(request: ControlRequest): Promise<ControlMessage> {
    const serial = this.send(request);
    const answer = await this.next((message) => 'serial' in message && message.serial === serial);
    if (answer === undefined) throw new Error(`the connection ended before the answer to "${request.kind}"`);
    return answer;
  }

  async switch(slots: readonly number[], on: boolean): Promise<Message<'switched'>> {
    const answer = await this.ask({ kind: 'switch', slots: slots.map((slot) => ({ slot, on })) });
    if (answer.kind !== 'switched') throw new Error(JSON.stringify(answer));
    return answer;
  }

  async state(): Promise<Message<'state'>> {
    return (await this.ask({ kind: 'state' })) as Message<'state'>;
  }

  async counters(
    of: 'paths' | 'functions' = 'functions',
    perThread = false,
    differences = false,
  ): Promise<readonly Values[]> {
    const serial = this.send({ kind: 'counters', of, perThread, differences });
    const parts: Values[] = [];
    for (;;) {
      const part = await this.next((message) => 'serial' in message && message.serial === serial);
      if (part?.kind !== 'values') throw new Error(`no values: ${JSON.stringify(part)}`);
      parts.push(part);
      if (!part.hasMore) return parts;
    }
  }

  /** Visits by slot; those that were only counted belong to the slot as well. */
  visitsBySlot(values: readonly Values[]): ReadonlyMap<number, number> {
    const sums = new Map<number, number>();
    for (const part of values)
      part.path.forEach((path, i) => {
        const slot = at(this.paths, path - 1).slot & 0x7fff_ffff;
        sums.set(slot, (sums.get(slot) ?? 0) + at(part.visits, i));
      });
    return sums;
  }

  async close(): Promise<void> {
    this.socket.destroy();
    while (!this.closed) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }
}

export const longFolder = (base: string): string => path.join(base, 'x'.repeat(120));
