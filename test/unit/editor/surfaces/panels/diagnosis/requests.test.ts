import { describe, expect, it } from 'vitest';
import {
  diagnosisGuards as guards,
  panelName,
  shownBefore,
} from '../../../../../../src/editor/surfaces/panels/diagnosis/requests';

const boxes = (count: number, ...edges: readonly number[]) => ({ count, edges: Uint32Array.from(edges) });

describe('requests of the diagnosis panel', () => {
  it('are taken as they are, without what they do not name', () => {
    expect(guards.nodes({ id: 'a', first: 0, count: 1000, more: 1 })).toEqual({
      id: 'a',
      first: 0,
      count: 1000,
    });
    expect(guards.layout(boxes(3, 0, 1, 0, 2))).toEqual(boxes(3, 0, 1, 0, 2));
    expect(guards.openSource({ id: 'a', node: 3 })).toEqual({ id: 'a', node: 3 });
    const thresholds = [{ hypothesis: 'CPUBound', threshold: 0.25 }];
    expect(guards.setThresholds({ thresholds })).toEqual({ thresholds });
    expect(guards.save({ kind: 'search', id: 'a', name: 'x' })).toEqual({ kind: 'search', id: 'a' });
    const content = new Uint8Array(3);
    expect(guards.save({ kind: 'svg', name: 'x', content })).toEqual({ kind: 'svg', name: 'x', content });
    expect(guards.act({ action: 'import' })).toEqual({ action: 'import' });
  });

  it.each([
    ['more experiments than a piece', () => guards.nodes({ id: 'a', first: 0, count: 1001 })],
    ['an experiment before the first', () => guards.openSource({ id: 'a', node: -1 })],
    ['no box', () => guards.layout(boxes(0))],
    ['more boxes than can be followed', () => guards.layout(boxes(122))],
    ['an edge without an end', () => guards.layout(boxes(3, 0))],
    ['an edge to no box', () => guards.layout(boxes(3, 0, 3))],
    ['edges that are no array of numbers', () => guards.layout({ count: 3, edges: [0, 1] })],
    [
      'a negative threshold',
      () => guards.setThresholds({ thresholds: [{ hypothesis: 'a', threshold: -1 }] }),
    ],
    [
      'a threshold that is no number',
      () => guards.setThresholds({ thresholds: [{ hypothesis: 'a', threshold: NaN }] }),
    ],
    [
      'more hypotheses than anybody reads',
      () => guards.setThresholds({ thresholds: new Array(501).fill({ hypothesis: 'a', threshold: 1 }) }),
    ],
    ['a file of another kind', () => guards.save({ kind: 'exe', id: 'a' })],
    ['another action', () => guards.act({ action: 'delete' })],
  ])('%s is refused', (_, check) => {
    expect(check()).toBeUndefined();
  });

  it('a panel is restored by the name that its view kept', () => {
    const input = { path: '/a/profile.cubex', thresholds: [{ hypothesis: 'CPUBound', threshold: 0.1 }] };
    expect(shownBefore({ panel: panelName(input) })).toEqual(input);
    expect(shownBefore({ panel: panelName({ path: '/a' }) })).toEqual({ path: '/a' });
    expect(shownBefore({ panel: panelName({ path: 'a' }) })).toBeUndefined();
    expect(shownBefore({ panel: '{' })).toBeUndefined();
  });
});
