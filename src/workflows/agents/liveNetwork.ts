import { present } from '../../core/present';
import type { LiveNetwork, LiveNode } from '../../core/views/liveRun';
import type { TopologyNode } from '../../overlay/events';

const roles = { 'front-end': 'front end', inner: 'inner process', 'back-end': 'agent' } as const;

/** Agents at work that are listed; the file must not grow with the job. */
const mostAgents = 64;

/** The network as `live.json` has it. */
export function liveNetwork(nodes: readonly TopologyNode[], failures: readonly string[]): LiveNetwork {
  let agents = 0;
  const listed = nodes.filter(
    ({ role, state }) => role !== 'back-end' || state !== 'up' || ++agents <= mostAgents,
  );
  const notListed = nodes.length - listed.length;
  return {
    nodes: listed.map(liveNode),
    ...(notListed === 0 ? {} : { notListed }),
    failures: [...failures],
  };
}

function liveNode({ rank, parent, role, host, pid, state, load }: TopologyNode): LiveNode {
  return {
    rank,
    ...present({ parent }),
    role: roles[role],
    host,
    ...present({ pid }),
    state,
    ...(load === undefined
      ? {}
      : {
          cpu: load.cpu,
          messagesPerSecond: load.messages,
          bytesPerSecond: load.bytesRead + load.bytesWritten,
          memory: load.memory,
        }),
  };
}
