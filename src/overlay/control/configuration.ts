import { type FilterName, isFilterName } from '../filters/filterTable';
import { OverlayError } from '../packets/overlayError';
import type { SynchronisationRule } from '../filters/synchronisationRule';
import { count, list, oneOf, pair, record, type Shape, text } from './shape';

/** What a process of the network does. */
export type Role = 'front-end' | 'inner' | 'back-end';

/** A process as the front end knows it. */
export interface Member {
  readonly rank: number;
  readonly role: Role;
  /** The rank of its parent; of the front end its own. */
  readonly parent: number;
  readonly host: string;
  /** Where it accepts children; 0: nowhere. */
  readonly port: number;
  /** `awaited`: its parent was lost, and it has not found another one yet. `parent` is then who waits for its packets. */
  readonly state: 'up' | 'awaited';
  /** The first epoch that it belongs to. */
  readonly since: number;
  /** How often it has looked for a parent: what is reported of an older attempt is out of date. */
  readonly attempt: number;
}

/** A stream, with the cut from which it goes on in an epoch. */
export interface StreamDefinition {
  readonly id: number;
  /** Ranges of ranks, first and last: the back ends of the communicator that belong to the network now. */
  readonly members: readonly (readonly [number, number])[];
  readonly synchronisation: SynchronisationRule;
  readonly up: FilterName;
  readonly down: FilterName;
  /** Packets in base 64; empty: none. */
  readonly upParameters: string;
  readonly downParameters: string;
  /** Packets and bytes that a back end may have sent and the front end not taken. */
  readonly windowPackets: number;
  readonly windowBytes: number;
  /** The epoch in which it was made. */
  readonly created: number;
  /** The last packet that the front end has sent. */
  readonly sent: number;
  /** The last wave that the front end has processed; where waves are not numbered, `parts` says it for each back end. */
  readonly cut: number;
  readonly parts: readonly (readonly [number, number])[];
  /** States of filters right after the cut: the rank of the process that takes it over, and a packet in base 64. */
  readonly states: readonly (readonly [number, string])[];
}

/**
 * The network in an epoch. Whatever changes the tree begins a new epoch, at a cut that the front end chooses: what it has processed stays,
 * what was on its way is dropped everywhere, and back ends send again what is behind the cut. So no packet is lost and none counted twice.
 */
export interface Configuration {
  readonly epoch: number;
  readonly members: readonly Member[];
  readonly streams: readonly StreamDefinition[];
}

const base64 = text(2 ** 25);

const filterName: Shape<FilterName> = (value, name) => {
  if (!isFilterName(value)) throw new OverlayError('malformed', `${name} is not the name of a filter.`);
  return value;
};

const ruleKind = record({ kind: oneOf('all', 'timeout', 'batch', 'none') });
const timeout = record({ kind: oneOf('timeout'), milliseconds: count });
const batch = record({ kind: oneOf('batch'), milliseconds: count, packets: count });
const synchronisationRule: Shape<SynchronisationRule> = (value, name) => {
  const { kind } = ruleKind(value, name);
  if (kind === 'timeout') return timeout(value, name);
  return kind === 'batch' ? batch(value, name) : { kind };
};

export const streamDefinition: Shape<StreamDefinition> = record({
  id: count,
  members: list(pair(count, count)),
  synchronisation: synchronisationRule,
  up: filterName,
  down: filterName,
  upParameters: base64,
  downParameters: base64,
  windowPackets: count,
  windowBytes: count,
  created: count,
  sent: count,
  cut: count,
  parts: list(pair(count, count)),
  states: list(pair(count, base64)),
});

export const configuration: Shape<Configuration> = record({
  epoch: count,
  members: list(
    record({
      rank: count,
      role: oneOf('front-end', 'inner', 'back-end'),
      parent: count,
      host: text(255),
      port: count,
      state: oneOf('up', 'awaited'),
      since: count,
      attempt: count,
    }),
  ),
  streams: list(streamDefinition),
});
