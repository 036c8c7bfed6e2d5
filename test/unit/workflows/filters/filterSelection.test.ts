import { describe, expect, it } from 'vitest';
import { selectedKeys } from '../../../../src/core/selection/selection';
import { Recordable } from '../../../../src/measurement/backends/scorep/unfit/recordable';
import { filterSelection, type FilterSelection } from '../../../../src/workflows/filters/filterSelection';
import { selectionIn } from '../../../../src/workflows/filters/selectionFile';
import { fn, graphOf } from '../../core/selection/graphs';

const cc = { file: '/p/a.cc' };
const graph = graphOf(
  [
    fn('main', { statements: 20, mangledName: 'main', ...cc }),
    fn('_ZN3geo4areaEv', { name: 'geo::area', mangledName: '_ZN3geo4areaEv', statements: 20, ...cc }),
    fn('_ZN3geo3getEv', { name: 'geo::get', mangledName: '_ZN3geo3getEv', ...cc }),
    fn('_ZN3geo3BoxC1ERKS0_', {
      name: 'geo::Box::Box(const geo::Box&)',
      mangledName: '_ZN3geo3BoxC1ERKS0_',
      isArtificial: true,
      ...cc,
    }),
    fn('_ZNSt6vectorI3geoE3getEv', {
      name: 'std::vector<geo>::get()',
      mangledName: '_ZNSt6vectorI3geoE3getEv',
      isSystem: true,
    }),
  ],
  [],
);

function selected(text: string, file = 'my.filter'): FilterSelection & { keys: readonly string[] } {
  const recordable = new Recordable(graph, 10);
  const { sites, whyNotRecorded } = recordable;
  const given = selectionIn(text, file);
  const result = filterSelection(given, { graph, sites, whyNotRecorded, reserve: recordable }, file);
  return { ...result, keys: selectedKeys(result.selection) };
}

const regions = (...rules: readonly string[]): string =>
  ['SCOREP_REGION_NAMES_BEGIN', ...rules, 'SCOREP_REGION_NAMES_END', ''].join('\n');

describe('the selection of a filter', () => {
  it('has the small functions that it names, by name and by pattern', () => {
    for (const rules of [
      ['EXCLUDE *', 'INCLUDE MANGLED _ZN3geo3getEv'],
      ['EXCLUDE *', 'INCLUDE *geo::get*'],
    ])
      expect(selected(regions(...rules))).toMatchObject({ keys: ['_ZN3geo3getEv'], notes: [] });
    expect(selected('_ZN3geo3getEv\n', 'list.txt').keys).toEqual(['_ZN3geo3getEv']);
  });

  it('leaves small ones out that it only lets in, and says so', () => {
    const { keys, notes } = selected(regions('EXCLUDE MANGLED _ZN3geo4areaEv'));
    expect(keys).toEqual(['main']);
    expect(notes).toEqual([expect.stringMatching(/^1 small function that my.filter lets in/)]);
  });

  it('says why what it names cannot be recorded: any symbol of a constructor, nothing of libraries that a star matches', () => {
    const { keys, notes } = selected(regions('EXCLUDE *', 'INCLUDE MANGLED main _ZN3geo3BoxC2ERKS0_'));
    expect(keys).toEqual(['main']);
    expect(notes).toEqual([
      expect.stringMatching(/^geo::Box::Box\(const geo::Box&\) was made by the compiler/),
    ]);
    const starred = selected(regions('EXCLUDE *', 'INCLUDE *get*'));
    expect(starred).toMatchObject({ keys: ['_ZN3geo3getEv'], notes: [] });
  });

  it('says what the program does not have, with the function that is meant', () => {
    const list = selected(regions('EXCLUDE *', 'INCLUDE main area geo::gte'));
    expect(list.notes).toEqual([
      expect.stringMatching(
        /^2 of the 3 functions that my.filter names.*: area \(did you mean _ZN3geo4areaEv\?\), geo::gte \(did you mean _ZN3geo3getEv\?\)/,
      ),
    ]);
    const { notes } = selected(
      regions('EXCLUDE *', 'INCLUDE mian main', 'INCLUDE *::none*', 'INCLUDE *area*'),
    );
    expect(notes).toEqual([
      'my.filter:3: “mian” matches no function of the program (did you mean MANGLED main?).',
      'my.filter:4: “*::none*” matches no function of the program.',
    ]);
  });

  it('is refused when nothing that it names can be recorded', () => {
    expect(() => selected(regions('EXCLUDE *', 'INCLUDE mian'))).toThrow(
      /Nothing that my.filter names can be recorded.*mian \(did you mean main\?\)/,
    );
    expect(selected(regions('EXCLUDE *')).keys).toEqual([]);
  });
});
