import { compose, composeAll, noFolding, type Folding } from '../../../../src/core/diagnosis/folding/folding';
import { FoldingSender, type FoldingMode } from '../../../../src/core/diagnosis/folding/foldingSender';
import type { SourceNode } from '../../../../src/core/diagnosis/folding/sourceGraph';
import { foldingParameters } from '../../../../src/overlay/filters/foldings';
import type { SynchronisationRule } from '../../../../src/overlay/filters/synchronisationRule';
import type { BackEndStream } from '../../../../src/overlay/members/backEnd';
import {
  foldingFormat,
  foldingValues,
  readFolding,
  sendAllFormat,
} from '../../../../src/overlay/services/foldingPacket';
import { balanced } from '../../../workflows/overlay/balanced';
import { contentsOf, fold, searchedHost, syntheticHost } from '../../core/diagnosis/folding/graphs';
import { VirtualNetwork } from '../virtualNetwork';

const batch = { kind: 'batch', milliseconds: 100, packets: 64 } as const;
/** As the specification has it for changes (6.3). */
export const batched = { ...batch, milliseconds: 200 } as const;

/** A network whose back ends show a host each, and what the front end has of all of them. */
export function folding(
  fanOuts: readonly number[],
  seed: number,
  mode: FoldingMode = 'delta',
  sourceOf: (rank: number, change: number) => SourceNode = syntheticHost,
  synchronisation: SynchronisationRule = batch,
) {
  const senders = new Map<
    number,
    { readonly sender: FoldingSender; readonly stream: BackEndStream; sequence: number }
  >();
  const graphs = new Map<number, Folding>();
  const send = (rank: number): void => {
    const own = senders.get(rank);
    if (own === undefined || network.member(rank) === undefined) return;
    const change = own.sender.take(graphs.get(rank) ?? noFolding);
    if (change === undefined) return;
    own.stream.send(100, foldingFormat, ...foldingValues({ sequence: ++own.sequence, folding: change }));
  };
  const show = (rank: number, change: number): void => {
    graphs.set(rank, fold(sourceOf(rank, change)));
    send(rank);
  };
  const network: VirtualNetwork = new VirtualNetwork(balanced(...fanOuts), seed, {
    onPacket: (rank, packet, stream) => {
      if (packet.format.text === sendAllFormat) senders.get(rank)?.sender.sendAll(network.now / 1000);
      else if (!senders.has(rank))
        senders.set(rank, { sender: new FoldingSender(mode), stream, sequence: 0 });
      send(rank);
    },
  });
  const stream = network.frontEnd.newStream(
    { ranks: undefined },
    { synchronisation, up: 'folding', down: 'none' },
  );
  stream.setFilterParameters('up', ...foldingParameters(mode));
  const state = { graph: noFolding, packets: 0 };
  stream.onPacket((packet) => {
    state.graph = compose(state.graph, readFolding(packet).folding);
    state.packets++;
  });
  const all = (): Folding => composeAll(graphs.values());
  const { leaves } = network.layout;
  for (let rank = 0; rank < leaves; rank++) graphs.set(rank, fold(sourceOf(rank, 0)));
  stream.send(100, '%d', 1);
  network.run();
  return { network, stream, state, show, graphs, all, leaves };
}

/**
 * Bytes over all links and to the front end in the middle of a search by 512 hosts of two processes in a tree of 8×8×8: each step is one conclusion, after which
 * the next function is tried. About 29,000 such steps are the whole search; one in 5 ms is that of two and a half minutes.
 */
export function bytesOf(
  mode: FoldingMode,
  synchronisation: SynchronisationRule,
  steps = 200,
): { readonly all: number; readonly top: number } {
  const sourceOf = (rank: number, steps: number): SourceNode => {
    const begun = 8 + (rank % 5);
    return searchedHost(rank, [begun + Math.ceil(steps / 2), begun + Math.floor(steps / 2)]);
  };
  const { network, show, leaves, state, all } = folding([8, 8, 8], 6, mode, sourceOf, synchronisation);
  const begun = network.now;
  network.bytes.clear();
  for (let step = 0; step < steps; step++) network.at(begun + 5 * step, () => show((step * 37) % leaves, 1));
  network.run();
  if (JSON.stringify(contentsOf(state.graph)) !== JSON.stringify(contentsOf(all())))
    throw new Error('The graph of the front end is not that of all.');
  const sums = { all: 0, top: 0 };
  for (const [link, bytes] of network.bytes) {
    sums.all += bytes;
    if (link.startsWith(`${network.layout.root}-`)) sums.top += bytes;
  }
  return sums;
}
