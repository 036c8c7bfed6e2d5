import { describe, expect, it } from 'vitest';
import { shortList } from '../../../../src/core/names/shortList';

describe('a short list of functions', () => {
  it('has names without scope, arguments and parameters, those of overloads once', () =>
    expect(
      shortList([
        'Minisat::vec<Minisat::Watcher, int>::push(Watcher const&)',
        'Solver::value(Lit) const',
        'Solver::value(Var) const',
      ]),
    ).toBe('push and value'));

  it('counts what it does not name, and what it was not given', () => {
    const names = ['a', 'b', 'c', 'a', 'd'];
    expect(shortList(names, 5, 2)).toBe('a, b and 2 more');
    expect(shortList(names, 80, 3)).toBe('a, b, c and 76 more');
    expect(shortList(names.slice(0, 3), 3, 3)).toBe('a, b and c');
    expect(shortList(['only'])).toBe('only');
    expect(shortList([])).toBe('');
  });

  it('cuts a name of 10 kB', () => expect(shortList(['x'.repeat(10_000)]).length).toBeLessThan(100));
});
