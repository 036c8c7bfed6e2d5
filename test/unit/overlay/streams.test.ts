import { describe, expect, it } from 'vitest';
import type { Filter, FilterOutput, FilterPlace } from '../../../src/overlay/filters/filter';
import { frameKinds, streamFrame } from '../../../src/overlay/packets/frame';
import { Packet } from '../../../src/overlay/packets/packet';
import { decoding } from '../../../src/overlay/packets/values';
import { balanced } from '../../workflows/overlay/balanced';
import { VirtualNetwork } from './virtualNetwork';

const all = { kind: 'all' } as const;

/** Adds its rank to what goes down, and answers what comes up with a packet down. */
class Rewriting implements Filter {
  constructor(private readonly place: FilterPlace) {}

  apply(wave: readonly Packet[], output: FilterOutput): void {
    const values = wave.map((packet) => Number(packet.values()[0]));
    if (wave[0]?.tag === 100)
      output.down(Packet.of(100, this.place.rank, '%d', [(values[0] ?? 0) + this.place.rank]));
    else {
      output.up(Packet.of(101, this.place.rank, '%d', [values.length]));
      if (this.place.isFrontEnd) output.down(Packet.of(102, this.place.rank, '%d', [7]));
    }
  }
}

async function rewriting(network: VirtualNetwork) {
  const loading = network.frontEnd.loadFilter('module', 'Rewriting');
  await new Promise((resolve) => setImmediate(resolve));
  network.run();
  await new Promise((resolve) => setImmediate(resolve));
  network.run();
  return loading;
}

