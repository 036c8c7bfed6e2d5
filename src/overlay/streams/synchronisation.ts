import { at } from '../../core/at';
import type { SynchronisationRule } from '../filters/synchronisationRule';
import type { StreamFrame } from '../packets/frame';

/** Called with the frames of a wave, in the order of the children: at most one of each, but in batches. */
export type Release = (wave: readonly StreamFrame[]) => void;

/** A timer of the process; gives what stops it. */
export type After = (milliseconds: number, call: () => void) => () => void;

export interface Synchronisation {
  /** @param child its place in the order of the children */
  push(child: number, frame: StreamFrame): void;
  /** Drops what waits. */
  close(): void;
}

export function synchronisation(
  rule: SynchronisationRule,
  children: number,
  release: Release,
  after: After,
): Synchronisation {
  if (rule.kind === 'all') return new WaitForAll(children, release);
  if (rule.kind === 'timeout' && rule.milliseconds > 0)
    return new Timeout(rule.milliseconds, children, release, after);
  if (rule.kind === 'batch') return new Batch(rule.milliseconds, rule.packets, release, after);
  return { push: (_, frame) => release([frame]), close: () => undefined };
}

/** Frames that wait, per child, in the order in which they came. */
class WaitForAll implements Synchronisation {
  private readonly queues: Queue[];
  /** Children with something in their queue. */
  private filled = 0;

  constructor(
    children: number,
    private readonly release: Release,
  ) {
    this.queues = Array.from({ length: children }, () => new Queue());
  }

  get isEmpty(): boolean {
    return this.filled === 0;
  }

  push(child: number, frame: StreamFrame): void {
    const queue = at(this.queues, child);
    if (queue.length === 0) this.filled++;
    queue.push(frame);
    while (this.filled === this.queues.length) this.releaseFirst();
  }

  /** The first of each child that has one. */
  releaseFirst(): void {
    const wave: StreamFrame[] = [];
    for (const queue of this.queues) {
      const frame = queue.shift();
      if (frame === undefined) continue;
      if (queue.length === 0) this.filled--;
      wave.push(frame);
    }
    this.release(wave);
  }

  close(): void {
    for (const queue of this.queues) queue.clear();
    this.filled = 0;
  }
}

class Timeout implements Synchronisation {
  private readonly waiting: WaitForAll;
  private stop: (() => void) | undefined;

  constructor(
    private readonly milliseconds: number,
    children: number,
    release: Release,
    private readonly after: After,
  ) {
    this.waiting = new WaitForAll(children, (wave) => {
      this.disarm();
      release(wave);
    });
  }

  push(child: number, frame: StreamFrame): void {
    this.waiting.push(child, frame);
    this.arm();
  }

  close(): void {
    this.disarm();
    this.waiting.close();
  }

  private arm(): void {
    if (this.waiting.isEmpty) return;
    this.stop ??= this.after(this.milliseconds, () => {
      this.stop = undefined;
      this.waiting.releaseFirst();
      this.arm();
    });
  }

  private disarm(): void {
    this.stop?.();
    this.stop = undefined;
  }
}

class Batch implements Synchronisation {
  private waiting: (readonly [child: number, frame: StreamFrame])[] = [];
  private stop: (() => void) | undefined;

  constructor(
    private readonly milliseconds: number,
    private readonly packets: number,
    private readonly release: Release,
    private readonly after: After,
  ) {}

  push(child: number, frame: StreamFrame): void {
    this.waiting.push([child, frame]);
    if (this.waiting.length >= this.packets) this.releaseAll();
    else this.stop ??= this.after(this.milliseconds, () => this.releaseAll());
  }

  close(): void {
    this.stop?.();
    this.stop = undefined;
    this.waiting = [];
  }

  private releaseAll(): void {
    const { waiting } = this;
    this.close();
    this.release(waiting.sort(([a], [b]) => a - b).map(([, frame]) => frame));
  }
}

/** First in, first out, without moving the rest at each step. */
class Queue {
  private frames: (StreamFrame | undefined)[] = [];
  private head = 0;

  get length(): number {
    return this.frames.length - this.head;
  }

  push(frame: StreamFrame): void {
    this.frames.push(frame);
  }

  shift(): StreamFrame | undefined {
    if (this.head === this.frames.length) return undefined;
    const frame = this.frames[this.head];
    this.frames[this.head++] = undefined;
    if (this.head === this.frames.length) this.clear();
    else if (this.head > 1024 && this.head * 2 > this.frames.length) {
      this.frames = this.frames.slice(this.head);
      this.head = 0;
    }
    return frame;
  }

  clear(): void {
    this.frames = [];
    this.head = 0;
  }
}
