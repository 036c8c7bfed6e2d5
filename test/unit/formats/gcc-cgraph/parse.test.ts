import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseGccCgraph } from '../../../../src/formats/gcc-cgraph/parse';

/** The shapes of gcc 12; older versions differ in what stands behind the names. */
const dump = `Initial Symbol table:

_ZTV1B/9 (int (* B::_ZTV1B [4])(...)) @0x7f01
  Type: variable definition analyzed
  Visibility: public
  References: _ZTI1B/8 (addr) _ZN1B1fEv/3 (addr) double B::g(int)/4 (addr) 
  Referring: 
_ZTI1B/8 (const __si_class_type_info_pseudo _ZTI1B) @0x7f02
  Type: variable definition analyzed
  References: _ZTVN10__cxxabiv120__si_class_type_infoE/7 (addr) _ZTI1A/6 (addr) 
main/1 (int main()) @0x7f03
  Type: function definition analyzed
  Visibility: force_output public
  References: _ZL3cmpPKv/5 (addr) 
  Function flags: body
  Called by: 
  Calls: double B::g(int)/4 (can throw external) qsort/2 (1.00 per call) 
   Indirect call(can throw external) num speculative call targets: 0
   Polymorphic indirect call of type const struct A token:1num speculative call targets: 0
    Outer type (dynamic):struct A (or a derived type) offset 0
double B::g(int)/4 (virtual double B::g(int)) @0x7f04
  Type: function definition analyzed
  Visibility: public weak comdat
  References: 
_ZL3cmpPKv/5 (int cmp(const void*)) @0x7f05
  Type: function definition analyzed
  Visibility: prevailing_def_ironly
  Address is taken.
_ZN1BC1Ev/10 (B::B()) @0x7f06
  Type: function definition analyzed alias cpp_implicit_alias
  Visibility: public
  References: _ZN1BC2Ev/11 (alias) 
_ZN1BC2Ev/11 (B::B()) @0x7f07
  Type: function definition analyzed
  Visibility: public
_ZN1B1fEv/3 (void B::f()) @0x7f08
  Type: function definition analyzed
  Visibility: public
_ZN1BC1ERKS_/13 (B::B(const B&)) @0x7f10
  Type: function definition analyzed
  Visibility: no_reorder public weak one_only visibility_specified artificial
unused/12 (void unused())
  Type: function definition
qsort/2 (void qsort(void*)) @0x7f09
  Type: function
  Visibility: external public

Optimized Symbol table:

main/1 (int main()) @0x7f03
  Type: function definition analyzed
  Calls: _ZN1B1gEi/4 inlined/99 
`;

describe("gcc's symbol table", () => {
  const graph = parseGccCgraph(dump);
  const named = new Map(graph.functions.map((each) => [each.mangledName, each]));

  it('gives calls and references before optimisation, with the mangled names of later tables', () => {
    expect(named.get('main')).toEqual({
      mangledName: 'main',
      prettyName: 'int main()',
      hasBody: true,
      isLocal: false,
      callees: ['_ZN1B1gEi', 'qsort'],
      references: ['_ZL3cmpPKv'],
      indirectCalls: 1,
      virtualCalls: [{ type: 'A', slot: 1 }],
    });
  });

  it('tells what the compiler made', () => {
    expect(
      graph.functions.filter(({ isArtificial }) => isArtificial).map(({ mangledName }) => mangledName),
    ).toEqual(['_ZN1BC1ERKS_']);
  });

  it('tells local functions, declarations and other names of one function', () => {
    expect(named.get('_ZL3cmpPKv')?.isLocal).toBe(true);
    expect(named.get('qsort')?.hasBody).toBe(false);
    expect(named.get('_ZN1BC1Ev')?.aliasOf).toBe('_ZN1BC2Ev');
    expect(named.has('unused')).toBe(false);
  });

  it('gives classes with their virtual tables', () => {
    expect(graph.classes.find(({ mangledName }) => mangledName === '1B')).toEqual({
      mangledName: '1B',
      bases: ['1A'],
      tables: [['_ZN1B1fEv', '_ZN1B1gEi']],
      isComplete: true,
    });
  });

  it('makes an empty graph of anything else, and never throws', () => {
    expect(parseGccCgraph('')).toEqual({ functions: [], classes: [], inData: [] });
    const lines = dump.split('\n');
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...lines), fc.string()), { maxLength: 60 }), (some) => {
        expect(() => parseGccCgraph(some.join('\n'))).not.toThrow();
      }),
    );
  });
});
