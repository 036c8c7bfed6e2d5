import { expect, test } from 'vitest';
import { proposedGrowths, wrongExpectations } from '../../../../../src/editor/words/settings/expectationText';

const text = `{
  "targets": [
    { "name": "a", "parameters": { "n": [1] }, "expect": { "solve": "O(n log p)", "pack": "O(m)", } },
    { "name": "b", "parameters": { "p": [1] }, "expect": { "f": 3, "g": "np^2", "h": "O(t" } },
  ], // of two programs
}`;

test('growths that cannot be read have their place, and what was expected there', () => {
  const wrong = wrongExpectations(text);
  expect(wrong.map(({ offset, length }) => text.slice(offset, offset + length))).toEqual(['"O(m)"', '"O(t"']);
  expect(wrong[0]?.message).toBe(
    '“O(m)” is no growth: the parameters n, p, t with powers and logarithms, such as O(n log n), were expected at “m”.',
  );
});

test('a text that is no JSON yet has none', () => {
  for (const part of ['', '{', '[]', '{"targets": 3}', '{"targets": [{"expect": "O(n)"}, 3]}'])
    expect(wrongExpectations(part)).toEqual([]);
});

test('growths of each parameter are proposed, the slowest first', () => {
  expect(proposedGrowths(text, 1).slice(0, 4)).toEqual(['O(1)', 'O(log p)', 'O(p)', 'O(p log p)']);
  expect(proposedGrowths(text, 1)).toContain('O(t^2)');
  expect(proposedGrowths(text, 7)).toEqual([]);
});
