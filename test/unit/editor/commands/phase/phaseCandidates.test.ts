import { expect, it } from 'vitest';
import { phaseCandidates } from '../../../../../src/editor/commands/phase/phaseCandidates';
import type { FunctionRow } from '../../../../../src/core/functions/functionRow';

function ran(name: string, visits: number, inclusiveShare: number): FunctionRow {
  return { key: name, name, selected: true, hasSite: true, visits, inclusiveShare };
}

it('a phase runs several times, and is the outermost of those that take most of the time', () => {
  const functions = [
    ran('kernel', 5_000_000, 0.9),
    ran('main', 1, 1),
    ran('step', 128, 0.97),
    ran('sweep', 256, 0.97),
    ran('unused', 12, 0),
    ran('output', 12, 0.004),
  ];
  expect(phaseCandidates(functions).map(({ name }) => name)).toEqual(['step', 'sweep', 'kernel']);
});
