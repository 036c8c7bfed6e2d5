import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Filter, FilterOutput, FilterPlace } from '../../../src/overlay/filters/filter';
import type { BackEndStream } from '../../../src/overlay/members/backEnd';
import { Packet } from '../../../src/overlay/packets/packet';
import { balanced } from '../../workflows/overlay/balanced';
import { VirtualNetwork } from './virtualNetwork';

const waves = 60;

/** Back ends send `waves` packets each, over about 60 ms; the values of a wave differ from those of all others. */
function flooding(
  fanOuts: readonly number[],
  seed: number,
  filter: 'sum' | 'custom',
  kind: 'all' | 'none' = 'all',
) {
  const results: number[] = [];
  const sent = new Map<number, number>();
  const flood = (rank: number, stream: BackEndStream): void => {
    const wave = (sent.get(rank) ?? 0) + 1;
    if (!stream.hasRoom || wave > waves) return;
    sent.set(rank, wave);
    if (filter === 'sum') stream.send(100, '%d', wave * 1000 + rank);
    else stream.send(100, '%d %d', wave * 1000 + rank, wave);
    network.at(network.now + network.random() * 2, () => flood(rank, stream));
  };
  const network: VirtualNetwork = new VirtualNetwork(balanced(...fanOuts), seed, {
    onPacket: (rank, _, stream) => flood(rank, stream),
    onRoom: (rank, stream) => flood(rank, stream),
    load: () => EveryTenth,
  });
  const begin = async () => {
    const up = filter === 'sum' ? filter : await loaded(network);
    const stream = network.frontEnd.newStream(
      { ranks: undefined },
      { synchronisation: { kind }, up, down: 'none' },
    );
    stream.onPacket((packet) => void results.push(Number(packet.values()[0])));
    stream.send(100, '%d', 1);
  };
  return { network, results, begin, backEnds: network.layout.leaves };
}

async function loaded(network: VirtualNetwork) {
  const loading = network.frontEnd.loadFilter('some module', 'EveryTenth');
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    network.run();
  }
  return loading;
}

/** Holds sums back until every tenth wave: what a lost process had taken in and not given out must not be lost. */
class EveryTenth implements Filter {
  private sum = 0;

  constructor(private readonly place: FilterPlace) {}

  apply(packets: readonly Packet[], output: FilterOutput): void {
    const pairs = packets.map((packet) => packet.values().map(Number));
    this.sum += pairs.reduce((sum, [value]) => sum + (value ?? 0), 0);
    const wave = pairs[0]?.[1] ?? 1;
    if (wave % 10 !== 0) return;
    output.up(Packet.of(100, this.place.rank, '%d %d', [this.sum, wave]));
    this.sum = 0;
  }

  state(): Packet | undefined {
    return this.sum === 0 ? undefined : Packet.of(100, this.place.rank, '%d', [this.sum]);
  }

  adopt(state: Packet): void {
    this.sum += Number(state.number());
  }
}

const sumOf = (wave: number, backEnds: number): number =>
  wave * 1000 * backEnds + (backEnds * (backEnds - 1)) / 2;
const allWaves = (backEnds: number): number[] =>
  Array.from({ length: waves }, (_, at) => sumOf(at + 1, backEnds));

const trees = fc.constantFrom([4, 4], [2, 2, 2], [3, 2], [2, 3, 2]);
const kills = fc.array(
  fc.record({ time: fc.double({ min: 0, max: 60, noNaN: true }), which: fc.nat(99), twice: fc.boolean() }),
  { minLength: 1, maxLength: 4 },
);

function killing(
  network: VirtualNetwork,
  plan: readonly { time: number; which: number; twice: boolean }[],
): void {
  const begun = network.now;
  for (const { time, which, twice } of plan)
    network.at(begun + time, () => {
      const { inner } = network;
      if (inner.length > 0) network.kill(inner[which % inner.length]!);
      const left = network.inner;
      if (twice && left.length > 0) network.kill(left[(which * 7) % left.length]!);
    });
}

describe('recovery in virtual time', () => {
  it('N18: sums of all waves are exact and in order, whichever inner processes are killed, whenever', async () => {
    await fc.assert(
      fc.asyncProperty(trees, fc.nat(), kills, async (fanOuts, seed, plan) => {
        const { network, results, begin, backEnds } = flooding(fanOuts, seed, 'sum');
        await begin();
        killing(network, plan);
        network.run(() => results.length >= waves);
        network.run();
        expect(results).toEqual(allWaves(backEnds));
      }),
      { numRuns: 150 },
    );
  });

  it('N18: a filter that holds sums back loses nothing with the processes that are killed, and counts nothing twice', async () => {
    await fc.assert(
      fc.asyncProperty(trees, fc.nat(), kills, async (fanOuts, seed, plan) => {
        const { network, results, begin, backEnds } = flooding(fanOuts, seed, 'custom');
        await begin();
        killing(network, plan);
        network.run();
        const total = allWaves(backEnds).reduce((sum, value) => sum + value, 0);
        expect(results.reduce((sum, value) => sum + value, 0)).toBe(total);
      }),
      { numRuns: 100 },
    );
  });

  it('N18: each packet of a stream that does not wait arrives once, in the order of its back end', async () => {
    await fc.assert(
      fc.asyncProperty(trees, fc.nat(), kills, async (fanOuts, seed, plan) => {
        const { network, results, begin, backEnds } = flooding(fanOuts, seed, 'sum', 'none');
        await begin();
        killing(network, plan);
        network.run();
        for (let rank = 0; rank < backEnds; rank++)
          expect(results.filter((value) => value % 1000 === rank)).toEqual(
            Array.from({ length: waves }, (_, at) => (at + 1) * 1000 + rank),
          );
        expect(results).toHaveLength(waves * backEnds);
      }),
      { numRuns: 100 },
    );
  });

  it('N18: all children of each lost process of 4×4 have another parent within 2 s', () => {
    for (const victim of [16, 17, 18, 19]) {
      const { network } = flooding([4, 4], victim, 'sum');
      network.run();
      const before = network.now;
      network.kill(victim);
      network.run(() => network.events.filter(({ kind }) => kind === 'adopted').length === 4);
      expect(network.now - before).toBeLessThan(2000);
    }
  });
});
