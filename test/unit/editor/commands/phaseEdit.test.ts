import { applyEdits, parse } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { phaseEdits } from '../../../../src/editor/commands/phaseEdit';

const text = `{
  // how it is built
  "version": 1,
  "targets": [
    { "name": "a", "build": { "command": "make" }, "executable": "./a" },
    {
      "name": "b",
      "executable": "./b", // the program
    },
  ]
}
`;

test('the phase is added to the right target, and nothing else changes', () => {
  const edited = applyEdits(text, [...(phaseEdits(text, 'b', 'step(int)') ?? [])]);
  const { targets } = parse(edited) as { targets: { name: string; phase?: string }[] };
  expect(targets.map(({ name, phase }) => [name, phase])).toEqual([
    ['a', undefined],
    ['b', 'step(int)'],
  ]);
  expect(edited).toContain('// how it is built');
  expect(edited).toContain('// the program');
});

test('one that is there is replaced', () => {
  const once = applyEdits(text, [...(phaseEdits(text, 'a', 'first') ?? [])]);
  const twice = applyEdits(once, [...(phaseEdits(once, 'a', 'second "quoted"') ?? [])]);
  expect((parse(twice) as { targets: { phase?: string }[] }).targets[0]?.phase).toBe('second "quoted"');
  expect(twice).not.toContain('first');
});

test.each(['', '{', '[]', '{"targets": 3}', text])('no target of that name: %j', (content) =>
  expect(phaseEdits(content, 'none', 'x')).toBeUndefined(),
);
