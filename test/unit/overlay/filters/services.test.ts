import { describe, expect, it } from 'vitest';
import { at } from '../../../../src/core/at';
import { StreamHistogram } from '../../../../src/overlay/agent/streamHistogram';
import { alignedParameters, readSamples, samplesFormat } from '../../../../src/overlay/filters/aligned';
import { readClasses } from '../../../../src/overlay/filters/classes';
import type { BackEndStream } from '../../../../src/overlay/members/backEnd';
import type { Sample } from '../../../../src/overlay/services/sample';
import { balanced } from '../../../workflows/overlay/balanced';
import { VirtualNetwork } from '../virtualNetwork';

const all = { kind: 'all' } as const;
const none = { kind: 'none' } as const;

describe('equivalence classes in a network', () => {
  const hashes = [0x11n, 0x11n, 0x22n, 0x11n, 0x11n, 0x33n, 0x22n, 0x11n];
  const report = (rank: number, stream: BackEndStream): void =>
    void stream.send(100, '%auld %aud %aud', [hashes[rank] ?? 0x22n], [1], [rank]);

  it('S2: the front end has the classes of the example in one packet, and a late daemon alone', () => {
    const network = new VirtualNetwork(balanced(2, 4), 2, {
      onPacket: (rank, _, stream) => report(rank, stream),
    });
    const stream = network.frontEnd.newStream(
      { ranks: undefined },
      { synchronisation: { kind: 'timeout', milliseconds: 100 }, up: 'classes', down: 'none' },
    );
    stream.send(100, '%d', 0);
    network.run();
    expect(readClasses(stream.take()!)).toEqual([
      { value: 0x11n, members: [0, 1, 3, 4, 7] },
      { value: 0x22n, members: [2, 6] },
      { value: 0x33n, members: [5] },
    ]);
    expect(stream.take()).toBeUndefined();
    network.add(20, 8);
    network.run();
    stream.send(100, '%d', 0);
    network.run();
    const later = stream.take();
    expect(later && readClasses(later)).toContainEqual({ value: 0x22n, members: [2, 6, 20] });
  });

  it('S3: reports of all daemons of a process are one message of it', () => {
    const network = new VirtualNetwork(balanced(4, 8), 3, {
      onPacket: (rank, _, stream) => void stream.send(100, '%s', `host${rank}`),
    });
    network.run();
    const stream = network.frontEnd.newStream(
      { ranks: undefined },
      { synchronisation: all, up: 'concat', down: 'none' },
    );
    let packets = 0;
    stream.onPacket(() => {
      packets++;
    });
    network.received.clear();
    stream.send(100, '%d', 0);
    network.run(() => packets === 1);
    const up = network.received.get(network.layout.root) ?? 0;
    expect(packets).toBe(1);
    // One of each child, and what they say of packets that have arrived.
    expect(up).toBeLessThanOrEqual(2 * 4);
  });
});

