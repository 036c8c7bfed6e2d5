import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  foldedTree,
  membersOf,
  unfolded,
  type FoldedNode,
} from '../../../../../src/core/diagnosis/folding/foldedTree';
import { foldSource } from '../../../../../src/core/diagnosis/folding/foldSource';
import {
  compose,
  composeAll,
  difference,
  isEmpty,
  noFolding,
  ofOwners,
  type Folding,
} from '../../../../../src/core/diagnosis/folding/folding';
import { executableOf, sizeOf, type SourceNode } from '../../../../../src/core/diagnosis/folding/sourceGraph';
import type { Truth } from '../../../../../src/core/diagnosis/search/searchRecord';
import {
  below,
  calls,
  contentsOf,
  example,
  exampleProcess,
  fold,
  hostOf,
  hosts,
  lines,
  linesOf,
  plain,
  processOf,
  syntheticHost,
} from './graphs';
import { foldNaively } from './naiveFolding';
import { volume } from '../../../../volume';

const same = (a: Folding, b: Folding): void => {
  expect(contentsOf(a)).toEqual(contentsOf(b));
};

describe('the worked example', () => {
  const source = example('false', 'false', 'false', 'true');
  const folding = foldSource(source, plain);

  it('F1: has 9 nodes instead of 27, with counts and gauges', () => {
    expect(sizeOf(source)).toBe(27);
    expect(sizeOf(foldedTree(folding))).toBe(9);
    expect(linesOf(folding)).toEqual([
      'host c*.cs.wisc.edu true ×2 2/2',
      '  process myapp{*} true ×4 4/4',
      '    function main true ×4 4/4',
      '      function A true ×4 4/4',
      '        function C false ×4 4/4',
      '        function D true ×1 1/4',
      '        function D false ×3 3/4',
      '      function B false ×4 4/4',
    ]);
  });

  it('F1: has one node D of three processes, and a second one with the fourth', () => {
    const hostWith = (...processes: readonly SourceNode[]): Folding =>
      fold(hostOf(0, 'c33', 'true', exampleProcess(0, 1, 'false'), ...processes));
    const three = hostWith(exampleProcess(1, 2, 'false'), exampleProcess(2, 3, 'false'));
    const ofD = (folded: Folding): readonly string[] =>
      linesOf(folded)
        .filter((line) => line.includes('D'))
        .map((line) => line.trim());
    expect(ofD(three)).toEqual(['function D false ×3 3/3']);
    expect(ofD(compose(three, fold(hostOf(1, 'c34', 'true', exampleProcess(3, 4, 'true')))))).toEqual([
      'function D true ×1 1/4',
      'function D false ×3 3/4',
    ]);
  });

  const nodeD = (truth: Truth): FoldedNode => {
    let [node] = foldedTree(folding).children;
    for (const label of ['myapp', 'main', 'A']) node = node?.children.find((child) => child.label === label);
    const found = node?.children.find((child) => child.label === 'D' && child.truth === truth);
    if (found === undefined) throw new Error(`there is no D that is ${truth}`);
    return found;
  };

  it('F7: says who is behind a gauge', () => {
    expect(membersOf(nodeD('true'), folding.names, 10)).toEqual([
      { number: 3, host: 'c34.cs.wisc.edu', process: 'myapp{7625}' },
    ]);
    expect(membersOf(nodeD('false'), folding.names, 2)).toEqual([
      { number: 0, host: 'c33.cs.wisc.edu', process: 'myapp{1272}' },
      { number: 1, host: 'c33.cs.wisc.edu', process: 'myapp{1273}' },
    ]);
    const [host] = foldedTree(folding).children;
    expect(host && membersOf(host, folding.names, 10)).toEqual([
      { number: 0, host: 'c33.cs.wisc.edu' },
      { number: 1, host: 'c34.cs.wisc.edu' },
    ]);
  });

  it('F7: unfolding a process shows its own graph', () => {
    expect(lines(unfolded(folding, 3)).map((line) => line.replace(/ ×.*/, ''))).toEqual([
      'host c34.cs.wisc.edu true',
      '  process myapp{7625} true',
      '    function main true',
      '      function A true',
      '        function C false',
      '        function D true',
      '      function B false',
    ]);
    expect(unfolded(folding, 99).children).toEqual([]);
  });

  it('F7: what was folded of a process is what it shows when it is unfolded', () => {
    fc.assert(
      fc.property(hosts(1), (all) => {
        const folded = fold(...all);
        for (const host of all)
          for (const process of host.children)
            if (process.level === 'process')
              expect(shape(unfolded(folded, process.number).children)).toEqual(
                shape([{ ...host, children: [process] }]),
              );
      }),
      { numRuns: 30 },
    );
  });
});

