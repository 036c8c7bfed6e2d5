import { describe, expect, it } from 'vitest';
import {
  findInlinedAway,
  missedProperty,
  type InlinedInput,
} from '../../../../src/core/problems/inlinedAway';
import { defaultThresholds } from '../../../../src/core/problems/context/thresholds';
import { fn, graphOf } from '../selection/graphs';

const callers = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `caller${index}`);

/** `main` calls `count` recorded functions, which call `kernel`. */
function input(count: number, facts: Partial<InlinedInput> = {}): InlinedInput {
  const names = callers(count);
  return {
    graph: graphOf(
      [fn('main'), ...names.map((name) => fn(name)), fn('kernel', { statements: 10 })],
      [...names.map((name) => ['main', name] as const), ...names.map((name) => [name, 'kernel'] as const)],
    ),
    sites: new Map(names.map((name) => [name, 'probe'])),
    thresholds: defaultThresholds,
    recorded: new Set(names),
    ...facts,
  };
}

describe('a function without anything to patch', () => {
  it.each([
    [1, 'kernel was inlined and cannot be recorded; its time is seen in caller0'],
    [3, 'kernel was inlined and cannot be recorded; its time is seen in caller0, caller1, caller2'],
    [
      4,
      'kernel was inlined and cannot be recorded; its time is seen in caller0, caller1, caller2 and 1 more',
    ],
    [
      60,
      'kernel was inlined and cannot be recorded; its time is seen in caller0, caller1, caller2 and 47 more',
    ],
  ])('below %d recorded functions', (count, title) => {
    expect(findInlinedAway(input(count))).toEqual([
      {
        id: 'inlined-away:kernel',
        kind: 'inlined-away',
        title,
        severity: 0,
        confidence: 1,
        region: { name: 'kernel' },
        evidence: { statements: 10, loops: 0, recordedCallers: Math.min(50, count) },
      },
    ]);
  });

  it('may have its time nowhere', () => {
    expect(findInlinedAway(input(2, { recorded: new Set() }))[0]?.title).toBe(
      'kernel was inlined and cannot be recorded',
    );
  });

  it('has the reason why it was left out', () => {
    const whyNotRecorded = (key: string): string | undefined =>
      key === 'kernel' ? 'is too small' : undefined;
    expect(findInlinedAway(input(1, { whyNotRecorded }))[0]).toMatchObject({
      id: 'not-recorded:kernel',
      kind: 'not-recorded',
      title: 'kernel is too small; its time is seen in caller0',
    });
  });

  it.each([
    ['enough statements', { statements: 10 }, true],
    ['fewer', { statements: 9 }, false],
    ['a loop', { loops: 1 }, true],
    ['no body', { statements: 10, loops: 1, hasBody: false }, false],
    ['a header of the system', { statements: 10, isSystem: true }, false],
  ])('is missed with %s: %j', (_, facts, isMissed) => {
    const graph = graphOf([fn('main'), fn('kernel', facts)], [['main', 'kernel']]);
    expect(findInlinedAway(input(0, { graph })).map(({ id }) => id)).toEqual(
      isMissed ? ['inlined-away:kernel'] : [],
    );
  });

  it('is missed where it can be reached, and has no site', () => {
    const graph = graphOf([fn('main'), fn('kernel', { loops: 1 })], []);
    expect(findInlinedAway(input(0, { graph }))).toEqual([]);
    const sites = new Map([['kernel', 'entry' as const]]);
    expect(findInlinedAway({ ...input(1), sites })).toEqual([]);
  });

  it('is missed where it is wanted, however small', () => {
    const graph = graphOf(
      [fn('main'), fn('small'), fn('kernel', { loops: 1 }), fn('outside', { hasBody: false })],
      [
        ['main', 'small'],
        ['main', 'kernel'],
        ['main', 'outside'],
      ],
    );
    const wanted = new Set(['small', 'outside']);
    expect(findInlinedAway(input(0, { graph, wanted })).map(({ id }) => id)).toEqual(['inlined-away:small']);
  });

  it('has its place, if that is known', () => {
    expect(missedProperty({ key: 'k', name: 'f', file: '/a.c', line: 3 }, undefined, ['g', 'h'])).toEqual({
      id: 'inlined-away:k',
      kind: 'inlined-away',
      title: 'f was inlined and cannot be recorded; its time is seen in g, h',
      severity: 0,
      confidence: 1,
      region: { name: 'f', file: '/a.c', line: 3 },
      evidence: { recordedCallers: 2 },
    });
  });
});
