import { describe, expect, it } from 'vitest';
import {
  dynamicRegionsIn,
  phaseNote,
} from '../../../../../../src/measurement/backends/scorep/build/phaseNote';
import { fn, graphOf } from '../../../../core/selection/graphs';

describe('dynamic regions of a source', () => {
  it.each([
    ['SCOREP_USER_REGION_BEGIN(h, "step", SCOREP_USER_REGION_TYPE_DYNAMIC)', ['step']],
    [
      'SCOREP_USER_REGION_BEGIN(h,\n  "step",\n  SCOREP_USER_REGION_TYPE_COMMON | SCOREP_USER_REGION_TYPE_DYNAMIC);',
      ['step'],
    ],
    ['SCOREP_USER_REGION("step",SCOREP_USER_REGION_TYPE_DYNAMIC)', ['step']],
    ["      SCOREP_USER_REGION_BY_NAME_BEGIN('step', SCOREP_USER_REGION_TYPE_DYNAMIC)", ['step']],
    ['SCOREP_USER_REGION_INIT(h, NAME, SCOREP_USER_REGION_TYPE_DYNAMIC);', []],
  ])('%s', (text, names) => {
    expect(dynamicRegionsIn(`int f();\n${text}\n`)).toEqual({ marked: true, names });
  });

  it.each([
    'SCOREP_USER_REGION_BEGIN(h, "step", SCOREP_USER_REGION_TYPE_PHASE)',
    '// SCOREP_USER_REGION_BEGIN(h, "step", SCOREP_USER_REGION_TYPE_DYNAMIC)',
    '/* SCOREP_USER_REGION_BEGIN(h, "step", SCOREP_USER_REGION_TYPE_DYNAMIC) */',
    '  ! SCOREP_USER_REGION_BEGIN(h, "step", SCOREP_USER_REGION_TYPE_DYNAMIC)',
    'SCOREP_USER_REGION_BEGIN(h, "a", SCOREP_USER_REGION_TYPE_LOOP); int t = SCOREP_USER_REGION_TYPE_DYNAMIC;',
    '',
  ])('not: %s', (text) => {
    expect(dynamicRegionsIn(text)).toEqual({ marked: false, names: [] });
  });
});

describe('the note on a phase', () => {
  const graph = graphOf([fn('main'), fn('_Z4stepd', { name: 'sim::step(double)' })], []);
  const none = { marked: false, names: [] };
  const marked = { marked: true, names: ['timestep'] };

  it('is none where the sources mark iterations and the marks are compiled', () => {
    expect(phaseNote('timestep', graph, marked, ['--user'])).toBeUndefined();
    expect(phaseNote('step', graph, marked, ['--nomemory', '--user'])).toBeUndefined();
  });

  it('names what is missing', () => {
    expect(phaseNote('timestep', graph, marked, [])).toMatch(/without "--user"/);
    expect(phaseNote('step', graph, none, [])).toMatch(/is recorded, but.*TYPE_DYNAMIC/);
  });

  it('says when the program has no such function, and which one is near', () => {
    expect(phaseNote('stpe', graph, none, [])).toMatch(/no function “stpe” \(did you mean step\?\)/);
    expect(phaseNote('something', graph, none, [])).toMatch(/no function “something”, and/);
  });
});
