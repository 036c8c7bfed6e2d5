import { describe, expect, test } from 'vitest';
import { type ConceptGraph, conceptGraph } from '../../../../../src/core/groups/graph/conceptGraph';
import {
  graphDot,
  graphDrawing,
  nodeBox,
  type GraphLayout,
} from '../../../../../src/core/groups/graph/export';
import { conceptLattice } from '../../../../../src/core/groups/graph/lattice';
import { graphSvg } from '../../../../../src/core/groups/graph/svg';
import { contextOf, many, ranks, w6, w8 } from '../contexts';

/** The layout of the product is a library's (test/unit/workflows/groups). */
function oneBelowTheOther({ nodes }: ConceptGraph): GraphLayout {
  const centres = nodes.map((_, node) => ({ x: 151, y: 33 + 100 * node }));
  return {
    width: 302,
    height: 100 * nodes.length,
    centres,
    edges: nodes.flatMap(({ above }, lower) =>
      above.map((upper) => ({ lower, upper, points: [centres[upper]!, centres[lower]!] })),
    ),
  };
}

function drawingOf(context: typeof w8) {
  const drawing = graphDrawing(context, conceptGraph(context), oneBelowTheOther);
  if ('reason' in drawing) throw new Error(drawing.reason);
  return drawing;
}

describe('a drawing of the graph', () => {
  test('G3: W8 has 4 nodes, with sizes, names, shares and groups of functions', () => {
    const { nodes, edges } = drawingOf(w8);
    expect(nodes.map(({ lines }) => lines)).toEqual([
      [
        'common to 16 threads',
        '109 new pairs (24.1 %): 109 program',
        'common_0, common_1, common_2 and 106 more',
      ],
      [
        'ranks 1–3 (3 threads)',
        '216 new pairs (47.7 %): 216 program',
        'process_0, process_1, process_2 and 213 more',
      ],
      ['rank 0 (1 thread)', '95 new pairs (21.0 %): 95 program', 'first_0, first_1, first_2 and 92 more'],
      [
        'threads 1–3 of ranks 0–3 (12 threads)',
        '33 new pairs (7.3 %): 33 program',
        'thread_0, thread_1, thread_2 and 30 more',
      ],
    ]);
    expect(edges.map(({ lower, upper }) => [lower, upper])).toEqual([
      [1, 0],
      [2, 1],
      [3, 0],
    ]);
    // Those of the group that the node names; all that have what it holds, where these are more.
    expect(nodes.map(({ processes, all }) => [processes.length, all?.length])).toEqual([
      [16, undefined],
      [3, 4],
      [1, undefined],
      [12, undefined],
    ]);
  });

  test('G3: functions are counted by what they belong to', () => {
    const names = [
      'MPI_Send',
      'mpi_recv_',
      '!$omp barrier',
      'omp_get_num_threads',
      'cudaMalloc',
      'cuInit',
      'fopen',
      'printf',
      'current',
      'reader',
    ];
    const { nodes } = drawingOf(contextOf(ranks(names), 'functions'));
    expect(nodes[0]?.lines[1]).toBe('10 new functions (100 %): 2 MPI, 2 OpenMP, 2 CUDA, 2 I/O, 2 program');
  });

  test('G3: a node without attributes of its own names its group', () => {
    expect(drawingOf(w6).nodes.at(-1)?.lines).toEqual(['rank 2 (1 rank)']);
  });

  test('G4: more than 60 nodes are explained, not drawn', () => {
    const rows = (count: number) => many(count, (index) => `f${index}`).map((name) => [name]);
    const [drawn, not] = [60, 61].map((count) => {
      const context = contextOf(ranks(...rows(count)));
      return graphDrawing(context, conceptGraph(context), oneBelowTheOther);
    });
    expect(drawn).toHaveProperty('nodes.length', 60);
    expect(not).toEqual({
      reason:
        'The graph has 61 nodes; above 60, edges cross too often to be followed. The list of groups, their similarity matrix and the differences of two groups show the same; a coarser comparison has fewer nodes, and a .dot file has all of them.',
    });
  });

  test('G3: a node of the lattice that nobody has says so', () => {
    const { graph } = conceptLattice(w8) as { graph: ConceptGraph };
    const drawing = graphDrawing(w8, graph, oneBelowTheOther);
    expect('nodes' in drawing && drawing.nodes.at(-1)).toMatchObject({
      lines: ['no thread has all of it'],
      processes: [],
    });
  });
});

