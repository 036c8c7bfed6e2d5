import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visibleControls } from '../../../../src/core/names/visibleControls';

describe('names with characters that nobody sees', () => {
  it('show them', () => {
    expect(visibleControls('a\nb\u0000c\u007f')).toBe('a␊b␀c␡');
    expect(visibleControls('run\u202Egpj.exe')).toBe('run⟨U+202E⟩gpj.exe');
    expect(visibleControls('a\u200Bb\uFEFFc\u0085')).toBe('a⟨U+200B⟩b⟨U+FEFF⟩c⟨U+0085⟩');
  });

  it('stay as they are without', () => {
    for (const name of ['', 'operator<', 'größe::λ(int)', '😀']) expect(visibleControls(name)).toBe(name);
  });

  it('have none left, and lose nothing else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const shown = visibleControls(name);
        expect(shown).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u);
        expect(visibleControls(shown)).toBe(shown);
        expect(shown.length).toBeGreaterThanOrEqual(name.length);
      }),
    );
  });
});
