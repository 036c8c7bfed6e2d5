import { assertNever } from '../../errors';
import { getOrMake } from '../../getOrMake';
import { CostMaxima } from '../budget/costReport';
import { compose, type Folding } from '../folding/folding';
import { DiscoveryQueue } from './discoveryQueue';
import type { ToFrontEnd } from './messages';

type Message<Type extends ToFrontEnd['type']> = Extract<ToFrontEnd, { readonly type: Type }>;

/** A sample of a level over [start, end) that stands for `weight` processes, of which `coverage` (0…1) have data. */
export interface ReducedSample {
  readonly value: number;
  readonly start: number;
  readonly end: number;
  readonly weight?: number;
  readonly coverage?: number;
}

/** Brings samples of several children over the same intervals, for one request: `TimeAligned` of the overlay does. */
export interface SampleAlignment {
  readonly push: (child: number, sample: ReducedSample) => readonly ReducedSample[];
  readonly leave: (child: number) => readonly ReducedSample[];
}

/** The children that have to answer a request. */
interface Replies {
  readonly waiting: Set<number>;
  accepted: number;
  failures: Message<'reply'>['failures'];
}

/**
 * What happens to messages on their way up, in each process of the tree that has children: one message for all children where each has sent one
 * ([D 5.2.1], specification 5.7). The state of a filter: it knows no clock and no connection.
 */
export class Reduction {
  private readonly children: Set<number>;
  private readonly maxima = new CostMaxima();
  private readonly replies = new Map<number, Replies>();
  private readonly samples = new Map<number, SampleAlignment>();
  private readonly steady = new Set<number>();
  private wasSteady: boolean | undefined;
  private readonly costs = new Set<number>();
  private readonly discoveries: DiscoveryQueue;
  private change: Folding | undefined;

  /**
   * @param interval seconds between two calls of `take`
   * @param align makes the alignment of samples of the children, from a time on
   */
  constructor(
    children: Iterable<number>,
    interval: number,
    private readonly align: (children: readonly number[], start: number) => SampleAlignment,
  ) {
    this.children = new Set(children);
    this.discoveries = new DiscoveryQueue(interval);
  }

  push(child: number, message: ToFrontEnd): readonly ToFrontEnd[] {
    switch (message.type) {
      case 'sample':
        return this.sample(child, message);
      case 'reply':
        return this.reply(child, message);
      case 'cost':
        this.maxima.update(child, message.cost);
        this.costs.add(child);
        return this.allCosts();
      case 'results':
        this.change = this.change === undefined ? message.change : compose(this.change, message.change);
        return [];
      case 'steady':
        if (message.isSteady) this.steady.add(child);
        else this.steady.delete(child);
        return this.allSteady();
      case 'stacks':
      case 'deferred':
        return [message];
      case 'resource':
      case 'call':
        this.discoveries.add(message);
        return [];
      default:
        return assertNever(message);
    }
  }

  /** What has gathered since the last call: the changes of results as one. To be called in each sampling interval. */
  take(): readonly ToFrontEnd[] {
    const { change } = this;
    this.change = undefined;
    const discoveries = this.discoveries.take();
    return change === undefined ? discoveries : [...discoveries, { type: 'results', change }];
  }

  /** A request is no longer measured. */
  disabled(request: number): void {
    this.samples.delete(request);
    this.replies.delete(request);
  }

  /** A child is lost: nothing waits for it any more. */
  leave(child: number): readonly ToFrontEnd[] {
    this.children.delete(child);
    this.maxima.leave(child);
    this.steady.delete(child);
    this.costs.delete(child);
    const released = [...this.samples].flatMap(([request, alignment]) =>
      this.passedOn(request, alignment.leave(child)),
    );
    const answered = [...this.replies].flatMap(([request, replies]) => {
      replies.waiting.delete(child);
      return this.answer(request, replies);
    });
    return [...released, ...answered, ...this.allCosts(), ...this.allSteady()];
  }

  private sample(child: number, message: Message<'sample'>): readonly ToFrontEnd[] {
    const { request, isGlobal, value, start, end, processes, cost } = message;
    const largest = this.maxima.update(child, cost);
    if (!isGlobal) return [{ ...message, cost: largest }];
    const alignment = getOrMake(this.samples, request, () => this.align([...this.children], start));
    return this.passedOn(request, alignment.push(child, { value, start, end, weight: processes }));
  }

  /** Intervals of which not all processes have data are not of the whole program. */
  private passedOn(request: number, samples: readonly ReducedSample[]): readonly ToFrontEnd[] {
    const cost = this.maxima.largest();
    return samples
      .filter(({ coverage = 1 }) => coverage > 1 - 1e-6)
      .map(({ value, start, end, weight = 1 }) => ({
        type: 'sample',
        request,
        isGlobal: true,
        value,
        start,
        end,
        processes: weight,
        cost,
      }));
  }

  private reply(child: number, message: Message<'reply'>): readonly ToFrontEnd[] {
    const { request, isGlobal, accepted, failures } = message;
    if (!isGlobal) return [message];
    const replies = getOrMake(this.replies, request, () => ({
      waiting: new Set(this.children),
      accepted: 0,
      failures: [],
    }));
    replies.waiting.delete(child);
    replies.accepted += accepted;
    replies.failures = [...replies.failures, ...failures].slice(0, mostFailures);
    return this.answer(request, replies);
  }

  private answer(request: number, { waiting, accepted, failures }: Replies): readonly ToFrontEnd[] {
    if (waiting.size > 0) return [];
    this.replies.delete(request);
    return [{ type: 'reply', request, isGlobal: true, accepted, failures }];
  }

  private allCosts(): readonly ToFrontEnd[] {
    if (this.costs.size < this.children.size || this.costs.size === 0) return [];
    this.costs.clear();
    return [{ type: 'cost', cost: this.maxima.largest() }];
  }

  private allSteady(): readonly ToFrontEnd[] {
    const isSteady = this.steady.size === this.children.size;
    if (isSteady === (this.wasSteady ?? false)) return [];
    this.wasSteady = isSteady;
    return [{ type: 'steady', isSteady }];
  }
}

/** Why the first ones failed is enough. */
const mostFailures = 10;
