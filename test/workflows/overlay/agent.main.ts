// A process of the network in tests and benches: an inner process, or a back end that does what the tag of a packet says.
import type { BackEndStream } from '../../../src/overlay/members/backEnd';
import { connectBackEnd, type ConnectedBackEnd } from '../../../src/overlay/network/connectBackEnd';
import { runInnerProcess } from '../../../src/overlay/network/runInnerProcess';
import { takeInvitation } from '../../../src/overlay/network/starting';
import type { Packet } from '../../../src/overlay/packets/packet';
import { localStarter } from './localStarter';
import { tags } from './tags';

const invited = takeInvitation(process.env);
const { rank } = invited;
const flushes = { now: (): void => undefined };
const floods = new Map<number, Flood>();
if (process.env.KYMO_TEST_FAILS === String(rank)) process.exit(3);

if (process.env.KYMO_TEST_ROLE === 'inner') {
  const attach = process.env.KYMO_TEST_ATTACH === 'yes';
  void runInnerProcess(invited, { start: localStarter(process.argv[1] ?? '', { attach }) }).then(() =>
    process.exit(0),
  );
} else {
  const outlives = process.env.KYMO_TEST_OUTLIVES === 'yes';
  const backEnd: ConnectedBackEnd = connectBackEnd(invited, {
    onPacket: (packet, stream) => receive(packet, stream),
    onRoom: (stream) => flood(stream),
    onEnd: () => {
      if (!outlives) process.exit(0);
      setTimeout(() => process.exit(0), 60_000);
    },
  });
  flushes.now = () => backEnd.flush();
  process.on('SIGUSR2', () => backEnd.leave());
}

interface Flood {
  next: number;
  readonly last: number;
  readonly payload: Uint8Array | undefined;
  readonly oneByOne: boolean;
}

function receive(packet: Packet, stream: BackEndStream): void {
  const [first, second] = packet.values();
  switch (packet.tag) {
    case tags.echo:
      stream.send(tags.echo, packet.format.text, ...packet.values());
      break;
    case tags.rank:
      stream.send(tags.rank, '%d', rank);
      break;
    case tags.mean:
      stream.send(tags.mean, '%lf %d', rank * 1.5, rank + 1);
      break;
    default:
      floods.set(stream.id, {
        next: 1,
        last: Number(first),
        payload: packet.tag === tags.floodBytes ? new Uint8Array(Number(second)) : undefined,
        oneByOne: packet.tag === tags.floodOneByOne,
      });
      flood(stream);
  }
}

/** Packet n has the value 1000 n + rank. */
function flood(stream: BackEndStream): void {
  const state = floods.get(stream.id);
  if (state === undefined) return;
  while (stream.hasRoom && state.next <= state.last) {
    const value = state.next++ * 1000 + rank;
    if (state.payload === undefined) stream.send(tags.flood, '%d', value);
    else stream.send(tags.floodBytes, '%d %auc', value, state.payload);
    if (state.oneByOne) flushes.now();
  }
}
