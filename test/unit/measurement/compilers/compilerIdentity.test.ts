import { describe, expect, it } from 'vitest';
import { identityOfMacros } from '../../../../src/measurement/compilers/compilerIdentity';

const gnu = '#define __GNUC__ 12\n#define __GNUC_MINOR__ 2\n#define __GNUC_PATCHLEVEL__ 0\n';
const clang =
  '#define __clang__ 1\n#define __clang_major__ 19\n#define __clang_minor__ 1\n#define __clang_patchlevel__ 7\n';

describe('identityOfMacros', () => {
  it.each([
    ['gcc', `${gnu}#define __x86_64__ 1\n`, { family: 'gcc', version: '12.2.0', architecture: 'x86-64' }],
    [
      'clang, which also says it is gcc 4.2',
      `#define __GNUC__ 4\n${clang}#define __aarch64__ 1\n`,
      { family: 'clang', version: '19.1.7', architecture: 'aarch64' },
    ],
    [
      'a 32-bit x86',
      `${gnu}#define __i386__ 1\n`,
      { family: 'gcc', version: '12.2.0', architecture: 'other' },
    ],
    [
      'x32',
      `${gnu}#define __x86_64__ 1\n#define __ILP32__ 1\n`,
      { family: 'gcc', version: '12.2.0', architecture: 'other' },
    ],
    [
      'big-endian ARM',
      `${gnu}#define __aarch64__ 1\n#define __AARCH64EB__ 1\n`,
      { family: 'gcc', version: '12.2.0', architecture: 'other' },
    ],
    [
      'what imitates gcc',
      `${gnu}#define __x86_64__ 1\n#define __NVCOMPILER 1\n`,
      { family: 'other', version: '', architecture: 'x86-64' },
    ],
    ['nothing', '', { family: 'other', version: '', architecture: 'other' }],
  ])('%s', (_, text, expected) => {
    expect(identityOfMacros(text)).toEqual(expected);
  });
});