/** Names and truths as a tree, in any order. */
function shape(nodes: readonly (SourceNode | FoldedNode)[]): readonly string[] {
  return nodes
    .map(
      (node) => `${'name' in node ? node.name : node.label} ${node.truth} [${shape(node.children).join()}]`,
    )
    .sort();
}

describe('folding', () => {
  it('F3: is what the published algorithm makes of the same graph', () => {
    fc.assert(
      fc.property(hosts(1), (all) => {
        const counts = linesOf(fold(...all)).map((line) => line.replace(/ \d+\/\d+$/, ''));
        expect([...counts].sort()).toEqual([...foldNaively(all)].sort());
      }),
      { numRuns: volume({ full: 300, usual: 75 }) },
    );
  });

  it('F3: flat, shuffled, in two levels and in three, the result is the same', () => {
    fc.assert(
      fc.property(
        hosts(2).chain((all) =>
          fc.tuple(
            fc.constant(all),
            fc.shuffledSubarray([...all], { minLength: all.length }),
            fc.nat(),
            fc.nat(),
          ),
        ),
        ([all, shuffled, first, second]) => {
          const cut = 1 + (first % (all.length - 1));
          const inner = second % (cut + 1);
          const flat = fold(...all);
          same(fold(...shuffled), flat);
          const right = fold(...shuffled.slice(cut));
          same(compose(fold(...shuffled.slice(0, cut)), right), flat);
          const left = compose(fold(...shuffled.slice(0, inner)), fold(...shuffled.slice(inner, cut)));
          same(compose(right, left), flat);
          same(composeAll(shuffled.map((host) => fold(host))), flat);
        },
      ),
      { numRuns: volume({ full: 300, usual: 75 }) },
    );
  });

  it('F3: what comes again changes nothing', () => {
    fc.assert(
      fc.property(hosts(2), (all) => {
        const [first] = all;
        const folding = fold(...all);
        same(compose(folding, folding), folding);
        if (first !== undefined) same(compose(folding, fold(first)), folding);
      }),
    );
  });

  it('F3: composing is associative, also of changes that replace', () => {
    const change = fc
      .tuple(hosts(0), hosts(0), fc.boolean())
      .map(([before, after, isWhole]) =>
        isWhole ? fold(...after) : difference(fold(...before), fold(...after)),
      );
    fc.assert(
      fc.property(change, change, change, (a, b, c) => {
        same(compose(compose(a, b), c), compose(a, compose(b, c)));
        same(compose(noFolding, a), a);
        same(compose(a, noFolding), a);
      }),
    );
  });

  it.each([16, 64, 256, 1024])('F6: %d processes of the oracle are 43 nodes', (processes) => {
    const all = Array.from({ length: processes }, (_, rank) => syntheticHost(rank));
    expect(sizeOf(below(...all))).toBe(30 * processes + 1);
    expect(sizeOf(foldedTree(fold(...all)))).toBe(43);
  });

  it('F8: two executables are two composites, each with the gauge of its own processes', () => {
    const host = (number: number): SourceNode =>
      hostOf(
        number,
        `n${number}`,
        'true',
        processOf(2 * number, `ocean{${number}}`, 'true', calls('main', 'true')),
        processOf(2 * number + 1, `ice{${number}}`, number === 0 ? 'true' : 'false', calls('main', 'false')),
      );
    expect(linesOf(fold(host(0), host(1), host(2)))).toEqual([
      'host n* true ×3 3/3',
      '  process ice{*} true ×1 1/3'.replace('ice{*}', 'ice{0}'),
      '    function main false ×1 1/1',
      '  process ice{*} false ×2 2/3',
      '    function main false ×2 2/2',
      '  process ocean{*} true ×3 3/3',
      '    function main true ×3 3/3',
    ]);
  });

  it('F8: with strict signatures there is a composite for each distinct whole sub-graph', () => {
    const source = example('false', 'false', 'false', 'true');
    const strict = foldSource(source, { strictSignatures: true });
    expect(linesOf(strict).filter((line) => line.includes('process'))).toHaveLength(2);
    expect(
      [...linesOf(strict)]
        .map((line) => line.trim())
        .filter((line) => /process|D|B/.test(line))
        .sort(),
    ).toEqual([
      'function B false ×1 1/1',
      'function B false ×3 3/3',
      'function D false ×3 3/3',
      'function D true ×1 1/1',
      'process myapp{*} true ×3 3/4',
      'process myapp{7625} true ×1 1/4',
    ]);
  });

  it('F8: signatures do not depend on the order of children', () => {
    const process = (number: number, ...order: readonly string[]): SourceNode =>
      processOf(number, `a{${number}}`, 'true', ...order.map((name) => calls(name, 'true')));
    const host = hostOf(
      0,
      'n0',
      'true',
      process(0, 'f', 'g'),
      process(1, 'g', 'f'),
      process(2, 'g'),
      process(3, 'f'),
    );
    const folded = foldSource(below(host), { strictSignatures: true });
    expect(
      linesOf(folded)
        .filter((line) => line.includes('process'))
        .map((line) => line.trim())
        .sort(),
    ).toEqual(['process a{*} true ×2 2/4', 'process a{2} true ×1 1/4', 'process a{3} true ×1 1/4']);
  });

  it('F1: threads of a process count each, and have a share of its threads', () => {
    const thread = (name: string, truth: Truth): SourceNode => ({
      level: 'thread',
      label: name,
      truth,
      children: [calls('f', truth)],
    });
    const process = processOf(
      4,
      'a{1}',
      'true',
      thread('0', 'true'),
      thread('1', 'true'),
      thread('2', 'false'),
    );
    expect(linesOf(fold(hostOf(1, 'n1', 'true', process)))).toEqual([
      'host n1 true ×1 1/1',
      '  process a{1} true ×1 1/1',
      '    thread * true ×2 2/3',
      '      function f true ×2 2/2',
      '    thread * false ×1 1/3',
      '      function f false ×1 1/1',
    ]);
  });

  it('shows what only leads to experiments without truth, and experiments with the whole program as one of one', () => {
    const source: SourceNode = {
      level: 'hypothesis',
      label: '',
      children: [
        {
          level: 'hypothesis',
          label: 'CPUBound',
          children: [
            { level: 'program', label: '', truth: 'true', children: [calls('main', 'false')] },
            hostOf(0, 'n0', 'true'),
          ],
        },
      ],
    };
    const folded = foldSource(source, plain);
    expect(linesOf(folded)).toEqual([
      'hypothesis CPUBound – ×1',
      '  program  true ×1 1/1',
      '    function main false ×1 1/1',
      '  host n0 true ×1 1/1',
    ]);
    const program = foldedTree(folded).children[0]?.children[0];
    expect(program && membersOf(program, folded.names, 10)).toEqual([]);
    same(compose(folded, folded), folded);
  });

  it('a call chain of any depth keeps it', () => {
    let chain = calls('leaf', 'true');
    for (let depth = 0; depth < 500; depth++) chain = calls(`f${depth}`, 'true', chain);
    expect(sizeOf(foldedTree(fold(hostOf(0, 'n', 'true', processOf(0, 'a', 'true', chain)))))).toBe(504);
  });

  it.each([
    ['om3{1374}', 'om3'],
    ['MPI Rank 3', 'MPI Rank *'],
    ['solver', 'solver'],
  ])('the executable of %s is %s', (process, executable) => {
    expect(executableOf(process)).toBe(executable);
  });
});

