import { describe, expect, it } from 'vitest';
import type { TopologyNode } from '../../../../src/overlay/events';
import { liveNetwork } from '../../../../src/workflows/agents/liveNetwork';

const node = (rank: number, more: Partial<TopologyNode> = {}): TopologyNode => ({
  ...{ rank, role: 'back-end', host: `n${rank}`, parent: 2000, pid: 7, state: 'up', load: undefined },
  ...more,
});

describe('the network in live.json', () => {
  it('lists some of many agents that are at work, and all other processes', () => {
    const agents = Array.from({ length: 1024 }, (_, rank) => node(rank));
    const others = [
      node(1998, { state: 'lost' }),
      node(1999, { role: 'inner' }),
      node(2000, { role: 'front-end', parent: undefined }),
    ];
    const { nodes, notListed, failures } = liveNetwork([...agents, ...others], ['something']);
    expect(notListed).toBe(1024 - 64);
    expect(nodes.map(({ role }) => role).filter((role) => role !== 'agent')).toEqual([
      'inner process',
      'front end',
    ]);
    expect(nodes.filter(({ role, state }) => role === 'agent' && state === 'up')).toHaveLength(64);
    expect(nodes.some(({ state }) => state === 'lost')).toBe(true);
    expect(failures).toEqual(['something']);
  });

  it('says nothing of more where there are none', () => {
    expect(liveNetwork([node(0)], [])).toEqual({
      nodes: [{ rank: 0, parent: 2000, role: 'agent', host: 'n0', pid: 7, state: 'up' }],
      failures: [],
    });
  });
});
