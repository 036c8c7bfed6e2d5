import { describe, expect, it } from 'vitest';
import { balanced } from '../../workflows/overlay/balanced';
import { FrontEnd } from '../../../src/overlay/members/frontEnd';
import { InnerProcess } from '../../../src/overlay/members/innerProcess';
import { VirtualNetwork } from './virtualNetwork';

describe('clocks in a network', () => {
  it('S4: skews of all processes are found over two links, within half of the shortest round trips', () => {
    const ahead = (rank: number): number => (rank === 20 ? 0 : ((rank * 7919) % 100) / 10 - 5);
    const network = new VirtualNetwork(balanced(4, 4), 4, { onPacket: () => undefined, ahead });
    for (let round = 0; round < 30; round++) {
      for (const rank of [20, ...network.inner]) {
        const member = network.member(rank);
        if (member instanceof InnerProcess || member instanceof FrontEnd) member.probeClocks();
      }
      network.run();
    }
    for (let rank = 0; rank < 20; rank++) {
      const found = network.frontEnd.clocks.of(rank);
      const error = Math.abs((found?.skew ?? Infinity) + ahead(rank));
      expect(error).toBeLessThanOrEqual((found?.uncertainty ?? 0) + 1e-9);
      // Delays are up to 2 ms each way; the shortest of 30 round trips is much shorter.
      expect(error).toBeLessThan(0.001);
    }
  });
});
