import { describe, expect, it } from 'vitest';
import { parseSelectionFile } from '../../../selectionFile';
import { planSelection } from '../../../../src/measurement/symbols/planSelection';
import type { Site, SiteMap } from '../../../../src/measurement/symbols/sites';

const site = (kind: Site['kind'], offset: number, instance?: string): Site => ({
  object: 0,
  kind,
  offset,
  ...(instance === undefined ? {} : { instance }),
});
const siteMap: SiteMap = {
  objects: [{ path: '/p/prog', buildId: 'ab', units: [] }],
  functions: new Map([
    ['main', [site('entry', 16)]],
    [
      'leaf',
      [site('in', 32, 'leafi'), site('out', 48, 'leafi'), site('in', 64, 'leafd'), site('out', 80, 'leafd')],
    ],
    ['tiny', [site('entry', 96)]],
  ]),
};

describe('the selection file of a plan', () => {
  it('samples every instance of a function, each as its sites ask for', () => {
    const intervals = new Map([
      ['leaf', 64],
      ['tiny', 16],
      ['not selected', 16],
    ]);
    const plan = planSelection(siteMap, ['main', 'leaf', 'tiny'], intervals);
    expect(plan.slots).toEqual(['main', 'leaf', 'leaf', 'tiny']);
    expect(plan.samples).toEqual([
      undefined,
      { interval: 64, kind: 'probe' },
      { interval: 64, kind: 'probe' },
      { interval: 16, kind: 'entry' },
    ]);
    expect(parseSelectionFile(plan.text).samples).toEqual([
      { slot: 1, interval: 64 },
      { slot: 2, interval: 64 },
      { slot: 3, interval: 16 },
    ]);
  });

  it('has another id when other visits are timed', () => {
    const id = (interval?: number): string =>
      planSelection(siteMap, ['leaf'], new Map(interval === undefined ? [] : [['leaf', interval]])).id;
    expect(new Set([id(), id(16), id(32)]).size).toBe(3);
  });

  it('has the phase, selected or not, with all its instances, and all its visits timed', () => {
    const plan = planSelection(siteMap, ['main'], new Map([['leaf', 64]]), new Set(['leaf']));
    expect(plan.slots).toEqual(['main', 'leaf', 'leaf']);
    expect(plan.phases).toEqual([1, 2]);
    expect(plan.samples).toEqual([undefined, undefined, undefined]);
    expect(parseSelectionFile(plan.text).phases).toEqual([1, 2]);
    expect(plan.id).not.toBe(planSelection(siteMap, ['main', 'leaf']).id);
  });

  it('samples no more slots than the runtime has room for', () => {
    const keys = Array.from({ length: 1100 }, (_, i) => `f${i}`);
    const many = { ...siteMap, functions: new Map(keys.map((key, i) => [key, [site('entry', 16 * i)]])) };
    const { samples } = planSelection(many, keys, new Map(keys.map((key) => [key, 16])));
    expect(samples.filter((sample) => sample !== undefined)).toHaveLength(1024);
    expect(samples).toHaveLength(1100);
  });
});
