import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc');

/** Bytes in use. */
export function heap() {
  gc();
  return getHeapStatistics().used_heap_size;
}

/** A front end without a network, whose children are inner processes; agent `rank` is below child `agents + rank % children`. */
export function frontEndAlone(FrontEnd, agents, children) {
  const address = (rank) => ({ rank, host: `node${rank}`, port: 1 });
  const surroundings = {
    after: () => () => undefined,
    now: () => 0,
    connect() {},
    load: undefined,
    ended() {},
  };
  const frontEnd = new FrontEnd(address(agents + children), 1, surroundings, {
    event() {},
    load() {},
    onRoom() {},
  });
  for (let child = agents; child < agents + children; child++)
    frontEnd.accept(
      { ...address(child), role: 'inner', attempt: 1, children: [] },
      { send() {}, close() {} },
    );
  for (let rank = 0; rank < agents; rank++)
    frontEnd.membership.joined(
      agents + (rank % children),
      { ...address(rank), role: 'back-end', attempt: 1, children: [] },
      1,
    );
  frontEnd.begin();
  return frontEnd;
}
