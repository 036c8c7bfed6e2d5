import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { present } from '../../core/present';
import { helperWords, sshWords, type HelperWay } from '../../measurement/launch/helpers/helperWords';
import { startHelper, type Helper } from '../../measurement/launch/helpers/startHelper';
import { toolCommand } from '../../measurement/launch/helpers/toolCommand';
import { ordersEnvironment, writeOrders, type AgentOrders } from '../../overlay/agent/agentOrders';
import type { WatchedFolder } from '../../overlay/agent/agentSession';
import type { DigestQuestion } from '../../overlay/agent/digestSession';
import { RemoteDigests } from '../../overlay/agent/remoteDigests';
import { RemoteProcesses, type AgentEvent } from '../../overlay/agent/remoteProcesses';
import type { OverlayEvent } from '../../overlay/events';
import { createNetwork, type Network } from '../../overlay/network/network';
import { agentTree } from './agentTree';
import { Awaited } from './awaited';

/** How agents come to hosts: one on each. */
export type AgentWay = { readonly kind: 'ssh'; readonly hosts: readonly string[] } | HelperWay;

export interface AgentsOptions {
  /** Sockets of the run, in a folder that all its hosts share. */
  readonly watched: WatchedFolder;
  /** Specification of the tree; default: what fits the number of agents. */
  readonly spec?: string;
  /** The run is reduced: processes are not seen one by one, but as a digest. */
  readonly reduced?: DigestQuestion;
  readonly signal: AbortSignal;
  readonly onEvent: (event: AgentEvent) => void;
  /** Everything else that the network reports. */
  readonly onNetworkEvent?: (event: OverlayEvent) => void;
  /** The command line of the tool, on all hosts; default: this installation. */
  readonly program?: readonly [string, ...string[]];
}

/** Agents have to be there by then. */
const startSeconds = 60;
/** Agents end by themselves when the network does; what has not ended by then is ended. */
const farewellMilliseconds = 1500;

/** Agents of a run, with the tree that connects them to this process. */
export class Agents {
  private readonly awaited = new Set<Awaited>();
  private readonly helpers = new Set<Helper>();

  private constructor(
    /** None in a reduced run. */
    readonly processes: RemoteProcesses,
    /** Of a reduced run. */
    readonly digests: RemoteDigests | undefined,
    readonly network: Network,
    private readonly options: AgentsOptions,
  ) {}

  /**
   * Makes the tree.
   * @param count of agents that will come, about
   * @throws OverlayError `start`; LayoutError; the reason of an abort
   */
  static async begin(count: number, options: AgentsOptions): Promise<Agents> {
    const { spec, reduced, signal, program = toolCommand() } = options;
    signal.throwIfAborted();
    const processes = new RemoteProcesses(options.onEvent);
    const digests = reduced && new RemoteDigests(reduced, options.onEvent);
    const remote = digests ?? processes;
    const joined: { agents?: Agents } = {};
    const network = await createNetwork({
      layout: agentTree(count, spec, hostname()),
      mode: 'attach',
      start: (_, environment) => startHelper([...program, 'agent', '--inner'], { environment }),
      onEvent: (event) => {
        remote.event(event);
        if (event.kind === 'joined') joined.agents?.joined(event.rank);
        options.onNetworkEvent?.(event);
      },
    });
    remote.begin(network);
    return (joined.agents = new Agents(processes, digests, network, options));
  }

  /**
   * Starts an agent on each host of a way.
   * @throws KymoError `agents-failed` when not all are there in time: none of the way is left then; `usage`; the reason of an abort
   */
  async add(way: AgentWay): Promise<void> {
    const { signal } = this.options;
    const orders = way.hosts.map((host): AgentOrders => ({
      invitation: this.network.invite(host),
      watched: this.options.watched,
    }));
    const awaited = new Awaited(orders.map(({ invitation }) => invitation.rank));
    this.awaited.add(awaited);
    const started = new Set<Helper>();
    const file = way.kind === 'ssh' ? undefined : await this.ordersFile(orders);
    try {
      for (const helper of this.start(way, orders, file)) {
        started.add(helper);
        this.helpers.add(helper);
        void helper.ended.then((why) => {
          this.helpers.delete(helper);
          awaited.failed(why);
        });
      }
      await awaited.all(startSeconds, signal);
    } catch (error) {
      for (const helper of started) helper.kill();
      throw error;
    } finally {
      this.awaited.delete(awaited);
      if (file !== undefined) await rm(file, { force: true });
    }
  }

  /** Ends agents and tree. The program runs on. */
  async close(): Promise<void> {
    this.digests?.close();
    await this.network.shutdown();
    const kill = setTimeout(() => this.helpers.forEach((helper) => helper.kill()), farewellMilliseconds);
    await Promise.all([...this.helpers].map(({ ended }) => ended));
    clearTimeout(kill);
  }

  private joined(rank: number): void {
    for (const awaited of this.awaited) awaited.joined(rank);
  }

  /** For a process manager, which chooses which agent comes to which of its hosts. */
  private async ordersFile(orders: readonly AgentOrders[]): Promise<string> {
    const file = path.join(this.options.watched.folder, `${randomUUID()}.orders`);
    await writeOrders(file, orders);
    return file;
  }

  private start(way: AgentWay, orders: readonly AgentOrders[], file = '-'): readonly Helper[] {
    const agent = [...(this.options.program ?? toolCommand()), 'agent', '--orders', file] as const;
    if (way.kind !== 'ssh')
      return [startHelper(helperWords(way, agent), present({ environment: way.environment }))];
    return orders.map((order) =>
      startHelper(sshWords(order.invitation.host, agent), {
        input: JSON.stringify([ordersEnvironment(order)]),
      }),
    );
  }
}
