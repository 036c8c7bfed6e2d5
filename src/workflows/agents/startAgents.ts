import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import type { HelperWay } from '../../measurement/launch/helpers/helperWords';
import { helperWords, sshWords } from '../../measurement/launch/helpers/helperWords';
import { startHelper, type Helper } from '../../measurement/launch/helpers/startHelper';
import { toolCommand } from '../../measurement/launch/helpers/toolCommand';
import { ordersEnvironment, writeOrders, type AgentOrders } from '../../overlay/agent/agentOrders';
import type { WatchedFolder } from '../../overlay/agent/agentSession';
import type { ProcessSource } from '../../overlay/agent/processLink';
import { RemoteProcesses, type AgentEvent } from '../../overlay/agent/remoteProcesses';
import type { OverlayEvent } from '../../overlay/events';
import { createNetwork, type Network } from '../../overlay/network/network';
import { agentTree } from './agentTree';

/** How agents come to the hosts of a run. */
export type AgentWay =
  /** One on this host. */
  | { readonly kind: 'local' }
  /** One on each of the hosts. @property ssh another program with the same arguments */
  | { readonly kind: 'ssh'; readonly hosts: readonly string[]; readonly ssh?: string }
  | HelperWay;

export interface AgentsOptions {
  readonly way: AgentWay;
  /** Sockets of the run, in a folder that all its hosts share. */
  readonly watched: WatchedFolder;
  /** Specification of the tree; default: what fits the number of agents. */
  readonly spec?: string;
  readonly signal: AbortSignal;
  readonly onEvent: (event: AgentEvent) => void;
  /** Everything else that the network reports. */
  readonly onNetworkEvent?: (event: OverlayEvent) => void;
  /** The command line of the tool, on all hosts; default: this installation. */
  readonly program?: readonly [string, ...string[]];
  /** All agents have to be there by then; default 60. */
  readonly startSeconds?: number;
}

/** Agents of a run, with the tree that connects them. */
export interface Agents {
  readonly processes: ProcessSource;
  readonly network: Network;
  /** Ends agents and tree. The program runs on. */
  close(): Promise<void>;
}

/** Agents end by themselves when the network does; what has not ended by then is ended. */
const farewellMilliseconds = 1500;

/**
 * Starts an agent on each host, and the tree for them.
 * @throws KymoError `agents-failed` when not all are there in time (nothing is left then); `usage`; LayoutError; the reason of an abort
 */
export async function startAgents(options: AgentsOptions): Promise<Agents> {
  const { way, spec, signal, onEvent, program = toolCommand() } = options;
  signal.throwIfAborted();
  const count = agentsOf(way);
  const host = way.kind === 'local' ? 'localhost' : hostname();
  const remote = new RemoteProcesses(onEvent);
  const awaited = new Awaited(count);
  const network = await createNetwork({
    layout: agentTree(count, spec, host),
    mode: 'attach',
    start: (_, environment) => startHelper([...program, 'agent', '--inner'], { environment }),
    onEvent: (event) => {
      if (event.kind === 'joined' && event.role === 'back-end') awaited.joined();
      remote.event(event);
      options.onNetworkEvent?.(event);
    },
  });
  remote.begin(network);
  const files: string[] = [];
  let helpers: readonly Helper[] = [];
  const close = async (): Promise<void> => {
    await network.shutdown();
    const kill = setTimeout(() => helpers.forEach((helper) => helper.kill()), farewellMilliseconds);
    await Promise.all(helpers.map(({ ended }) => ended));
    clearTimeout(kill);
    await Promise.all(files.map((file) => rm(file, { force: true })));
  };
  try {
    helpers = await startAll(options, network, program, files);
    for (const helper of helpers) void helper.ended.then((why) => awaited.failed(why));
    await awaited.all(options.startSeconds ?? 60, signal);
  } catch (error) {
    await close();
    throw error;
  }
  return { processes: remote, network, close };
}

function agentsOf(way: AgentWay): number {
  if (way.kind === 'local') return 1;
  return way.kind === 'srun' ? way.nodes : way.hosts.length;
}

/** @param files receives those that have to be removed at the end */
async function startAll(
  { way, watched }: AgentsOptions,
  network: Network,
  program: readonly [string, ...string[]],
  files: string[],
): Promise<readonly Helper[]> {
  const orders = (host: string): AgentOrders => ({ invitation: network.invite(host), watched });
  if (way.kind === 'local')
    return [startHelper([...program, 'agent'], { environment: ordersEnvironment(orders('localhost')) })];
  if (way.kind === 'ssh')
    return way.hosts.map((host) =>
      startHelper(sshWords(host, [...program, 'agent', '--orders', '-'], way.ssh), {
        input: JSON.stringify([ordersEnvironment(orders(host))]),
      }),
    );
  const file = path.join(watched.folder, `agents.${process.pid}.${++serial}.orders`);
  files.push(file);
  // The process manager chooses which of them comes to which node.
  await writeOrders(
    file,
    Array.from({ length: agentsOf(way) }, () => orders('a node of the job')),
  );
  return [startHelper(helperWords(way, [...program, 'agent', '--orders', file]))];
}

let serial = 0;

/** Waits for agents to join. */
class Awaited {
  private settle: { done(): void; fail(error: Error): void } | undefined;
  private missing: number;
  private failure: KymoError | undefined;

  constructor(private readonly count: number) {
    this.missing = count;
  }

  joined(): void {
    if (--this.missing <= 0) this.settle?.done();
  }

  failed(why: string): void {
    this.failure ??= agentsFailed(`${this.missing} of ${this.count} did not come: ${why}`);
    if (this.missing > 0) this.settle?.fail(this.failure);
  }

  /** @throws KymoError `agents-failed`; the reason of an abort */
  async all(seconds: number, signal: AbortSignal): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    let abort = (): void => undefined;
    try {
      await new Promise<void>((done, fail) => {
        this.settle = { done, fail };
        abort = () => fail(signal.reason as Error);
        signal.addEventListener('abort', abort);
        timer = setTimeout(
          () => fail(agentsFailed(`${this.missing} of ${this.count} did not come within ${seconds} s`)),
          seconds * 1000,
        );
        if (this.missing <= 0) done();
        else if (this.failure !== undefined) fail(this.failure);
      });
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }
}

function agentsFailed(what: string): KymoError {
  return new KymoError(
    'agents-failed',
    `The agents that watch the hosts of the run could not be started: ${what}. The program runs on.`,
  );
}
