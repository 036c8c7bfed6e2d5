/** Colours of light and dark pages, each at least 4.5 : 1 on the page and on the rows of tables. */
const light = `
  color-scheme: light;
  --page: #ffffff; --text: #1b1f24; --muted: #57606a; --line: #d0d7de; --row: #f6f8fa; --link: #0550ae;
  --note: #fff8e5; --note-line: #9a6700; --span: #f2e2c4; --bar: #79a9e0;
  --color0: #0550ae; --color1: #b04a00; --color2: #1a7f37; --color3: #8250df;`;
const dark = `
  color-scheme: dark;
  --page: #15181d; --text: #e6e9ee; --muted: #a7b1bc; --line: #3a414a; --row: #1d2127; --link: #79b8ff;
  --note: #2b2416; --note-line: #d9a441; --span: #40361f; --bar: #3b6ea5;
  --color0: #79b8ff; --color1: #f0a35e; --color2: #6bc46d; --color3: #c8a2ff;`;

/** The only style sheet of a report; the policy of the page allows exactly this text. */
export const style = `
:root {${light}}
@media (prefers-color-scheme: dark) { :root {${dark}} }
* { box-sizing: border-box; }
html { background: var(--page); color: var(--text); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
body { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1.25rem 3rem; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { position: static; }
h1 { font-size: 1.75rem; line-height: 1.25; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 2.75rem 0 .75rem; padding-top: .75rem; border-top: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
p, li, dd { max-width: 52rem; overflow-wrap: anywhere; }
p { margin: .5rem 0; }
header p { color: var(--muted); margin: .25rem 0 0; }
nav { margin: 1.25rem 0 0; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0; padding: 0; list-style: none; }
.verdict { font-size: 1.1rem; font-weight: 600; }
.note { background: var(--note); border-left: 3px solid var(--note-line); padding: .4rem .75rem; }
.finding { margin: 1rem 0; }
.finding h3 { margin: 0; }
.finding p { margin: .15rem 0; }
.where { color: var(--muted); }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .25rem 1.25rem; margin: .75rem 0; }
dt { color: var(--muted); }
dd { margin: 0; }
.scroll { overflow-x: auto; margin: .75rem 0 1.25rem; }
table { border-collapse: collapse; font-size: .875rem; line-height: 1.4; }
caption { text-align: left; font-weight: 600; padding: 0 0 .4rem; font-size: .9375rem; }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line); }
th:last-child, td:last-child { padding-right: 0; }
thead th { color: var(--muted); font-weight: 600; vertical-align: bottom; }
tbody tr:hover { background: var(--row); }
tbody th { font-weight: inherit; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.name { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .8125rem; }
td:not(.number), tbody th:not(.number) { overflow-wrap: anywhere; min-width: 7.75rem; }
thead .number, .words { white-space: normal; }
.words { min-width: 11rem; }
td.name, tbody th.name { min-width: 10.5rem; max-width: 26rem; }
td.place { max-width: 16rem; }
.bar { display: block; width: 5.5rem; height: .3rem; margin: .15rem 0 0 auto; }
.bar rect { fill: var(--bar); }
figure { margin: 1rem 0 1.5rem; }
figcaption { font-weight: 600; font-size: .9375rem; margin-bottom: .25rem; overflow-wrap: anywhere; }
figure > svg { display: block; width: 100%; max-width: 52rem; height: auto; font-size: 12px; fill: var(--text); }
figure .picture { overflow-x: auto; }
.grid, .axis { stroke: var(--line); fill: none; }
.axis { stroke: var(--muted); }
figure text { fill: var(--muted); }
.picture text { fill: var(--text); }
.end { text-anchor: end; }
.middle { text-anchor: middle; }
.span { fill: var(--span); }
.line { fill: none; stroke-width: 2; stroke-linejoin: round; }
.dashes { stroke-dasharray: 6 4; }
.band { opacity: .18; stroke: none; }
.range { stroke-width: 1.5; }
${[0, 1, 2, 3].map((n) => `.color${n} { fill: var(--color${n}); stroke: var(--color${n}); }`).join('\n')}
circle { stroke: none; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: .25rem 0 0; padding: 0; list-style: none; font-size: .8125rem; }
.legend rect { fill: var(--span); }
.legend svg { width: 28px; height: 10px; margin-right: .5rem; vertical-align: middle; }
footer { margin-top: 3rem; padding-top: .75rem; border-top: 1px solid var(--line); color: var(--muted); font-size: .8125rem; }
@media (max-width: 48rem) {
  body { padding: 1rem .75rem 2rem; }
  dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
  dd { margin-bottom: .5rem; }
}
@media print {
  :root {${light}}
  @page { margin: 15mm 13mm; }
  html { font-size: 10pt; }
  body { max-width: none; padding: 0; }
  .skip { display: none; }
  h1, h2, h3, figcaption, caption { break-after: avoid; }
  h2 { margin-top: 1.75rem; }
  figure, .finding, tr, .note { break-inside: avoid; }
  thead { display: table-header-group; }
  .scroll, figure .picture { overflow: visible; }
  table { width: 100%; font-size: 8pt; }
  .name { font-size: 7.5pt; }
  td:not(.number), tbody th:not(.number) { min-width: 5rem; }
  td.name, tbody th.name { min-width: 7.5rem; }
  td.place { min-width: 8rem; }
  .words { min-width: 0; }
  h2 + p { break-after: avoid; }
  .bar { width: 3rem; }
  .picture svg { max-width: 100%; height: auto; }
  a { color: inherit; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
