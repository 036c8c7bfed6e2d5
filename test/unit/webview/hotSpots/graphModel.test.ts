import { describe, expect, it } from 'vitest';
import { nodeBox } from '../../../../src/core/groups/graph/export';
import { drawnGraph, linesIn } from '../../../../webview/hotSpots/groups/graphModel';

describe('the graph of groups in a picture', () => {
  it('has boxes with as many lines as they have room for', () => {
    const { box, direction } = drawnGraph({ width: 1, height: 1, nodes: [], edges: [] });
    expect([box, direction]).toEqual([nodeBox, 'down']);
    expect([10, 16, 32, nodeBox.height].map(linesIn)).toEqual([0, 1, 1, 3]);
  });
});
