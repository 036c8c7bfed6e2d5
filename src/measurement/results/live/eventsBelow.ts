import { at, atFloat, atInt } from '../../../core/at';

/** Pairs of events below each node of a call tree: those of its children, and their visits that were timed. Parents precede their children. */
export function eventsBelow(
  parents: Int32Array,
  untimed: ArrayLike<number>,
  visits: ArrayLike<number>,
): Float64Array {
  const events = new Float64Array(parents.length);
  for (let node = events.length - 1; node > 0; node--) {
    const above = atInt(parents, node);
    const own = untimed[node] === 1 ? 0 : at(visits, node);
    events[above] = atFloat(events, above) + atFloat(events, node) + own;
  }
  return events;
}