describe('streams', () => {
  it('N8: links that lead to no back end of a communicator carry nothing of its streams', () => {
    const network = new VirtualNetwork(balanced(4, 4), 8, {
      onPacket: (rank, _, stream) => void stream.send(100, '%d', rank),
    });
    network.run();
    network.bytes.clear();
    const stream = network.frontEnd.newStream(
      { ranks: new Set([1, 2]) },
      { synchronisation: all, up: 'sum', down: 'none' },
    );
    stream.send(100, '%d', 0);
    network.run();
    expect(stream.take()?.values()).toEqual([3]);
    network.run();
    expect([...network.bytes.keys()].sort()).toEqual(['16-1', '16-2', '20-16']);
  });

  it('N8: a back end learns of a stream by a packet on it', () => {
    const seen: number[] = [];
    const network = new VirtualNetwork(balanced(2), 8, {
      onPacket: (_rank, _packet, { id }) => void seen.push(id),
    });
    const settings = { synchronisation: all, up: 'none', down: 'none' } as const;
    network.frontEnd.newStream({ ranks: undefined }, settings);
    const second = network.frontEnd.newStream({ ranks: undefined }, settings);
    network.run();
    expect(seen).toEqual([]);
    second.send(100, '%d', 0);
    network.run();
    expect(seen).toEqual([second.id, second.id]);
  });

  it('N14: filters rewrite what goes down, and answer towards the back ends', async () => {
    const got: (readonly [number, number, unknown])[] = [];
    const network = new VirtualNetwork(balanced(2, 2), 8, {
      load: () => Rewriting,
      onPacket: (rank, packet, stream) => {
        got.push([rank, packet.tag, packet.values()[0]]);
        if (packet.tag === 100) stream.send(101, '%d', rank);
      },
    });
    const filter = await rewriting(network);
    const stream = network.frontEnd.newStream(
      { ranks: undefined },
      { synchronisation: all, up: filter, down: filter },
    );
    stream.send(100, '%d', 1000);
    network.run();
    expect(got.filter(([, tag]) => tag === 100).sort()).toEqual([
      [0, 100, 1000 + 6 + 4],
      [1, 100, 1000 + 6 + 4],
      [2, 100, 1000 + 6 + 5],
      [3, 100, 1000 + 6 + 5],
    ]);
    expect(stream.take()?.values()).toEqual([2]);
    expect(
      got
        .filter(([, tag]) => tag === 102)
        .map(([rank]) => rank)
        .sort(),
    ).toEqual([0, 1, 2, 3]);
  });

  it('N14: a packet that no filter touches is not decoded on its way', () => {
    const network = new VirtualNetwork(balanced(4, 4), 8, {
      onPacket: (rank, _, stream) => void stream.send(100, '%d %s', rank, 'text'),
    });
    const stream = network.frontEnd.newStream(
      { ranks: undefined },
      { synchronisation: all, up: 'none', down: 'none' },
    );
    const before = decoding.bodies;
    stream.send(100, '%ad', [1, 2, 3]);
    network.run();
    expect(decoding.bodies).toBe(before);
    expect(stream.take()?.values()).toEqual([0, 'text']);
    expect(decoding.bodies).toBe(before + 1);
  });

  it('N11: without synchronisation packets arrive in the order of each back end, one by one', () => {
    const network = new VirtualNetwork(balanced(2, 2), 8, {
      onPacket: (rank, _, stream) => {
        for (let count = 1; count <= 50; count++) stream.send(100, '%d', count * 10 + rank);
      },
    });
    const stream = network.frontEnd.newStream(
      { ranks: undefined },
      { synchronisation: { kind: 'none' }, up: 'none', down: 'none' },
    );
    const got: number[] = [];
    stream.onPacket((packet) => void got.push(Number(packet.values()[0])));
    stream.send(100, '%d', 0);
    network.run();
    for (let rank = 0; rank < 4; rank++)
      expect(got.filter((value) => value % 10 === rank)).toEqual(
        Array.from({ length: 50 }, (_, at) => (at + 1) * 10 + rank),
      );
  });

  it('N10: with a time-out a silent back end does not hold up the others', () => {
    const network = new VirtualNetwork(balanced(2, 2), 8, {
      onPacket: (rank, _, stream) => {
        if (rank !== 3) stream.send(100, '%d', 1 << rank);
      },
    });
    const stream = network.frontEnd.newStream(
      { ranks: undefined },
      { synchronisation: { kind: 'timeout', milliseconds: 250 }, up: 'sum', down: 'none' },
    );
    const begun = network.now;
    const times: number[] = [];
    const sums: unknown[] = [];
    stream.onPacket((packet) => {
      times.push(network.now - begun);
      sums.push(packet.values()[0]);
    });
    stream.send(100, '%d', 0);
    network.run();
    expect(sums.reduce((sum: number, value) => sum + Number(value), 0)).toBe(7);
    expect(Math.max(...times)).toBeGreaterThan(250);
    expect(Math.max(...times)).toBeLessThan(520);
  });

  it('N16: back ends stop when the front end takes nothing, and go on when it does', () => {
    const sent = [0, 0, 0, 0];
    const flood = (
      rank: number,
      stream: { readonly hasRoom: boolean; send(tag: number, format: string, value: number): boolean },
    ): void => {
      while (stream.hasRoom && sent[rank]! < 5000) stream.send(100, '%d', ++sent[rank]!);
    };
    const network = new VirtualNetwork(balanced(2, 2), 8, {
      onPacket: (rank, _, stream) => flood(rank, stream),
      onRoom: flood,
    });
    const stream = network.frontEnd.newStream(
      { ranks: undefined },
      { synchronisation: all, up: 'sum', down: 'none' },
    );
    stream.send(100, '%d', 0);
    network.run();
    expect(sent).toEqual([1024, 1024, 1024, 1024]);
    const got: unknown[] = [];
    for (let packet = stream.take(); packet !== undefined || got.length < 5000; packet = stream.take()) {
      if (packet === undefined) network.run();
      else got.push(packet.values()[0]);
    }
    expect(got).toEqual(Array.from({ length: 5000 }, (_, at) => 4 * (at + 1)));
  });

  it('N17: data of a stream that never was is an event, late data of a closed one is not', () => {
    const network = new VirtualNetwork(balanced(2), 8, {
      onPacket: (_rank, _packet, stream) => void stream.send(100, '%d', 1),
    });
    const stream = network.frontEnd.newStream(
      { ranks: undefined },
      { synchronisation: all, up: 'sum', down: 'none' },
    );
    stream.send(100, '%d', 0);
    stream.close();
    network.run();
    expect(network.events.filter(({ kind }) => kind === 'problem')).toEqual([]);
    const frame = streamFrame({ kind: frameKinds.up, epoch: 1, stream: 99, sequence: 1 });
    network.frontEnd.fromChild(0, frame, 0, frame.length);
    expect(network.events.at(-1)).toMatchObject({
      kind: 'problem',
      reason: 'unknown-stream',
      message: 'There is no stream 99 here.',
    });
  });

  it('N17: a lost back end is an event, and waves go on without it at once', () => {
    const network = new VirtualNetwork(balanced(2, 2), 8, {
      onPacket: (rank, _, stream) => {
        if (rank !== 1) stream.send(100, '%d', 1);
      },
    });
    const stream = network.frontEnd.newStream(
      { ranks: undefined },
      { synchronisation: all, up: 'sum', down: 'none' },
    );
    stream.send(100, '%d', 0);
    network.run();
    expect(stream.take()).toBeUndefined();
    network.kill(1);
    network.run();
    expect(network.events.at(-1)).toMatchObject({ kind: 'lost', rank: 1, role: 'back-end' });
    expect(stream.take()?.values()).toEqual([3]);
  });

  it('N20: without the front end all other processes end by themselves', () => {
    const network = new VirtualNetwork(balanced(3, 3), 8, { onPacket: () => undefined });
    network.run();
    const before = network.now;
    network.kill(network.layout.root);
    network.run();
    expect([...network.ended.keys()].sort((a, b) => a - b)).toEqual(
      Array.from({ length: 12 }, (_, rank) => rank),
    );
    expect(network.now - before).toBeLessThan(2000);
  });

  it.each([[[8, 8]], [[8, 8, 8]], [[8, 8, 16]]])(
    'the front end receives as many messages per wave for %s back ends as it has children',
    (fanOuts) => {
      const waves = 4;
      const network = new VirtualNetwork(balanced(...fanOuts), 8, {
        onPacket: (_rank, _packet, stream) => {
          for (let wave = 1; wave <= waves; wave++) stream.send(100, '%d', wave);
        },
      });
      const stream = network.frontEnd.newStream(
        { ranks: undefined },
        { synchronisation: all, up: 'sum', down: 'none' },
      );
      stream.send(100, '%d', 0);
      network.run();
      const before = network.received.get(network.layout.root) ?? 0;
      stream.send(100, '%d', 0);
      const sums: unknown[] = [];
      stream.onPacket((packet) => void sums.push(packet.values()[0]));
      network.run();
      const backEnds = network.layout.leaves;
      expect(sums).toEqual(
        [...Array(2).keys()].flatMap(() => Array.from({ length: waves }, (_, at) => (at + 1) * backEnds)),
      );
      // Waves, and reports that packets have arrived.
      expect((network.received.get(network.layout.root) ?? 0) - before).toBe(8 * waves + 8);
    },
  );
});
