import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { describe, expect, it } from 'vitest';

const name = 'no-restricted-syntax';
const file = pathToFileURL(path.resolve(import.meta.dirname, '../../eslint.config.mjs'));
const { default: config } = (await import(file.href)) as { readonly default: readonly Linter.Config[] };
const rule = config.find(({ rules }) => rules?.[name] !== undefined)?.rules?.[name];

/** How often the rule of shares finds fault with a line. */
function found(code: string): number {
  const messages = new Linter().verify(code, {
    languageOptions: { parser: tseslint.parser },
    rules: { [name]: rule ?? 'off' },
  });
  expect(messages.filter(({ ruleId }) => ruleId !== name)).toEqual([]);
  return messages.length;
}

describe('the lint rule of shares', () => {
  it.each([
    'const share = (own / base.seconds) as number;',
    'const share = times.own / measures.runSeconds;',
    'const percent = (100 * own) / totalSeconds;',
    'const share = 0.5 as Share;',
  ])('forbids %s', (code) => expect(found(code)).toBe(1));

  it.each([
    'const share = shareOf(own, base);',
    'const perVisit = seconds / visits;',
    'const factor = costs.pairSeconds / calibration.pairSeconds;',
    'const mean = base.seconds / threads;',
    'const half: Share = shareOf(1, { seconds: 2 });',
  ])('lets through %s', (code) => expect(found(code)).toBe(0));
});
