import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExperimentFolder } from '../../../../src/formats/extrap/folderName';

/** `prefix|parameters|repetition`, in short. */
function parsed(name: string): string | undefined {
  const folder = parseExperimentFolder(name);
  if (folder === undefined) return undefined;
  const { prefix, parameters, repetition } = folder;
  return [prefix, parameters.map(({ name: of, value }) => `${of}=${value}`).join(' '), repetition].join('|');
}

describe('names of experiments’ folders', () => {
  it.each([
    // As Extra-P reads them.
    ['mm.x1y1z1.r1', 'mm|x=1 y=1 z=1|1'],
    ['x10y1z1', '|x=10 y=1 z=1|'],
    ['mm.x20,5.y20,5.z1,5.r1', 'mm|x=20.5 y=20.5 z=1.5|1'],
    ['mm.x21.5,y21,5,z1.15.r1', 'mm|x=21.5 y=21.5 z=1.15|1'],
    ['mm.x1.1y1.1z1.1', 'mm|x=1.1 y=1.1 z=1.1|'],
    ['mm.x1y1.r12', 'mm|x=1 y=1|12'],
    ['example.f3', 'example|f=3|'],
    ['mm.x1..r2', 'mm|x=1|2'],
    ['mm.x1y2.', 'mm|x=1 y=2|'],
    ['mm.x1.r1.old', 'mm|x=1|1'],
    ['app2.p4', 'app2|p=4|'],
    ['mm.n1e3', 'mm|n=1 e=3|'],
    ['n007', '|n=7|'],
    // Extra-P does not understand these, or reads other names.
    ['mm.ranks4', 'mm|ranks=4|'],
    ['mm.ranks4.r2', 'mm|ranks=4|2'],
    ['my.app.p2', 'my.app|p=2|'],
    ['my.app.v3.p2n4.r1', 'my.app|v=3 p=2 n=4|1'],
    ['run_p2_n3', '|run_p=2 n=3|'],
    ['mm.p_2', 'mm|p=2|'],
    ['mm.num-threads4', 'mm|num-threads=4|'],
    ['p-2', '|p=-2|'],
    ['mm.p-2n-1.5', 'mm|p=-2 n=-1.5|'],
    ['mm.größe3', 'mm|größe=3|'],
    ['mm.r4x2.r1', 'mm|r=4 x=2|1'],
    ['x1.5', '|x=1.5|'],
    // PIRA's.
    ['gol.size50.pofi.r1', 'gol|size=50|1'],
    ['app.x50.np8.pofi.r3', 'app|x=50 np=8|3'],
    ['app.res50.r7.pofi.r2', 'app|res=50 r=7|2'],
    ['app.-s100.pofi.r2', 'app|s=100|2'],
    ['app.pofi.r1', undefined],
    // No parameters.
    ['scorep-20200101_1200_1', undefined],
    ['mm.4x', undefined],
    ['mm', undefined],
    ['', undefined],
    ['.', undefined],
    ['42', undefined],
    ['mm.x', undefined],
    ['mm.r1', undefined],
    ['mm.4x.r1', undefined],
    ['mm.x1x2', undefined],
    ['mm.x1.2.3', undefined],
    ['mm.x1 y2', undefined],
    ['mm.x1y2_', undefined],
    [`x${'9'.repeat(400)}`, undefined],
  ])('%s', (name, expected) => {
    expect(parsed(name)).toBe(expected);
  });

  it('reads what it says again', () => {
    const value = fc.oneof(
      fc.nat(),
      fc.integer({ min: 1, max: 10_000 }).map((thousandths) => thousandths / 1000),
    );
    const parameters = fc.uniqueArray(fc.record({ name: fc.stringMatching(/^[a-z]{1,4}$/), value }), {
      minLength: 1,
      maxLength: 4,
      selector: ({ name }) => name,
    });
    fc.assert(
      fc.property(parameters, fc.nat(), fc.constantFrom('', '.', '_'), (given, repetition, between) => {
        const name = `mm.${given.map(({ name: of, value: is }) => `${of}${is}`).join(between)}.r${repetition}`;
        expect(parseExperimentFolder(name)).toEqual({ prefix: 'mm', parameters: given, repetition });
      }),
    );
  });
});
