import { describe, expect, it } from 'vitest';
import { leftByExceptions } from '../../../../../../src/measurement/backends/scorep/unfit/leftByExceptions';
import { fn, graphOf } from '../../../../core/selection/graphs';

const none = { from: new Set<string>(), into: new Set<string>() };
const all = new Set(['main', 'run', 'middle', 'risky', 'safe', 'jumper']);

const graph = graphOf(
  [
    fn('main'),
    fn('run'),
    fn('middle'),
    fn('risky'),
    fn('safe'),
    fn('jumper'),
    fn('__cxa_throw'),
    fn('__cxa_begin_catch'),
  ],
  [
    ['main', 'run'],
    ['run', 'middle'],
    ['run', 'safe'],
    ['run', '__cxa_begin_catch'],
    ['middle', 'risky'],
    ['middle', 'jumper'],
    ['risky', '__cxa_throw'],
  ],
);

describe('functions that an exception or a jump leaves', () => {
  it('are those between the throw and the handler, the nearest to the throw first', () => {
    expect(leftByExceptions(graph, all, none, false)).toEqual(['risky', 'middle']);
  });

  it('go on through handlers, which may be for something else', () => {
    expect(leftByExceptions(graph, all, none, true)).toEqual(['risky', 'middle', 'run', 'main']);
  });

  it('count only where they are recorded', () => {
    expect(leftByExceptions(graph, new Set(['middle', 'safe']), none, false)).toEqual(['middle']);
  });

  it('know long jumps from the texts', () => {
    const jumps = { from: new Set(['jumper']), into: new Set(['run']) };
    const calm = graphOf(
      [fn('main'), fn('run'), fn('middle'), fn('jumper')],
      [
        ['main', 'run'],
        ['run', 'middle'],
        ['middle', 'jumper'],
      ],
    );
    expect(leftByExceptions(calm, all, jumps, false)).toEqual(['jumper', 'middle']);
  });

  it('end with recursion', () => {
    const ring = graphOf(
      [fn('a'), fn('b'), fn('__cxa_throw')],
      [
        ['a', 'b'],
        ['b', 'a'],
        ['a', '__cxa_throw'],
      ],
    );
    expect(leftByExceptions(ring, new Set(['a', 'b']), none, true)).toEqual(['a', 'b']);
  });
});
