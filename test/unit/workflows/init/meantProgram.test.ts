import { describe, expect, it } from 'vitest';
import { meantProgram } from '../../../../src/workflows/init/meantProgram';

describe('the program that is meant', () => {
  it.each([
    ['a.out', ['./a.out'], 0],
    ['src/app', ['app', 'src/app'], 1],
    // Built elsewhere by hand, and again in the folder of Kymo's builds.
    ['app', ['build-kymo/app'], 0],
    ['build/src/app', ['build-kymo/app', 'build-kymo/src/app'], 1],
    ['build/app', ['build-kymo/src/app'], 0],
  ])('by %s among %j is number %i', (wanted, files, position) =>
    expect(meantProgram(files, wanted)).toBe(position),
  );
  it.each([
    ['other/app', ['serial/app']],
    ['app', ['app2', 'build-kymo/app2']],
    ['app', ['build-kymo/a/app', 'build-kymo/b/app']],
    ['app', []],
  ])('by %s is none of %j', (wanted, files) => expect(meantProgram(files, wanted)).toBeUndefined());
});
