import { at } from '../../core/at';
import { adviseLayout } from '../../overlay/layout/adviseLayout';
import { generateShape } from '../../overlay/layout/generate';
import type { Layout } from '../../overlay/layout/layout';
import { rankProcesses } from '../../overlay/layout/rankProcesses';
import type { Shape } from '../../overlay/layout/shape';

/** Seconds of a process of the network, as `bench/overlay/run.mjs` finds them on an ordinary machine; only their ratios matter here. */
const usual = { gap: 20e-6, overhead: 20e-6, latency: 100e-6 };
/** Waves of all agents in a second: samples of iterations are short. */
const reductionsPerSecond = 200;
/** So few need no tree. */
const mostFlat = 16;

/**
 * The front end and the inner processes for a number of agents; the agents attach to its leaves. All are on this host: the nodes of the job belong to the
 * program.
 * @param spec of a generator (docs/INTERFACES.md), for the tree with the agents as leaves; default: what the LogP model proposes
 * @param host by which the agents reach this one
 * @throws LayoutError
 */
export function agentTree(agents: number, spec: string | undefined, host: string): Layout {
  const shape = spec === undefined ? proposed(agents) : generateShape(spec);
  const inner = shape.map(({ children }, position) => position === 0 || children.length > 0);
  const positions = shape.flatMap((_, position) => (inner[position] === true ? [position] : []));
  const place = new Map(positions.map((position, index) => [position, index]));
  const processes = positions.map((position, index) => ({
    host,
    index,
    children: at(shape, position).children.flatMap((child) => place.get(child) ?? []),
  }));
  return rankProcesses(processes, 0);
}

function proposed(agents: number): Shape {
  if (agents <= mostFlat) return generateShape(`b:${Math.max(1, agents)}`);
  return adviseLayout({ agents, times: usual, reductionsPerSecond }).proposed.shape;
}