describe('changes', () => {
  it('F5: unknown, true, false and back move counts and leave no node behind', () => {
    const steps: readonly (readonly Truth[])[] = [
      ['unknown', 'unknown', 'unknown', 'unknown'],
      ['true', 'unknown', 'unknown', 'unknown'],
      ['true', 'true', 'false', 'unknown'],
      ['false', 'true', 'false', 'true'],
      ['false', 'false', 'false', 'false'],
    ];
    const counts = steps.map((truths) => {
      const [a = 'unknown', b = 'unknown', c = 'unknown', d = 'unknown'] = truths;
      return foldSource(example(a, b, c, d), plain);
    });
    let folding = noFolding;
    let before = noFolding;
    const ofD = counts.map((graph) => {
      folding = compose(folding, before === noFolding ? graph : difference(before, graph));
      before = graph;
      same(folding, graph);
      return linesOf(folding)
        .filter((line) => line.includes('D'))
        .map((line) => line.trim().replace('function D ', ''));
    });
    expect(ofD).toEqual([
      ['unknown ×4 4/4'],
      ['true ×1 1/4', 'unknown ×3 3/4'],
      ['true ×2 2/4', 'false ×1 1/4', 'unknown ×1 1/4'],
      ['true ×2 2/4', 'false ×2 2/4'],
      ['false ×4 4/4'],
    ]);
  });

  it('F5: a flip of a node above others moves all that is below it', () => {
    const chain = (truth: Truth): Folding =>
      fold(
        hostOf(
          0,
          'n',
          'true',
          processOf(0, 'a', 'true', calls('f', truth, calls('g', 'true', calls('h', 'false')))),
        ),
      );
    const change = difference(chain('true'), chain('false'));
    expect(change.entries.size).toBe(6);
    same(compose(chain('true'), change), chain('false'));
  });

  it('F4: the difference of any two graphs leads from one to the other', () => {
    fc.assert(
      fc.property(hosts(0), hosts(0), (before, after) => {
        const [a, b] = [fold(...before), fold(...after)];
        const { entries } = compose(a, difference(a, b));
        expect(entries).toEqual(b.entries);
        expect(isEmpty(difference(a, a))).toBe(true);
      }),
    );
  });

  it('F4: a graph that is sent whole makes good what was lost before', () => {
    fc.assert(
      fc.property(hosts(1), hosts(1), hosts(1), (others, before, after) => {
        const elsewhere = others.map((host) => moved(host, 100));
        const lost = compose(fold(...elsewhere), difference(fold(...before), fold(...after)));
        const whole = fold(...after);
        const owners = fold(...before).replaced;
        const good = compose(lost, {
          ...whole,
          replaced: compose({ ...noFolding, replaced: owners }, whole).replaced,
        });
        expect(good.entries).toEqual(compose(fold(...elsewhere), whole).entries);
      }),
    );
  });

  it('what owners have is taken out of a graph without the rest', () => {
    fc.assert(
      fc.property(hosts(2), (all) => {
        const [first] = all;
        if (first === undefined) return;
        const own = fold(first);
        expect(ofOwners(fold(...all), own.replaced).entries).toEqual(own.entries);
      }),
    );
  });

  it('of two names of one number the first in the alphabet stays, whichever came first', () => {
    const named = (host: string, process: string): Folding =>
      fold(hostOf(0, host, 'true', processOf(0, process, 'true')));
    const [a, b] = [named('a', 'q{1}'), named('b', 'q{0}')];
    for (const both of [compose(a, b), compose(b, a)]) {
      expect(both.names.hosts.get(0)).toBe('a');
      expect(both.names.processes.get(0)).toEqual({ label: 'q{0}', host: 0 });
    }
  });
});

/** The same host and processes with other numbers. */
function moved(node: SourceNode, by: number): SourceNode {
  const children = node.children.map((child) => moved(child, by));
  return 'number' in node ? { ...node, number: node.number + by, children } : { ...node, children };
}
