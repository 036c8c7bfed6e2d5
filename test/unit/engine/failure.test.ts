import { describe, expect, it } from 'vitest';
import { KymoError } from '../../../src/core/errors';
import { EngineError, toFailure } from '../../../src/engine/failure';
import { BuildError } from '../../../src/measurement/build/buildError';

describe('a failed build on its way to the extension', () => {
  it('has all messages of the compiler that have a place, and the first error in its sentence', () => {
    const error = new BuildError(
      'make',
      '/w',
      'ended with status 2',
      [
        { file: '/w/a.cpp', line: 3, column: 7, severity: 'error', text: 'no x' },
        { file: '/w/b.cpp', line: 9, severity: 'warning', text: 'unused' },
        { severity: 'error', text: 'linker: no y' },
      ],
      'output',
    );
    const { diagnostics, message } = new EngineError(toFailure(error));
    expect(message).toContain('/w/a.cpp:3:7: no x (and 1 more)');
    expect(diagnostics).toEqual([
      { file: '/w/a.cpp', line: 3, column: 7, severity: 'error', message: 'no x' },
      { file: '/w/b.cpp', line: 9, severity: 'warning', message: 'unused' },
    ]);
  });

  it('of another kind has none', () => {
    expect(toFailure(new KymoError('config-missing', 'None.')).diagnostics).toEqual([]);
    expect(toFailure('thrown')).toMatchObject({ reason: 'internal', message: 'thrown' });
  });
});
