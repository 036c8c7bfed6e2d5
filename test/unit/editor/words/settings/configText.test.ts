import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { misspelledKeys, valueAt } from '../../../../../src/editor/words/settings/configText';

const text = `{
  // a comment
  "version": 1,
  "target": [],
  "targets": [
    {
      "name": "nbody",
      "biuld": { "command": "make" },
      "build": { "comand": "make CC=\${cc}", "cwd": "." },
      "executable": "./nb",
      "parameters": { "naem": [1] },
      "phase": "st",
      "run": { "evironment": { "anything": "1" } },
      "whatever": 1,
    },
  ],
}`;

describe('keys of kymo.json that were misspelled', () => {
  it('are found at their place with the key that was meant, unless that is there already', () => {
    const found = misspelledKeys(text);
    expect(found.map(({ key, suggestion }) => [key, suggestion])).toEqual([
      ['comand', 'command'],
      ['evironment', 'environment'],
    ]);
    for (const { offset, length, key } of found)
      expect(text.slice(offset, offset + length)).toBe(JSON.stringify(key));
  });

  it('any text is looked at without throwing', () => {
    fc.assert(
      fc.property(fc.nat(text.length), fc.nat(text.length), fc.string(), (from, to, piece) => {
        const broken = text.slice(0, from) + piece + text.slice(to);
        misspelledKeys(broken);
        valueAt(broken, Math.min(from + piece.length, broken.length));
      }),
    );
  });
});

describe('what can be completed', () => {
  const at = (before: string) => valueAt(text, text.indexOf(before) + before.length);

  it('a phase, with the target it is of', () => {
    expect(at('"phase": "st')?.place).toEqual({ kind: 'phase', target: 'nbody' });
  });
  it('an executable, as the whole value', () => {
    const value = at('"executable": "./');
    expect(value?.place).toEqual({ kind: 'executable' });
    expect(text.slice(value?.offset, (value?.offset ?? 0) + (value?.length ?? 0))).toBe('"./nb"');
  });
  it('a build command', () => {
    const command = '{"targets":[{"build":{"command":"make $"}}]}';
    expect(valueAt(command, command.indexOf('$') + 1)?.place).toEqual({ kind: 'command' });
  });
  it('a function of which a growth is expected, and that growth', () => {
    const growth = '{"targets":[{}, {"expect":{"f(int)":"O("}}]}';
    const after = (before: string) => valueAt(growth, growth.indexOf(before) + before.length)?.place;
    expect(after('{"f(')).toEqual({ kind: 'expected-function' });
    expect(after('"O(')).toEqual({ kind: 'growth', target: 1 });
  });
  it('nothing elsewhere: a name, a key, behind the closing quote', () => {
    expect(at('"name": "nb')).toBeUndefined();
    expect(at('"pha')).toBeUndefined();
    expect(at('"phase": "st"')).toBeUndefined();
  });
});
