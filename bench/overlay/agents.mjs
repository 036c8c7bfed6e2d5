// node bench/overlay/agents.mjs
// The front end of virtual agents in virtual time (specification §11.1): what it receives, and the time that it needs, for a reduction over 64, 512 and 1,024 agents
// below the same 8 children; and what it remembers of each process of the network.
import { median } from '../lib/statistics.mjs';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { load } from '../lib/bundle.mjs';

const { VirtualNetwork, balanced, Membership } = await load(
  'test/unit/overlay/virtualNetwork.ts',
  'test/workflows/overlay/balanced.ts',
  'src/overlay/members/membership.ts',
);
setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc');
const waves = 400;

function reduced(fanOuts) {
  let sent = 0;
  const network = new VirtualNetwork(balanced(...fanOuts), 1, {
    onPacket: (_rank, _packet, stream) => {
      for (let wave = 0; wave < 4; wave++) stream.send(100, '%d', 1);
    },
  });
  const { frontEnd, layout } = network;
  let [messages, nanoseconds] = [0, 0n];
  const times = [];
  const receive = frontEnd.fromChild.bind(frontEnd);
  frontEnd.fromChild = (...words) => {
    const begin = process.hrtime.bigint();
    receive(...words);
    nanoseconds += process.hrtime.bigint() - begin;
    messages++;
  };
  const stream = frontEnd.newStream(
    { ranks: undefined },
    { synchronisation: { kind: 'all' }, up: 'sum', down: 'none' },
  );
  stream.onPacket(() => void sent++);
  const round = (count) => {
    for (let wave = 0; wave < count; wave += 4) {
      nanoseconds = 0n;
      stream.send(100, '%d', 0);
      network.run();
      times.push(Number(nanoseconds) / 4000);
    }
  };
  round(100); // compiled by now
  [messages, sent] = [0, 0];
  times.length = 0;
  round(waves);
  return {
    agents: layout.leaves,
    messages: messages / sent,
    microseconds: median(times),
  };
}

console.log('agents | messages to the front end per reduction | its time per reduction, µs (median)');
for (const fanOuts of [
  [8, 8],
  [8, 8, 8],
  [8, 8, 16],
]) {
  const { agents, messages, microseconds } = reduced(fanOuts);
  console.log([agents, messages.toFixed(2), microseconds.toFixed(1)].join(' | '));
}

const heap = () => {
  gc();
  return getHeapStatistics().used_heap_size;
};
const count = 65_536;
const member = (rank, role, parent) => ({
  rank,
  role,
  parent,
  host: `node${rank}`,
  port: 0,
  state: 'up',
  since: 1,
  attempt: 1,
});
const before = heap();
const members = new Membership(member(0, 'front-end', 0), 1, () => () => undefined, {
  changed: () => undefined,
  event: () => undefined,
});
for (let rank = 1; rank <= count; rank++)
  members.joined(0, { ...member(rank, 'back-end', 0), children: [] }, 1);
console.log(
  `what the front end remembers of a process: ${Math.round((heap() - before) / members.all().length)} bytes; of a stream: nothing that grows with them`,
);
