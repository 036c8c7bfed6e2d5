import { describe, expect, it } from 'vitest';
import { errorToast } from '../../../../../src/editor/words/studies/errorToast';

describe('the notification of an error', () => {
  it('of a program has its last output before the advice', () => {
    const message = [
      'tiny ended with status 3 after 0.02 s. A measurement needs a run that succeeds: check "arguments". It printed last:',
      '  reading mesh.dat',
      '  cannot open mesh.dat',
      'Command: ./tiny',
      'Its whole output: /w/output.txt',
    ].join('\n');
    expect(errorToast(message)).toBe(
      'tiny ended with status 3 after 0.02 s. It printed last: “cannot open mesh.dat”. A measurement needs a run that succeeds: check "arguments".',
    );
  });

  it('prefers a line about an error to one that the program had in its buffer', () => {
    const message = 'tiny ended. It printed last:\n  cannot open mesh.dat\n  2000 sweeps\nCommand: ./tiny';
    expect(errorToast(message)).toBe('tiny ended. It printed last: “cannot open mesh.dat”.');
  });

  it('of a build begins with the error, at a place relative to the folder', () => {
    const place =
      '/w/a b/main.c:6:10: ‘summe’ undeclared; did you mean ‘sum’? Fix this, or run the command yourself for the full output.';
    expect(
      errorToast(`The build command “make CC=/long/path/kymo-cc” in /w/a b ended with status 2: ${place}`),
    ).toBe(
      'The build command ended with status 2: main.c:6:10: ‘summe’ undeclared; did you mean ‘sum’? Fix this, or run the command yourself for the full output.',
    );
  });

  it('of anything else is its first line, which is cut where it is long', () => {
    expect(errorToast('No C compiler was found.\nmore')).toBe('No C compiler was found.');
    expect(errorToast('tiny ended. It printed nothing.\nCommand: x')).toBe('tiny ended. It printed nothing.');
    expect(errorToast('a'.repeat(1000))).toHaveLength(360);
  });
});
