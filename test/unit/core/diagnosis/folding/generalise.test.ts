import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generalise } from '../../../../../src/core/diagnosis/folding/generalise';

describe('what labels have in common', () => {
  it.each([
    ['c*.cs.wisc.edu', ['c33.cs.wisc.edu', 'c34.cs.wisc.edu']],
    ['myapp{*}', ['myapp{1272}', 'myapp{1273}', 'myapp{7624}', 'myapp{7625}']],
    ['blue*.llnl.gov', ['blue200.llnl.gov', 'blue202.llnl.gov']],
    ['node*', ['node001', 'node017']],
    ['login-*.x.org', ['login-a.x.org', 'login-b.x.org']],
    ['*{*}', ['om3{1}', 'ocean{2}']],
    ['node*-rack*', ['node1-rack2', 'node3-rack4']],
    ['c33', ['c33', 'c33']],
    ['a*', ['a', 'a1']],
    ['*1', ['1', 'a1']],
    ['*', ['a', '1']],
    ['*', []],
  ])('F2: is %s', (common, labels) => {
    expect(generalise(labels)).toBe(common);
  });

  it('F2: a star of a label is a gap and equal to nothing', () => {
    expect(generalise(['a*b', 'a*c'])).toBe('a*');
    expect(generalise(['x*', 'x*y'])).toBe('x*');
    expect(generalise(['x**1'])).toBe('x**1');
  });

  const label = fc
    .array(fc.constantFrom('c', 'node', '1', '23', '.', '-', '{', '}', 'é', '*'))
    .map((parts) => parts.join(''));

  it('F2: does not depend on the order, nor on labels that come again', () => {
    fc.assert(
      fc.property(fc.array(label, { minLength: 1 }), fc.nat(), (labels, turn) => {
        const turned = [
          ...labels.slice(turn % labels.length),
          ...labels,
          ...labels.slice(0, turn % labels.length),
        ];
        expect(generalise(turned.reverse())).toBe(generalise(labels));
      }),
    );
  });

  it('F2: stands for each of the labels, and has no two stars side by side', () => {
    fc.assert(
      fc.property(fc.uniqueArray(label, { minLength: 2 }), (labels) => {
        const common = generalise(labels);
        const pattern = new RegExp(
          `^${common
            .split('*')
            .map((part) => part.replace(/[.{}-]/g, String.raw`\$&`))
            .join('.*')}$`,
        );
        for (const one of labels) expect(one).toMatch(pattern);
        expect(common).not.toContain('**');
      }),
    );
  });
});
