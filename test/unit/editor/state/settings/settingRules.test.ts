import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import manifest from '../../../../../package.json';
import { declaredSettings, settingFault } from '../../../../../src/editor/state/settings/settingRules';

describe('settings against their declaration', () => {
  const share = { type: 'number', minimum: 0, maximum: 100 };

  it.each([
    [{ type: 'boolean' }, 'yes', 'must be true or false, found "yes"'],
    [share, -1, 'must be a number from 0 to 100, found -1'],
    [share, '5', 'must be a number from 0 to 100, found "5"'],
    [{ type: 'integer', minimum: 1 }, 1.5, 'must be a whole number of at least 1, found 1.5'],
    [{ enum: ['above', 'off'] }, 'below', 'must be "above" or "off", found "below"'],
    [{ type: 'array', items: { type: 'string' } }, ['a', 1], 'must be a list of texts, found ["a",1]'],
    [{ type: 'string' }, null, 'must be a text, found null'],
  ])('%j refuses %j', (declaration, value, fault) => {
    expect(settingFault(declaration, value)).toBe(fault);
  });

  it('accepts exactly the numbers in range', () => {
    fc.assert(
      fc.property(fc.double(), (value) => {
        expect(settingFault(share, value) === undefined).toBe(value >= 0 && value <= 100);
      }),
    );
  });

  it('says something short of every value that JSON can hold', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const fault = settingFault({ type: 'boolean' }, value);
        expect(fault === undefined).toBe(typeof value === 'boolean');
        expect((fault ?? '').length).toBeLessThan(110);
      }),
    );
  });

  it('the defaults of package.json pass their own rules, and each setting has a description and a scope', () => {
    const declared = declaredSettings(manifest.contributes.configuration);
    expect(declared.size).toBeGreaterThan(1);
    for (const [name, declaration] of declared) {
      const described = declaration as Record<string, unknown>;
      expect(settingFault(declaration, described.default), name).toBeUndefined();
      expect(described.scope, `scope of ${name}`).toBeTypeOf('string');
      expect(described.markdownDescription ?? described.description, name).toBeTypeOf('string');
    }
  });
});
