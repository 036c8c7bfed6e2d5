import type { Block, ReportDocument } from '../../../../src/cli/report/base/document';

/** A report with a block of each kind, all of whose texts come from a function. @param text is called for each text */
export function reportOf(text: () => string): ReportDocument {
  const blocks: readonly Block[] = [
    { kind: 'text', text: text(), manner: 'verdict' },
    { kind: 'text', text: text(), manner: 'note' },
    { kind: 'text', text: text() },
    { kind: 'heading', text: text() },
    { kind: 'list', items: [text(), text()] },
    { kind: 'facts', facts: [[text(), text()]] },
    { kind: 'finding', title: text(), facts: [text(), text()], next: text() },
    {
      kind: 'table',
      caption: text(),
      rows: {
        heads: ['share', 'function', 'place', text()],
        cells: [[text().slice(0, 8), text(), text(), text()]],
        numbers: 1,
      },
      bars: [0.5],
    },
    {
      kind: 'chart',
      chart: {
        title: text(),
        description: text(),
        x: { label: text(), format: text },
        y: { label: text(), format: text },
        lines: [
          {
            name: text(),
            style: 'both',
            points: [1, 2, 3].map((x) => ({ x, y: x, low: x - 1, high: x + 1 })),
          },
          {
            name: text(),
            style: 'band',
            points: [1, 2, 3].map((x) => ({ x, y: x, low: x - 1, high: x + 1 })),
          },
        ],
        spans: [[1, 2]],
      },
    },
    { kind: 'picture', caption: text(), svg: '<svg viewBox="0 0 1 1"></svg>' },
  ];
  return {
    title: text(),
    subtitle: text(),
    sections: [
      { id: 'one', title: text(), blocks },
      { id: 'two', title: text(), blocks },
    ],
    footer: text(),
  };
}

/** Pieces of which hostile names are made. */
export const hostilePieces: readonly string[] = [
  ...['<', '>', '"', "'", '&', '`', '=', '/', ' ', '\n', '\0', '\u202e', '\ud800', '\u2028'],
  ...['<script>alert(1)</script>', '</title>', '</style>', '</svg>', '</script', '<!--', '-->', ']]>'],
  ...[
    '" onload="alert(1)',
    "' autofocus onfocus='alert(1)",
    '<img src=x onerror=alert(1)>',
    '&lt;script&gt;',
  ],
  ...[
    'javascript:alert(1)',
    '${alert(1)}',
    '{{alert(1)}}',
    '<base href=//evil.invalid>',
    '<link rel=stylesheet href=//e>',
  ],
  ...[
    '<meta http-equiv=refresh content=0>',
    '<plaintext>',
    '<svg onload=alert(1)>',
    '<foreignObject>',
    'std::vector<int>',
  ],
];
