import { describe, expect, it } from 'vitest';
import {
  likeliestSource,
  mapSourcePath,
  ruleWithin,
  sourcePathRule,
} from '../../../../src/core/lines/sourcePaths';

describe('source paths', () => {
  const rules = [
    { from: '/build', to: '/home/me' },
    { from: '/build/lulesh/', to: '/work/lulesh' },
  ];

  it('are mapped by the longest prefix of whole folders', () => {
    expect(mapSourcePath('/build/lulesh/src/a.cc', rules)).toBe('/work/lulesh/src/a.cc');
    expect(mapSourcePath('/build/milc/a.c', rules)).toBe('/home/me/milc/a.c');
    expect(mapSourcePath('/builds/a.c', rules)).toBe('/builds/a.c');
    expect(mapSourcePath('/build', rules)).toBe('/home/me');
    expect(mapSourcePath('a.c', [{ from: '', to: '/x' }])).toBe('a.c');
  });

  it('make the rule that leads from one to the other', () => {
    const rule = sourcePathRule('/build/x/src/a.c', '/home/me/src/a.c');
    expect(rule).toEqual({ from: '/build/x', to: '/home/me' });
    expect(mapSourcePath('/build/x/src/b.c', [rule!])).toBe('/home/me/src/b.c');
    expect(sourcePathRule('/build/a.c', '/home/b.c')).toBeUndefined();
    expect(sourcePathRule('/a/b.c', '/a/b.c')).toBeUndefined();
  });

  it('lead to the file with the longest common end, if there is only one', () => {
    expect(likeliestSource('/b/src/io/a.c', ['/w/src/net/a.c', '/w/src/io/a.c'])).toBe('/w/src/io/a.c');
    expect(likeliestSource('/b/a.c', ['/w/x/a.c', '/w/y/a.c'])).toBeUndefined();
    // Whatever the order.
    const [near, far, other] = ['/w/src/io/a.c', '/w/src/net/a.c', '/w/src/io/b.c'];
    for (const candidates of [
      [near, far, other],
      [other, near, far],
      [far, far, near],
    ])
      expect(likeliestSource('/b/src/io/a.c', candidates)).toBe(near);
    expect(likeliestSource('/b/src/io/a.c', [near, far, near])).toBeUndefined();
    expect(likeliestSource('/b/a.c', ['/w/x/aa.c'])).toBeUndefined();
  });
});

describe('a rule in the settings of a workspace', () => {
  it.each([
    ['/w', '/w/src', 'src'],
    ['/w', '/w', '.'],
    ['/w/', '/w/a/b', 'a/b'],
    ['/w', '/work/src', '/work/src'],
    ['', '/w/src', '/w/src'],
  ])('in %s maps to %s as %s', (root, to, stored) => {
    expect(ruleWithin(root, { from: '/build', to })).toEqual({ from: '/build', to: stored });
  });
});
