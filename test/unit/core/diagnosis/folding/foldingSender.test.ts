import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compose, noFolding } from '../../../../../src/core/diagnosis/folding/folding';
import { FoldingSender } from '../../../../../src/core/diagnosis/folding/foldingSender';
import { fold, hosts, syntheticHost } from './graphs';

describe('what an agent sends', () => {
  it('F4: sends all of the graph first, then changes, and nothing where nothing is different', () => {
    const sender = new FoldingSender('delta');
    const first = sender.take(fold(syntheticHost(0)));
    expect(first).toEqual(fold(syntheticHost(0)));
    expect(sender.take(fold(syntheticHost(0)))).toBeUndefined();
    const change = sender.take(fold(syntheticHost(0, 1)));
    expect(change?.replaced.process).toEqual([]);
    expect(change?.entries.size).toBeLessThan(15);
  });

  it('F4: after each step, what was sent as changes and what was sent whole are the same graph', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(hosts(0), fc.boolean()), { minLength: 1, maxLength: 5 }), (graphs) => {
        const [delta, full] = [new FoldingSender('delta'), new FoldingSender('full')];
        let [changed, whole] = [noFolding, noFolding];
        for (const [graph, isAsked] of graphs) {
          if (isAsked) delta.sendAll(0);
          changed = compose(changed, delta.take(fold(...graph)) ?? noFolding);
          whole = compose(whole, full.take(fold(...graph)) ?? noFolding);
          expect(changed.entries).toEqual(whole.entries);
          expect(changed.entries).toEqual(fold(...graph).entries);
          expect(changed.names).toEqual(whole.names);
        }
      }),
    );
  });

  it('F4: waits 0.2 s for more changes, or for 64 of them', () => {
    const sender = new FoldingSender('delta');
    expect(sender.due).toBeUndefined();
    sender.changed(5);
    sender.changed(5.1);
    expect(sender.due).toBeCloseTo(5.2, 9);
    for (let more = 2; more < 64; more++) {
      expect(sender.due).toBeCloseTo(5.2, 9);
      sender.changed(5.1);
    }
    expect(sender.due).toBe(5);
    sender.take(fold(syntheticHost(0)));
    expect(sender.due).toBeUndefined();
    sender.changed(7);
    expect(sender.due).toBeCloseTo(7.2, 9);
  });

  it('F4: sends all again when it is asked, also what is not there any more as replaced', () => {
    const sender = new FoldingSender('delta');
    sender.take(fold(syntheticHost(0), syntheticHost(1)));
    sender.take(fold(syntheticHost(0)));
    sender.sendAll(3);
    expect(sender.due).toBeCloseTo(3.2, 9);
    const again = sender.take(fold(syntheticHost(0)));
    expect(again?.entries).toEqual(fold(syntheticHost(0)).entries);
    expect(again?.replaced.process).toEqual([{ first: 0, last: 1, each: 1 }]);
  });

  it('F4: in the mode for whole graphs sends all of it whenever it is different', () => {
    const sender = new FoldingSender('full');
    sender.take(fold(syntheticHost(0)));
    expect(sender.take(fold(syntheticHost(0)))).toBeUndefined();
    expect(sender.take(fold(syntheticHost(0, 1)))).toEqual(fold(syntheticHost(0, 1)));
  });
});
