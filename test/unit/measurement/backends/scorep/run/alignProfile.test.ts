import { describe, expect, it } from 'vitest';
import type { CallGraph, CallGraphFunction } from '../../../../../../src/core/callgraph/callGraph';
import type { Profile, Region } from '../../../../../../src/core/profile/profile';
import { alignProfile } from '../../../../../../src/measurement/backends/scorep/run/alignProfile';
import { isStructor } from '../../../../../../src/measurement/backends/scorep/unfit/structors';

const knows = (...mangled: readonly string[]): CallGraph =>
  ({
    functions: mangled.map((mangledName) => ({ mangledName })) as CallGraphFunction[],
  }) as unknown as CallGraph;
const region = (mangledName: string): Region => ({
  name: mangledName,
  mangledName,
  paradigm: 'compiler',
  role: 'function',
});
const aligned = (graph: CallGraph, ...mangled: readonly string[]): readonly (string | undefined)[] =>
  alignProfile({ regions: mangled.map(region) } as unknown as Profile, graph).regions.map(
    (r) => r.mangledName,
  );

describe('names of constructors and destructors', () => {
  it('are one function with several symbols', () => {
    expect([isStructor('_ZN1GC1Ei'), isStructor('_ZNK1G3sumEv')]).toEqual([true, false]);
  });

  it('of a profile become those of the call graph', () => {
    expect(
      aligned(knows('_ZN1GC1Ei', '_ZN1G3sumEv'), '_ZN1GC2Ei', '_ZN1G3sumEv', '_ZN1HC2Ev', 'MPI_Send'),
    ).toEqual(['_ZN1GC1Ei', '_ZN1G3sumEv', '_ZN1HC2Ev', 'MPI_Send']);
  });

  it('stay where the graph knows them as they are', () => {
    expect(aligned(knows('_ZN1GC1Ei', '_ZN1GC2Ei'), '_ZN1GC2Ei', '_ZN1GC1Ei')).toEqual([
      '_ZN1GC2Ei',
      '_ZN1GC1Ei',
    ]);
  });
});
