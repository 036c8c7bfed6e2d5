import { KymoError } from '../../core/errors';
import { helperNumber } from '../../measurement/launch/helpers/helperWords';
import { startHelper } from '../../measurement/launch/helpers/startHelper';
import { pickOrders, readOrders, readOrdersFile, type Variables } from '../../overlay/agent/agentOrders';
import { runAgent } from '../../overlay/agent/runAgent';
import { runInnerProcess } from '../../overlay/network/runInnerProcess';
import { takeInvitation } from '../../overlay/network/starting';
import { RemoteSearch } from '../diagnosing/live/remoteSearch';
import { HostDigests } from './hostDigests';

/** Standard input with more is no list of orders. */
const mostInputBytes = 2 ** 20;

export interface AgentProcessOptions {
  /** File with orders, or `-` for standard input. */
  readonly orders: string;
  readonly environment: Variables;
  readonly input: AsyncIterable<Buffer | string>;
  readonly signal: AbortSignal;
}

/**
 * Makes this process an agent, until its network ends.
 * @returns why it has ended
 * @throws OverlayError `usage`, `malformed`; KymoError `usage`
 */
export async function runAgentProcess({
  orders,
  environment,
  input,
  signal,
}: AgentProcessOptions): Promise<string> {
  const variables = await variablesOf(orders, environment, input);
  return runAgent(await readOrders(variables), signal, {
    watch: (watched) => new HostDigests(watched, signal),
    search: (watched, report) => new RemoteSearch(watched, report, signal),
  });
}

/**
 * Makes this process an inner process of a network, until that ends.
 * @param command that starts such a process; those below this one need it
 * @returns why it has ended
 * @throws OverlayError `usage`, `malformed`
 */
export function runInner(
  command: readonly [string, ...string[]],
  environment: Record<string, string | undefined>,
): Promise<string> {
  return runInnerProcess(takeInvitation(environment), {
    start: (_, variables) => startHelper(command, { environment: variables }),
  });
}

async function variablesOf(
  orders: string,
  environment: Variables,
  input: AsyncIterable<Buffer | string>,
): Promise<Variables> {
  if (orders === '-') return pickOrders(await textOf(input), 'standard input', 0);
  const number = helperNumber(environment);
  if (number === undefined)
    throw new KymoError(
      'usage',
      'The environment does not determine the orders for this agent: start it by srun or mpirun.',
    );
  return readOrdersFile(orders, number);
}

async function textOf(input: AsyncIterable<Buffer | string>): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of input) {
    const buffer = typeof piece === 'string' ? Buffer.from(piece) : piece;
    bytes += buffer.length;
    if (bytes > mostInputBytes)
      throw new KymoError('usage', `The orders have more than ${mostInputBytes} bytes.`);
    pieces.push(buffer);
  }
  return Buffer.concat(pieces).toString('utf8');
}
