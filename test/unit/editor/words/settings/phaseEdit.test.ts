import { applyEdits, parse } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { targetEdit } from '../../../../../src/editor/words/settings/targetEdit';

const phaseEdit = (text: string, target: string, phase: string) =>
  targetEdit(text, target, (edited) => edited.set(['phase'], phase));

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

const edited = (of: string, target: string, phase: string): string => {
  const edit = phaseEdit(of, target, phase);
  return edit === undefined ? of : applyEdits(of, [edit]);
};

test('the phase is added to the right target, and nothing else changes', () => {
  const after = edited(text, 'b', 'step(int)');
  const { targets } = parse(after) as { targets: { name: string; phase?: string }[] };
  expect(targets.map(({ name, phase }) => [name, phase])).toEqual([
    ['a', undefined],
    ['b', 'step(int)'],
  ]);
  // Line by line: only the one that is new was not there.
  const before = text.split('\n');
  expect(after.split('\n').filter((line) => !before.includes(line))).toEqual(['      "phase": "step(int)"']);
});

test('one that is there is replaced', () => {
  const twice = edited(edited(text, 'a', 'first'), 'a', 'second "quoted"');
  expect((parse(twice) as { targets: { phase?: string }[] }).targets[0]?.phase).toBe('second "quoted"');
  expect(twice).not.toContain('first');
});

test.each(['', '{', '[]', '{"targets": 3}', text])('no target of that name: %j', (content) =>
  expect(phaseEdit(content, 'none', 'x')).toBeUndefined(),
);
