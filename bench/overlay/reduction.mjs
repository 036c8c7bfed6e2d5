// node bench/overlay/reduction.mjs
// What a reduced run costs the front end in each second, by the number of agents below the same 8 children, with 4 processes of 100 call paths on each, which do work of 20 kinds, and
// 20 iterations: messages and bytes, of virtual agents in virtual time; processor time and memory, of a front end that is given what its children would send.
import { load } from '../lib/bundle.mjs';
import { median } from '../lib/statistics.mjs';
import { frontEndAlone, heap } from './frontEndAlone.mjs';

const { VirtualNetwork, balanced, FrontEnd, Packet, frameKinds, streamFrame, ...parts } = await load(
  'test/unit/overlay/virtualNetwork.ts',
  'test/workflows/overlay/balanced.ts',
  'src/overlay/members/frontEnd.ts',
  'src/overlay/packets/packet.ts',
  'src/overlay/packets/frame.ts',
  'src/core/digest/mergeDigests.ts',
  'src/core/randomNumbers.ts',
  'src/measurement/results/reduced/reducedIterations.ts',
  'src/measurement/results/reduced/resultsOfDigest.ts',
  'src/overlay/services/digestPacket.ts',
);
const {
  mergeDigests,
  randomNumbers,
  digestFormat,
  digestValues,
  readDigest,
  ReducedIterations,
  resultsOfDigest,
} = parts;
const [children, processes, paths, kinds, iterations] = [8, 4, 100, 20, 20];
const settings = { synchronisation: { kind: 'timeout', milliseconds: 500 }, up: 'digests', down: 'none' };
const random = randomNumbers(1);
const work = Array.from({ length: kinds }, () => Float64Array.from({ length: paths }, random));
const parents = Int32Array.from({ length: paths }, (_, path) =>
  path === 0 ? -1 : Math.floor((path - 1) / 2),
);
const slots = Uint32Array.from({ length: paths }, (_, path) => (path === 0 ? 0xffff_ffff : path));

function digestOfProcess(rank) {
  const seconds = Float64Array.from(work[rank % kinds], (value) => value * (1 + random() / 100));
  for (let path = paths - 1; path > 0; path--) seconds[parents[path]] += seconds[path];
  const counts = { processes: 1, threads: 1, cpuSeconds: seconds[0], iterating: 1, suspended: 0, ended: 0 };
  const amounts = new Map([
    ['visits', new Float64Array(paths).fill(10)],
    ['seconds', seconds],
  ]);
  const column = (of, length = iterations) => Float64Array.from({ length }, of);
  return {
    ...{ ranks: 4096, slotCount: paths, regions: [], parents, slots, costs: [] },
    clusters: [{ ...counts, ranks: [[rank, rank]], leastIterations: 20, mostIterations: 20, amounts }],
    iterations: {
      ...{ phase: 1, parents, slots, numbers: Uint32Array.from({ length: iterations }, (_, i) => i) },
      processes: column(() => 1),
      preemptedSeconds: column(() => 0),
      computingSeconds: column(random),
      mostSeconds: column(random),
      mostRank: new Uint32Array(iterations).fill(rank),
      visits: column(() => 1, iterations * paths),
      seconds: column(random, iterations * paths),
      childEvents: column(() => 2, iterations * paths),
    },
  };
}

const digestOfAgent = (agent) =>
  mergeDigests(
    Array.from({ length: processes }, (_, process) => digestOfProcess(agent * processes + process)),
  );

/** Messages and bytes to the front end for each question. */
function trafficOf(fanOuts) {
  const values = new Map();
  const network = new VirtualNetwork(balanced(...fanOuts), 1, {
    onPacket: (rank, _packet, from) => {
      if (!values.has(rank)) values.set(rank, digestValues(digestOfAgent(rank)));
      from.send(113, digestFormat, ...values.get(rank));
    },
  });
  network.run();
  const stream = network.frontEnd.newStream({ ranks: undefined }, settings);
  const sums = [];
  stream.onPacket((packet) =>
    sums.push(readDigest(packet).clusters.reduce((sum, cluster) => sum + cluster.processes, 0)),
  );
  network.run();
  const { root } = network.layout;
  network.received.clear();
  network.bytes.clear();
  const questions = 3;
  for (let question = 0; question < questions; question++) {
    stream.send(105, '%ud', 0);
    network.run();
  }
  const agents = fanOuts.reduce((product, fan) => product * fan, 1);
  if (sums.length !== questions || sums.some((sum) => sum !== agents * processes))
    throw new Error(`${sums} of ${agents * processes} processes in ${questions} answers`);
  const bytes = [...network.bytes].reduce(
    (sum, [link, own]) => sum + (link.startsWith(`${root}-`) ? own : 0),
    0,
  );
  return { messages: network.received.get(root) / questions, bytes: bytes / questions };
}

/** A front end alone, whose children are inner processes with so many agents below. */
function alone(agents) {
  const below = (child) => Array.from({ length: agents / children }, (_, i) => child - agents + i * children);
  const frontEnd = frontEndAlone(FrontEnd, agents, children);
  const program = { slots: slots.map(String), graph: { functions: [], edges: [] }, executable: 'program' };
  let results = 0;
  frontEnd.newStream({ ranks: undefined }, settings).onPacket((packet) => {
    const digest = readDigest(packet);
    resultsOfDigest(digest);
    new ReducedIterations(program).take(digest);
    results++;
  });
  const packets = new Map();
  for (let child = agents; child < agents + children; child++)
    packets.set(
      child,
      Packet.of(113, child, digestFormat, digestValues(mergeDigests(below(child).map(digestOfAgent)))),
    );
  let sequence = 0;
  const wave = () => {
    sequence++;
    for (const [child, packet] of packets) {
      const parts = below(child).map((rank) => ({ rank, sequence }));
      const { epoch } = frontEnd.relay;
      // Not the packet itself, whose values are decoded once.
      const frame = streamFrame({
        kind: frameKinds.up,
        epoch,
        stream: 1,
        sequence,
        parts,
        packets: [packet],
      });
      frontEnd.fromChild(child, frame, 0, frame.length);
    }
  };
  for (let round = 0; round < 20; round++) wave();
  const settled = heap();
  const times = Array.from({ length: 15 }, () => {
    const begin = process.cpuUsage();
    wave();
    const { user, system } = process.cpuUsage(begin);
    return (user + system) / 1000;
  });
  if (results !== sequence) throw new Error(`${results} results of ${sequence} waves`);
  return { milliseconds: median(times), growth: (heap() - settled) / 15, used: settled };
}

console.log(
  'agents | processes | messages to the front end per second | kB to and from its children per second | its processor time per second, ms | memory that a second leaves, kB',
);
for (const fanOuts of [
  [children, 8],
  [children, 8, 8],
  [children, 8, 16],
]) {
  const agents = fanOuts.reduce((product, fan) => product * fan, 1);
  const { milliseconds, growth } = alone(agents);
  const { messages, bytes } = trafficOf(fanOuts);
  console.log(
    [
      agents,
      agents * processes,
      messages.toFixed(1),
      (bytes / 1000).toFixed(0),
      milliseconds.toFixed(1),
      (growth / 1000).toFixed(1),
    ].join(' | '),
  );
}
