import { OverlayError, overlayReasons } from '../packets/overlayError';
import { configuration, streamDefinition } from './configuration';
import { amount, count, list, oneOf, pair, record, type Shape, text } from './shape';

/** Who asks to be a child. */
export const hello = record({
  rank: count,
  role: oneOf('inner', 'back-end'),
  host: text(255),
  port: count,
  attempt: count,
  /** Children that it has at this time, with their attempts. */
  children: list(pair(count, count)),
});
export type Hello = ReturnType<typeof hello>;

const downwards = {
  /** A new epoch. */
  configuration: record({ configuration }),
  /** A stream in the epoch that is. */
  stream: record({ stream: streamDefinition }),
  close: record({ stream: count }),
  parameters: record({ stream: count, which: oneOf('up', 'down'), packet: text(2 ** 25) }),
  /** Load a filter: each inner process answers when its children have answered. */
  load: record({ request: count, module: text(4096), name: text(255), filter: text(255) }),
  /** To a child: answer at once. */
  probe: record({ id: count }),
  shutdown: record({}),
};

const upwards = {
  /** A child was accepted by `parent`. */
  joined: record({ parent: count, child: hello }),
  /** `ended`: without saying so; `moved`: looks for another parent; `left`: wanted to. */
  lost: record({ parent: count, rank: count, attempt: count, how: oneOf('ended', 'moved', 'left') }),
  /** To its parent, before it closes the connection on purpose. */
  leaving: record({ how: oneOf('moved', 'left') }),
  loaded: record({ request: count, failures: list(pair(count, text(2048))) }),
  problem: record({ rank: count, reason: oneOf(...overlayReasons), message: text(2048) }),
  /** Rank, and what `totalsOf` reads. */
  loads: record({ rows: list(list(amount)) }),
  /** To the parent: when a probe arrived and when this was sent, in seconds of the own clock. */
  answer: record({ id: count, received: amount, answered: amount }),
  /** Clocks of processes below: rank, the receiver of this message minus the sender's clock with theirs, largest error; seconds. */
  clocks: record({ rows: list(record({ rank: count, skew: amount, uncertainty: amount })) }),
};

type Messages<Table> = {
  [Kind in keyof Table]: Table[Kind] extends Shape<infer Fields> ? { readonly kind: Kind } & Fields : never;
}[keyof Table];

export type DownMessage = Messages<typeof downwards>;
export type UpMessage = Messages<typeof upwards>;

/** @throws OverlayError `malformed` */
export function readDownMessage(value: unknown): DownMessage {
  return read(downwards, value) as DownMessage;
}

/** @throws OverlayError `malformed` */
export function readUpMessage(value: unknown): UpMessage {
  return read(upwards, value) as UpMessage;
}

const kindOf = record({ kind: text(32) });

function read(table: Readonly<Record<string, Shape<object>>>, value: unknown): object {
  const { kind } = kindOf(value, 'message');
  const shape = Object.hasOwn(table, kind) ? table[kind] : undefined;
  if (shape === undefined) throw new OverlayError('malformed', `There is no control message “${kind}”.`);
  return { kind, ...shape(value, kind) };
}
