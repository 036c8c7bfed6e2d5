import { expect, it } from 'vitest';
import { consentDetail } from '../../../../../src/editor/words/settings/consentText';

it('shows each command as one line that hides nothing', () => {
  const line = 'make\nrun:  ./harmless\u202e\u2028x\tend';
  const text = consentDetail('/home/ada/code', { name: 'heat', commands: [{ purpose: 'build', line }] });
  expect(text.split('\n').filter((part) => part.includes('make'))).toEqual([
    'build:  make⏎run:  ./harmless\\u{202e}\\u{2028}x\\u{9}end',
  ]);
  expect(text).not.toContain('\u202e');
});
