import { specOf } from './generate';
import { LayoutError } from './layoutError';
import { mostProcesses } from './limits';
import { broadcastTimes, type BroadcastTimes, type LogP } from './logP';
import { evenShape, type Shape } from './shape';

/** What a layout is wanted for. Times are in seconds. */
export interface LayoutWish {
  readonly agents: number;
  readonly times: LogP;
  /** How many reductions the front end takes from all agents in a second. */
  readonly reductionsPerSecond: number;
}

/** A tree with its times. */
export interface RatedLayout extends BroadcastTimes {
  readonly spec: string;
  readonly shape: Shape;
  /** Processes that only reduce. */
  readonly inner: number;
  /** Share of the time in which the busiest process receives, at the rate that is wanted. */
  readonly busy: number;
}

/** The proposed layout, what it was compared with, and sentences that give the reason. */
export interface LayoutAdvice {
  readonly proposed: RatedLayout;
  /** In the order of the comparison: flat, then by fan-out. */
  readonly compared: readonly RatedLayout[];
  readonly why: readonly string[];
}

/** Above this the queue of the busiest process grows long whenever its host is loaded. */
const mostBusy = 0.5;
/** Balanced trees with a moderate fan-out (Roth 2005, section 4.2); 16 for many agents, where a level less saves many processes. */
const fanOuts = [4, 8, 16];

/**
 * Proposes a layout by the LogP model: of a flat tree and balanced trees, the one with the shortest broadcast whose busiest process keeps up
 * with the reductions; if none keeps up, the one with the shortest interval. Between equals, the one with fewer processes.
 *
 * @throws LayoutError `too-large` for more agents than a network may have, `bad-tree` for numbers that are not counts and times
 */
export function adviseLayout(wish: LayoutWish): LayoutAdvice {
  check(wish);
  const compared = [1, ...fanOuts].flatMap((fanOut) => rated(wish, fanOut));
  const keepUp = compared.filter(({ busy }) => busy <= mostBusy);
  const proposed =
    keepUp.length > 0
      ? least(keepUp, ({ completion }) => completion)
      : least(compared, ({ interval }) => interval);
  return { proposed, compared, why: reasons(wish, proposed, compared, keepUp.length > 0) };
}

function check({ agents, times: { gap, overhead, latency }, reductionsPerSecond }: LayoutWish): void {
  if (!Number.isInteger(agents) || agents < 1)
    throw new LayoutError('bad-tree', 'A layout needs a whole number of agents, at least one.');
  // Inner processes of fan-out 4 are a third of the agents.
  if (agents * 1.5 > mostProcesses)
    throw new LayoutError('too-large', `The layout would have more than ${mostProcesses} processes.`);
  if (![gap, overhead, latency, reductionsPerSecond].every((value) => Number.isFinite(value) && value >= 0))
    throw new LayoutError(
      'bad-tree',
      'Gap, overhead, latency and rate of a layout are finite and not negative.',
    );
}

/** The balanced tree of a fan-out, as shallow as it can be; flat for fan-out 1, none for one that would be flat too. */
function rated({ agents, times, reductionsPerSecond }: LayoutWish, fanOut: number): readonly RatedLayout[] {
  let depth = 1;
  for (let width = agents; fanOut > 1 && width > fanOut; width = Math.ceil(width / fanOut)) depth++;
  if (fanOut > 1 && depth === 1) return [];
  const shape = evenShape(agents, fanOut, depth);
  const { completion, interval } = broadcastTimes({ root: 0, nodes: shape }, times);
  const inner = shape.length - agents - 1;
  return [{ spec: specOf(shape), shape, completion, interval, inner, busy: interval * reductionsPerSecond }];
}

function least(layouts: readonly RatedLayout[], value: (layout: RatedLayout) => number): RatedLayout {
  return layouts.reduce((best, layout) => {
    const difference = value(layout) - value(best);
    return difference < 0 || (difference === 0 && layout.inner < best.inner) ? layout : best;
  });
}

function reasons(
  { agents, reductionsPerSecond }: LayoutWish,
  proposed: RatedLayout,
  compared: readonly RatedLayout[],
  keepsUp: boolean,
): readonly string[] {
  const sentences = compared.map(
    ({ spec, completion, interval, busy, inner }) =>
      `${spec}: a broadcast to ${agents} agents takes ${time(completion)}, the next one can start after ${time(interval)}; ${inner} inner processes; at ${reductionsPerSecond} reductions/s the busiest process is busy ${percent(busy)} of the time.`,
  );
  const conclusion = keepsUp
    ? `${proposed.spec} has the shortest broadcast of the layouts whose busiest process is busy at most ${percent(mostBusy)} of the time.`
    : `No layout keeps up with ${reductionsPerSecond} reductions/s; ${proposed.spec} has the shortest interval. Reduce less often, or put several reductions into one message.`;
  return [...sentences, conclusion];
}

function time(seconds: number): string {
  return `${(seconds * 1e6).toPrecision(3)} µs`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
