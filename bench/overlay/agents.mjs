// node bench/overlay/agents.mjs
// What agents cost the front end, by their number, below the same 8 children: messages for a reduction, of virtual agents in virtual time (specification §11.1; a unit test asserts
// them); and processor time for a reduction and memory, of a front end that is given what its children would send.
import { load } from '../lib/bundle.mjs';
import { median } from '../lib/statistics.mjs';
import { frontEndAlone, heap } from './frontEndAlone.mjs';

const { VirtualNetwork, balanced, FrontEnd, Packet, frameKinds, streamFrame } = await load(
  'test/unit/overlay/virtualNetwork.ts',
  'test/workflows/overlay/balanced.ts',
  'src/overlay/members/frontEnd.ts',
  'src/overlay/packets/packet.ts',
  'src/overlay/packets/frame.ts',
);
const stream = { synchronisation: { kind: 'all' }, up: 'sum', down: 'none' };
const children = 8;

/** Messages to the front end for each of 100 reductions that it asks for one by one. */
function messagesOf(fanOuts) {
  let results = 0;
  const network = new VirtualNetwork(balanced(...fanOuts), 1, {
    onPacket: (_rank, _packet, from) => void from.send(100, '%d', 1),
  });
  network.run();
  const asked = network.frontEnd.newStream({ ranks: undefined }, stream);
  asked.onPacket(() => void results++);
  network.run();
  network.received.clear();
  for (let wave = 0; wave < 100; wave++) {
    asked.send(100, '%d', 0);
    network.run();
  }
  return network.received.get(network.layout.root) / results;
}

/** A front end alone, whose children are inner processes with so many agents below. */
function alone(agents) {
  const before = heap();
  const frontEnd = frontEndAlone(FrontEnd, agents, children);
  let results = 0;
  frontEnd.newStream({ ranks: undefined }, stream).onPacket(() => void results++);
  const bytes = heap() - before;
  let sequence = 0;
  const wave = () => {
    sequence++;
    for (let child = agents; child < agents + children; child++) {
      const packets = [Packet.of(100, child, '%d', [1])];
      const frame = streamFrame({
        kind: frameKinds.up,
        epoch: frontEnd.relay.epoch,
        stream: 1,
        sequence,
        packets,
      });
      frontEnd.fromChild(child, frame, 0, frame.length);
    }
  };
  const rounds = 5000;
  for (let round = 0; round < rounds; round++) wave();
  const settled = heap();
  const times = Array.from({ length: 21 }, () => {
    const begin = process.cpuUsage();
    for (let round = 0; round < rounds; round++) wave();
    const { user, system } = process.cpuUsage(begin);
    return (user + system) / rounds;
  });
  if (results !== sequence) throw new Error(`${results} results of ${sequence} waves`);
  return { microseconds: median(times), growth: (heap() - settled) / (21 * rounds), bytes };
}

console.log(
  'agents | messages per reduction | processor time of the front end per reduction, µs (with making the frames) | memory that a reduction leaves, bytes | memory for the network, bytes per agent',
);
for (const fanOuts of [
  [children, 8],
  [children, 8, 8],
  [children, 8, 16],
]) {
  const agents = fanOuts.reduce((product, fan) => product * fan, 1);
  const { microseconds, growth, bytes } = alone(agents);
  console.log(
    [
      agents,
      messagesOf(fanOuts).toFixed(2),
      microseconds.toFixed(1),
      growth.toFixed(1),
      Math.round(bytes / agents),
    ].join(' | '),
  );
}