const hostile = [
  '"];evil [label="',
  'a\\',
  '<script>&</script>',
  'a\nb',
  '\ud800',
  '\u202egnp',
  'x'.repeat(100_000),
  ']]>',
];

describe('exported graphs', () => {
  test('G5: DOT', () => {
    expect(graphDot(w6, conceptGraph(w6))).toBe(
      `digraph groups {
  node [shape=box];
  edge [dir=back];
  n0 [label="rank 0 (1 rank)\\n1 new function (33.3 %): 1 program\\nA"];
  n1 [label="ranks 1, 3 (2 ranks)\\n2 new functions (66.7 %): 2 program\\nB and C"];
  n2 [label="rank 2 (1 rank)"];
  n0 -> n2;
  n1 -> n2;
}
`,
    );
  });

  test('G5: names in DOT end no string and begin no line', () => {
    for (const name of hostile) {
      const context = contextOf(ranks([name]), 'functions');
      const lines = graphDot(context, conceptGraph(context)).split('\n');
      expect(lines).toHaveLength(6);
      expect(lines[3]).toMatch(/^ {2}n0 \[label="(?:[^"\\]|\\["\\n])*"\];$/);
    }
  });

  test('G5: SVG has a box for each node and a line for each edge', () => {
    const svg = graphSvg(drawingOf(w8));
    expect(svg.match(/<rect /g)).toHaveLength(4);
    expect(svg.match(/<polyline /g)).toHaveLength(3);
    const of = (pattern: RegExp): readonly (readonly number[])[] =>
      [...svg.matchAll(pattern)].map(([, ...numbers]) => numbers.map(Number));
    const [width, height] = of(/viewBox="0 0 ([\d.]+) ([\d.]+)"/g)[0]!;
    const boxes = of(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g);
    for (const [x, y, w, h] of boxes as [number, number, number, number][]) {
      expect([x >= 0, y >= 0, x + w <= width!, y + h <= height!]).toEqual([true, true, true, true]);
      const overlaps = boxes.filter(([x2, y2]) => Math.abs(x - x2!) < w && Math.abs(y - y2!) < h);
      expect(overlaps).toHaveLength(1);
    }
    // Each text is within a box, and short enough.
    const clips = of(/<svg x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g);
    expect(clips).toEqual(boxes);
    const texts = [...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)">([^<]*)</g)];
    expect(texts).toHaveLength(12);
    texts.forEach(([, x, y, text], index) => {
      expect([Number(x), Number(y)]).toEqual([8, 18 * ((index % 3) + 1)]);
      expect(Number(y)).toBeLessThan(boxes[0]![3]!);
      expect(text!.length).toBeLessThanOrEqual(40);
    });
    expect(texts[0]?.[3]).toBe('common to 16 threads');
    expect(texts[2]?.[3]).toBe('common_0, common_1, common_2 and 106 mo…');
    const long = (length: number): string =>
      graphSvg(drawingOf(contextOf(ranks(['y'.repeat(length)]), 'functions')));
    expect(long(40)).toContain(`>${'y'.repeat(40)}</text>`);
    expect(long(41)).toContain(`>${'y'.repeat(39)}…</text>`);
    expect(svg).toContain('<polyline points="151,33 151,133" fill="none"');
    expect(boxes.map(([, , ...size]) => size)).toEqual(Array(4).fill([nodeBox.width, nodeBox.height]));
  });

  test('G5: names in SVG are text', () => {
    const context = contextOf(ranks(...hostile.map((name) => [name])), 'functions');
    const svg = graphSvg(drawingOf(context));
    expect(svg).not.toMatch(/<script|&(?!amp;|lt;|gt;|quot;)|[\ud800-\udfff]/u);
    expect(svg.match(/<[^>]*>/g)?.every((tag) => /^<\/?(svg|title|polyline|g|rect|text)\b/.test(tag))).toBe(
      true,
    );
    expect(svg.length).toBeLessThan(10_000);
  });
});
