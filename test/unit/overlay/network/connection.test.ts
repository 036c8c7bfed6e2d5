import net from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Connection, Traffic } from '../../../../src/overlay/network/connection';
import { frameKinds, largestFrame, StreamFrame, streamFrame } from '../../../../src/overlay/packets/frame';
import { Packet } from '../../../../src/overlay/packets/packet';

const open: { destroy(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.destroy();
});

/** Two ends of a connection on loopback. */
async function pair(): Promise<readonly [net.Socket, net.Socket]> {
  const server = net.createServer();
  const accepted = new Promise<net.Socket>((resolve) => server.once('connection', resolve));
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const { port } = server.address() as net.AddressInfo;
  const sockets = [net.connect(port, 'localhost'), await accepted] as const;
  server.close();
  open.push(...sockets);
  return sockets;
}

const quiet = { closed: () => undefined, malformed: () => undefined, full: () => undefined };

describe('a connection', () => {
  it('N7: writes 1,000 packets of a turn at once, and they arrive as they were sent', async () => {
    const [here, there] = await pair();
    const write = vi.spyOn(here, 'write');
    const sender = new Connection(here, new Traffic(), { ...quiet, frame: () => undefined }, largestFrame);
    const got: unknown[] = [];
    const done = new Promise<void>((resolve) => {
      const frame = (bytes: Buffer, from: number, to: number): void => {
        got.push(new StreamFrame(bytes, from, to).packets()[0]?.values()[0]);
        if (got.length === 1000) resolve();
      };
      new Connection(there, new Traffic(), { ...quiet, frame }, largestFrame);
    });
    for (let value = 0; value < 1000; value++) {
      const packets = [Packet.of(100, 0, '%d', [value])];
      sender.send(streamFrame({ kind: frameKinds.up, epoch: 1, stream: 1, sequence: value, packets }));
    }
    await done;
    expect(got).toEqual(Array.from({ length: 1000 }, (_, value) => value));
    expect(write).toHaveBeenCalledTimes(1);
  });
});
