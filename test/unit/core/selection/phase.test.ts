import { describe, expect, it } from 'vitest';
import { phaseFunctions } from '../../../../src/core/selection/phase';
import { plainName, qualifiedName } from '../../../../src/core/callgraph/regionKeys';
import { fn, graphOf } from './graphs';

describe('the function that a target names as its phase', () => {
  const graph = graphOf(
    [
      fn('_ZN3sim5ModelIdE7advanceEi', { name: 'sim::Model::advance [T = double]' }),
      fn('_ZN3sim5ModelIdEC1Ev', { name: 'sim::Model::Model [T = double]' }),
      fn('_ZN3sim5Plain7advanceEi', { name: 'sim::Plain::advance' }),
      fn('_ZN3sim5Plain6outputEv', { name: 'sim::Plain::output' }),
      fn('__grid_MOD_step', { name: 'grid::step' }),
    ],
    [],
  );
  const found = (phase: string): readonly string[] => [...phaseFunctions(graph, phase)];

  it('is found whether or not template arguments and arguments are given', () => {
    for (const phase of [
      'sim::Model<double>::advance',
      'sim::Model<double>::advance(int)',
      'sim::Model::advance',
      'Model::advance',
      'sim::Model::advance [T = double]',
      '_ZN3sim5ModelIdE7advanceEi',
    ])
      expect(found(phase), phase).toEqual(['_ZN3sim5ModelIdE7advanceEi']);
    expect(found('step')).toEqual(['__grid_MOD_step']);
  });

  it('is each one of that name when nothing tells them apart, and no other one', () => {
    expect(found('advance')).toEqual(['_ZN3sim5ModelIdE7advanceEi', '_ZN3sim5Plain7advanceEi']);
    expect(found('other::output')).toEqual(['_ZN3sim5Plain6outputEv']);
    expect(found('Model<double>')).toEqual(['_ZN3sim5ModelIdEC1Ev']);
    expect(found('solve')).toEqual([]);
  });
});

describe('names without what compilers add', () => {
  it.each([
    ['double ns::Grid<int>::at(int) const', 'ns::Grid::at', 'at'],
    ['ns::Grid<std::pair<int, A<int>>>::at(int)', 'ns::Grid::at', 'at'],
    ['T ns::Grid<T>::at(int) [with T = int]', 'ns::Grid::at', 'at'],
    ['(anonymous namespace)::step(int)', 'step', 'step'],
    ['int {anonymous}::step(int)', 'step', 'step'],
    ['(anonymous)::step', 'step', 'step'],
    ['bool ns::operator< <int>(Grid<int> const&)', 'ns::operator', 'operator'],
    ['std::ostream& operator<<(std::ostream&)', 'operator', 'operator'],
    ['ns::Grid<int>::operator->()', 'ns::Grid::operator->', 'operator->'],
    ['char *name', 'name', 'name'],
    ['', '', ''],
  ])('%s', (shown, qualified, plain) => {
    expect(qualifiedName(shown)).toBe(qualified);
    expect(plainName(shown)).toBe(plain);
  });

  it('takes no longer than a name is long', () => {
    expect(plainName(`f${'<'.repeat(200_000)}${'>'.repeat(200_000)}`)).toBe('f');
  });
});
