import { describe, expect, it } from 'vitest';
import { foldSource } from '../../../../../src/core/diagnosis/folding/foldSource';
import { compose } from '../../../../../src/core/diagnosis/folding/folding';
import { Numbering, searchSource } from '../../../../../src/core/diagnosis/folding/searchSource';
import { wholeProgram, type Focus } from '../../../../../src/core/diagnosis/resources/focus';
import type {
  RefinementKind,
  SearchNode,
  SearchRecord,
  Truth,
} from '../../../../../src/core/diagnosis/search/searchRecord';
import { linesOf, plain } from './graphs';

/** An experiment: hypothesis, machine, function (`/` before it) or type and object (`#` before them), by their names; then truth and parents. */
type Row = readonly [name: string, truth: Truth, ...parents: readonly string[]];

const focusOf = (parts: readonly string[]): Focus => ({
  Machine: parts.filter((part) => !/^[/#]/.test(part)),
  Code: parts.filter((part) => part.startsWith('/')).flatMap((part) => ['a.c', part.slice(1)]),
  SyncObject: parts.filter((part) => part.startsWith('#')).map((part) => part.slice(1)),
});

function recordOf(rows: readonly Row[]): SearchRecord {
  const ids = new Map(rows.map(([name], id) => [name, id]));
  const nodes = rows.map(([name, truth, ...parents], id): SearchNode => {
    const [hypothesis = '', ...parts] = name.split(' ');
    const edge = (parent: string): SearchNode['parents'][number] => ({
      node: ids.get(parent)!,
      by: 'where',
      time: id,
    });
    const by: RefinementKind = hypothesis === 'deep' ? 'deep starter' : 'root';
    return {
      id,
      hypothesis,
      focus: parts.length === 0 ? wholeProgram : focusOf(parts),
      parents: parents.length === 0 ? [{ by, time: id }] : parents.map(edge),
      truth,
      activity: 'inactive',
      priority: 'where',
      threshold: 0.3,
      conclusions: [],
      predictedCost: 0,
    };
  });
  return {
    strategy: 'truly distributed',
    run: 'program',
    clock: 'virtual',
    deepStart: false,
    costLimit: 1.5,
    end: 60,
    state: 'steady',
    hypotheses: [],
    nodes,
    notices: [],
  };
}

const folded = (rows: readonly Row[], numbering = new Numbering()): readonly string[] =>
  linesOf(foldSource(searchSource(recordOf(rows), numbering), plain));

describe('the tree of a search that is folded', () => {
  it('F1: has experiments below the host, the process and the callers that led to them', () => {
    expect(
      folded([
        ['CPU n1', 'true'],
        ['CPU n1 p{1}', 'true', 'CPU n1'],
        ['CPU n1 p{2}', 'true', 'CPU n1'],
        ['CPU n1 p{1} /main', 'true', 'CPU n1 p{1}'],
        ['CPU n1 p{2} /main', 'true', 'CPU n1 p{2}'],
        ['CPU n1 p{1} /f', 'false', 'CPU n1 p{1} /main'],
        ['CPU n1 p{2} /f', 'unknown', 'CPU n1 p{2} /main'],
        ['Sync n1', 'false'],
      ]),
    ).toEqual([
      'hypothesis CPU – ×1',
      '  host n1 true ×1 1/1',
      '    process p{*} true ×2 2/2',
      '      function a.c/main true ×2 2/2',
      '        function a.c/f false ×1 1/2',
      '        function a.c/f unknown ×1 1/2',
      'hypothesis Sync – ×1',
      '  host n1 false ×1 1/1',
    ]);
  });

  it('has experiments with the whole program beside those with hosts, and synchronisation objects below their type', () => {
    expect(
      folded([
        ['Sync', 'true'],
        ['Sync /main', 'true', 'Sync'],
        ['Sync n1', 'false', 'Sync'],
        ['Sync /main #Message', 'true', 'Sync /main'],
        ['Sync /main #Message #7', 'false', 'Sync /main #Message'],
      ]),
    ).toEqual([
      'hypothesis Sync – ×1',
      '  program  true ×1 1/1',
      '    function a.c/main true ×1 1/1',
      '      category Message true ×1 1/1',
      '        object 7 false ×1 1/1',
      '  host n1 false ×1 1/1',
    ]);
  });

  it('D1: does not depend on which way an experiment was reached first', () => {
    const rows: readonly Row[] = [
      ['CPU n1', 'true'],
      ['CPU n1 p{1}', 'true', 'CPU n1'],
      ['CPU n1 /main', 'true', 'CPU n1'],
      ['CPU n1 /f', 'true', 'CPU n1 /main'],
      ['CPU n1 p{1} /main', 'true', 'CPU n1 p{1}'],
    ];
    const machineFirst: Row = ['CPU n1 p{1} /f', 'true', 'CPU n1 p{1} /main', 'CPU n1 /f'];
    const codeFirst: Row = ['CPU n1 p{1} /f', 'true', 'CPU n1 /f', 'CPU n1 p{1} /main'];
    expect(folded([...rows, codeFirst])).toEqual(folded([...rows, machineFirst]));
    expect(folded([...rows, codeFirst])).toContain('        function a.c/f true ×1 1/1');
  });

  it('D1: of several callers, has a function below the one nearest to the entry, then the first by name', () => {
    const rows = (...parentsOfC: readonly string[]): readonly Row[] => [
      ['CPU n1', 'true'],
      ['CPU n1 /main', 'true', 'CPU n1'],
      ['CPU n1 /b', 'true', 'CPU n1 /main'],
      ['CPU n1 /a', 'true', 'CPU n1 /main'],
      ['CPU n1 /aa', 'true', 'CPU n1 /a'],
      ['CPU n1 /c', 'false', ...parentsOfC.map((name) => `CPU n1 ${name}`)],
    ];
    const lines = folded(rows('/aa', '/b', '/a'));
    expect(lines).toEqual(folded(rows('/a', '/aa', '/b')));
    expect(lines.slice(3)).toEqual([
      '      function a.c/a true ×1 1/1',
      '        function a.c/aa true ×1 1/1',
      '        function a.c/c false ×1 1/1',
      '      function a.c/b true ×1 1/1',
    ]);
  });

  it('has functions that call each other once, below where they are entered', () => {
    expect(
      folded([
        ['CPU n1', 'true'],
        ['CPU n1 /f', 'true', 'CPU n1', 'CPU n1 /g'],
        ['CPU n1 /g', 'true', 'CPU n1 /f'],
      ]),
    ).toEqual([
      'hypothesis CPU – ×1',
      '  host n1 true ×1 1/1',
      '    function a.c/f true ×1 1/1',
      '      function a.c/g true ×1 1/1',
    ]);
  });

  it('has a deep starter that nothing leads to where its function was chosen, and hosts that only lead to something without truth', () => {
    expect(
      folded([
        ['CPU n1', 'true'],
        ['CPU n1 /deep', 'true'],
        ['CPU n2 p{1} /deep', 'true'],
      ]),
    ).toEqual([
      'hypothesis CPU – ×1',
      '  host n1 true ×1 1/2',
      '    function a.c/deep true ×1 1/1',
      '  host n2 – ×1 1/2',
      '    process p{1} – ×1 1/1',
      '      function a.c/deep true ×1 1/1',
    ]);
  });

  it('has a more precise hypothesis below what it makes more precise', () => {
    expect(
      folded([
        ['IO n1', 'true'],
        ['Small n1', 'true', 'IO n1'],
        ['Small n1 /f', 'false', 'Small n1'],
      ]),
    ).toEqual([
      'hypothesis IO – ×1',
      '  host n1 true ×1 1/1',
      '    hypothesis Small true ×1 1/1',
      '      function a.c/f false ×1 1/1',
    ]);
  });

  it('has what is only below itself at the top, once, as a damaged file may have it', () => {
    expect(
      folded([
        ['CPU n1', 'true', 'CPU n1'],
        ['A n2 /f', 'true', 'B n2 /f'],
        ['B n2 /f', 'true', 'A n2 /f'],
      ]),
    ).toEqual([
      'hypothesis A – ×1',
      '  host n2 – ×1 1/2',
      '    function a.c/f true ×1 1/1',
      '      hypothesis B true ×1 1/1',
      'hypothesis CPU – ×1',
      '  host n1 true ×1 1/2',
    ]);
    expect(
      folded([
        ['Sync n1 #Message #7', 'true', 'Sync n1 #Message'],
        ['Sync n1 #Message', 'false', 'Sync n1 #Message #7'],
      ]),
    ).toEqual(
      expect.arrayContaining([expect.stringContaining('object 7 true'), expect.stringContaining('false')]),
    );
  });

  it('D1: the front end and agents that find the same are folded to the same, also where a host is reached from the whole program', () => {
    const ofHost = (host: string): readonly Row[] => [
      [`IO ${host}`, 'true'],
      [`IO ${host} /main`, 'true', `IO ${host}`],
      [`Small ${host}`, 'true', `IO ${host}`],
      [`IO ${host} p{1}`, 'false', `IO ${host}`],
    ];
    const numbering = new Numbering();
    const agents = ['n1', 'n2'].map((host) =>
      foldSource(searchSource(recordOf(ofHost(host)), numbering), plain),
    );
    const whole: readonly Row[] = [
      ['IO', 'true'],
      ['IO /main', 'false', 'IO'],
      ['Small', 'true', 'IO'],
    ];
    const reached = ['n1', 'n2'].flatMap((host) =>
      ofHost(host).map(([name, truth, ...ways]): Row => [name, truth, name.replace(` ${host}`, ''), ...ways]),
    );
    const central = folded([...whole, ...reached], numbering);
    const distributed = linesOf(agents.reduce(compose));
    const first = distributed.indexOf('  host n* true ×2 2/2');
    expect(first).toBe(1);
    expect(central.slice(-distributed.length + 1)).toEqual(distributed.slice(1));
    expect(central.slice(0, 2)).toEqual(['hypothesis IO – ×1', '  program  true ×1 1/1']);
  });

  it('F3: agents that number from different beginnings are folded together', () => {
    const agent = (host: string, first: number): ReturnType<typeof foldSource> =>
      foldSource(
        searchSource(
          recordOf([
            [`CPU ${host}`, 'true'],
            [`CPU ${host} p{1}`, 'true', `CPU ${host}`],
            [`CPU ${host} p{2}`, 'true', `CPU ${host}`],
          ]),
          new Numbering(first, 2 * first),
        ),
        plain,
      );
    expect(linesOf(compose(agent('n0', 0), agent('n1', 1)))).toEqual([
      'hypothesis CPU – ×1',
      '  host n* true ×2 2/2',
      '    process p{*} true ×4 4/4',
    ]);
  });
});