describe('time-aligned aggregation in a network', () => {
  const seconds = 20;
  /** Samples of `length` s each from an offset on, which add 1 in a second. */
  const samplesOf = (rank: number): readonly Sample[] => {
    const borders = [0, ...Array.from({ length: seconds }, (_, i) => i + (rank % 7) / 10 + 0.05), seconds];
    return borders
      .slice(1)
      .map((end, i) => ({ value: end - at(borders, i), start: at(borders, i), end }))
      .filter(({ start, end }) => end > start);
  };
  const send = (stream: BackEndStream, { value, start, end }: Sample): void =>
    void stream.send(100, samplesFormat, [value], [start], [end], [1], [1]);

  function aggregated(
    fanOuts: readonly number[],
    meanwhile: (network: VirtualNetwork) => void,
  ): readonly Sample[] {
    const network = new VirtualNetwork(balanced(...fanOuts), 5, {
      onPacket: (rank, _, stream) =>
        samplesOf(rank).forEach((sample, i) =>
          network.at(network.now + 10 * i, () => {
            if (network.member(rank) !== undefined) send(stream, sample);
          }),
        ),
    });
    const stream = network.frontEnd.newStream(
      { ranks: new Set(Array.from({ length: 16 }, (_, rank) => rank)) },
      { synchronisation: none, up: 'aligned', down: 'none' },
    );
    const settings = { operation: 'sum', quantity: 'delta', start: 0 } as const;
    stream.setFilterParameters(
      'up',
      ...alignedParameters({ ...settings, intervals: { kind: 'fixed', width: 2 } }),
    );
    const got: Sample[] = [];
    stream.onPacket((packet) => got.push(...readSamples(packet)));
    stream.send(100, '%d', 0);
    meanwhile(network);
    network.run();
    return got;
  }

  const expected = Array.from({ length: seconds / 2 }, (_, i) => ({
    value: 32,
    start: 2 * i,
    end: 2 * i + 2,
    coverage: 1,
    weight: 16,
  }));
  const rounded = (samples: readonly Sample[]): readonly Sample[] =>
    samples.map((sample) => ({
      ...sample,
      value: Math.round(sample.value * 1e9) / 1e9,
      coverage: Math.round((sample.coverage ?? 1) * 1e9) / 1e9,
    }));

  it.each([[[16]], [[4, 4]], [[2, 2, 4]]])('S5: a tree %j gives the intervals of a flat one', (fanOuts) => {
    expect(rounded(aggregated(fanOuts, () => undefined))).toEqual(expected);
  });

  it('S5: nothing is lost when the tree changes in the middle of an interval', () => {
    const got = aggregated([4, 4], (network) => {
      for (let change = 0; change < 8; change++)
        network.at(network.now + 7 + 23 * change, () => network.add(100 + change, 16 + (change % 4)));
    });
    const sums = new Map<number, number>();
    for (const { start, value } of got) sums.set(start, (sums.get(start) ?? 0) + value);
    expect([...sums.values()].reduce((sum, value) => sum + value, 0)).toBeCloseTo(16 * seconds, 6);
  });

  it('S7: when the bins are full their width doubles, and with it the intervals of filters and back ends', () => {
    const intervals = new Map<number, number[]>();
    const network = new VirtualNetwork(balanced(2, 2), 5, {
      onPacket: (rank, packet, stream) => {
        const [seconds] = packet.unpack('%lf');
        const known = intervals.get(rank) ?? [];
        intervals.set(rank, [...known, Number(seconds)]);
        if (known.length > 0) return;
        for (let i = 0; i < 32; i++)
          network.at(network.now + 20 * i, () => send(stream, { value: 1, start: i, end: i + 1 }));
      },
    });
    const stream = network.frontEnd.newStream(
      { ranks: undefined },
      { synchronisation: none, up: 'aligned', down: 'none' },
    );
    const chart = new StreamHistogram(stream, { bins: 8, binSeconds: 1, start: 0, operation: 'sum' });
    network.run();
    expect(chart.histogram.binSeconds).toBe(4);
    expect([...chart.histogram.bins]).toEqual(Array(8).fill(16));
    expect([...intervals.values()]).toEqual(Array(4).fill([1, 2, 4]));
  });

  it('S8: 32 metrics at 5 Hz of 256 back ends are served whole, with as many messages for the front end as those of 64', () => {
    const [metrics, samples, length] = [32, 3, 0.2];
    const served = (fanOuts: readonly number[]): { readonly total: number; readonly messages: number } => {
      const network = new VirtualNetwork(balanced(...fanOuts), 11, {
        onPacket: (_rank, _packet, stream) => {
          for (let i = 0; i < samples; i++)
            network.at(network.now + 1000 * length * (i + 1), () =>
              send(stream, { value: length, start: i * length, end: (i + 1) * length }),
            );
        },
      });
      network.run();
      let total = 0;
      network.received.clear();
      for (let metric = 0; metric < metrics; metric++) {
        const stream = network.frontEnd.newStream(
          { ranks: undefined },
          { synchronisation: none, up: 'aligned', down: 'none' },
        );
        const intervals = { kind: 'fixed', width: length } as const;
        stream.setFilterParameters(
          'up',
          ...alignedParameters({ intervals, operation: 'sum', quantity: 'delta', start: 0 }),
        );
        stream.onPacket((packet) => {
          for (const { value } of readSamples(packet)) total += value;
        });
        stream.send(100, '%d', 0);
      }
      network.run();
      return { total, messages: network.received.get(network.layout.root) ?? 0 };
    };
    const [few, many] = [served([8, 8]), served([8, 8, 4])];
    // Seconds of each metric and back end.
    expect(few.total).toBeCloseTo(metrics * 64 * samples * length, 6);
    expect(many.total).toBeCloseTo(metrics * 256 * samples * length, 6);
    expect(many.messages / few.messages).toBeLessThan(1.2);
  });

  it('S6: ordinal aggregation can be chosen', () => {
    const network = new VirtualNetwork(balanced(2), 5, {
      onPacket: (rank, _, stream) => {
        for (const value of [10, 20]) send(stream, { value: value + rank, start: rank, end: rank + 1 });
      },
    });
    const stream = network.frontEnd.newStream(
      { ranks: undefined },
      { synchronisation: none, up: 'aligned', down: 'none' },
    );
    stream.setFilterParameters(
      'up',
      ...alignedParameters({ intervals: { kind: 'ordinal' }, operation: 'sum', quantity: 'delta', start: 0 }),
    );
    const got: Sample[] = [];
    stream.onPacket((packet) => got.push(...readSamples(packet)));
    stream.send(100, '%d', 0);
    network.run();
    expect(got.map(({ value, start, end }) => [value, start, end])).toEqual([
      [21, 0, 2],
      [41, 0, 2],
    ]);
  });

  it('N17: samples before the parameters, and packets that are no samples, are events', () => {
    const network = new VirtualNetwork(balanced(2), 5, {
      onPacket: (_rank, _packet, stream) => void stream.send(100, '%d', 1),
    });
    const stream = network.frontEnd.newStream(
      { ranks: undefined },
      { synchronisation: none, up: 'aligned', down: 'none' },
    );
    stream.send(100, '%d', 0);
    network.run();
    expect(network.events).toContainEqual(expect.objectContaining({ kind: 'problem', reason: 'filter' }));
    stream.setFilterParameters('up', '%d', 7);
    network.run();
    expect(network.events.filter(({ kind }) => kind === 'problem').length).toBeGreaterThan(2);
  });
});
