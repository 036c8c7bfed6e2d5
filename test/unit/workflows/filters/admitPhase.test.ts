import { expect, test } from 'vitest';
import { inlinedPhase } from '../../../../src/core/selection/phase';
import { admitPhase } from '../../../../src/workflows/filters/admitNamed';
import { fn } from '../../core/selection/graphs';

const graph = { functions: [fn('step', { name: 'step' }), fn('main', { name: 'main' })], edges: [[], []] };

test('a phase that was inlined is one sentence, as soon as the program is built', () => {
  const { functions, notes } = admitPhase({ graph, sites: new Map([['main', 'probe']]) }, 'step');
  expect([...functions]).toEqual(['step']);
  expect(notes).toEqual([inlinedPhase('step')]);
  expect(notes.join()).toMatch(/^There are no iterations of “step”: it was inlined .*noinline/);
});

test('a phase that can be recorded, or that no function is, needs none', () => {
  expect(admitPhase({ graph, sites: new Map([['step', 'probe']]) }, 'step').notes).toEqual([]);
  expect(admitPhase({ graph, sites: new Map([['main', 'probe']]) }, 'marked').notes).toEqual([]);
});

test('what a back-end knows of the reason stays', () => {
  const why = 'is excluded when the program is compiled';
  const { notes } = admitPhase({ graph, sites: new Map(), whyNotRecorded: () => why }, 'step');
  expect(notes).toEqual([`step ${why}.`]);
});
