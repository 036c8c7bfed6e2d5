import { createHash } from 'node:crypto';
import { chartMarkup } from './chart';
import type { Block, ReportDocument, Section, TableBlock } from '../base/document';
import { Markup, markup, nothing } from './markup';
import { style } from './style';

/** What a page begins with, by which a later report knows that it may replace it. */
export const pageStart = '<!doctype html>\n<html lang="en" data-kymo-report="1">';

/** Columns that are written as code. */
const codeColumns = new Set([
  'call path',
  'function',
  'function with callees',
  'model',
  'region',
  'representative',
]);
/** Columns of files with their lines. */
const placeColumns = new Set(['place', 'where']);
/** Longer texts are numbers with words, which may need several lines. */
const longestNumber = 24;
/** Smaller ones are not seen. */
const leastBar = 0.005;

/** A report as one file: nothing is loaded, no script runs, and the policy of the page allows neither. */
export function reportPage({ title, subtitle, sections, footer }: ReportDocument): string {
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const page = markup`
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="Kymo">
<title>${title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<h1>${title}</h1>
<p>${subtitle}</p>
</header>
<nav aria-label="Contents">
<ul>${sections.map(({ id, title: name }) => markup`<li><a href="#${id}">${name}</a></li>`)}</ul>
</nav>
<main id="content">
${sections.map(sectionMarkup)}
</main>
<footer>${footer}</footer>
</body>
</html>
`;
  return `${pageStart}${page.text}`;
}

function sectionMarkup({ id, title, blocks }: Section): Markup {
  return markup`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${blocks.map((block, index) => blockMarkup(block, `${id}-${index + 1}`))}
</section>
`;
}

function blockMarkup(block: Block, id: string): Markup {
  switch (block.kind) {
    case 'text':
      return markup`<p${block.manner === undefined ? nothing : markup` class="${block.manner}"`}>${block.text}</p>\n`;
    case 'heading':
      return markup`<h3>${block.text}</h3>\n`;
    case 'list':
      return markup`<ul>${block.items.map((item) => markup`<li>${item}</li>`)}</ul>\n`;
    case 'facts':
      return markup`<dl>${block.facts.map(([name, value]) => markup`<dt>${name}</dt><dd>${value}</dd>`)}</dl>\n`;
    case 'finding':
      return markup`<div class="finding"><h3>${block.title}</h3><p class="where">${block.facts.join(' · ')}</p><p>${block.next}</p></div>\n`;
    case 'table':
      return tableMarkup(block, id);
    case 'chart':
      return chartMarkup(block.chart, id);
    case 'picture':
      return markup`<figure><figcaption>${block.caption}</figcaption><div class="picture" tabindex="0" role="group" aria-label="${block.caption}">${new Markup(block.svg)}</div></figure>\n`;
  }
}

function tableMarkup({ caption, rows, bars }: TableBlock, id: string): Markup {
  const { heads, cells, numbers } = rows;
  // The first column of words names the row.
  const named = numbers < heads.length ? numbers : 0;
  const kind = (column: number): Markup =>
    column < numbers
      ? markup` class="number"`
      : codeColumns.has(heads[column] ?? '')
        ? markup` class="name"`
        : placeColumns.has(heads[column] ?? '')
          ? markup` class="name place"`
          : nothing;
  const kindOf = (text: string, column: number): Markup =>
    column < numbers && text.length > longestNumber ? markup` class="number words"` : kind(column);
  const cell = (text: string, column: number, row: number): Markup => {
    const share = column === 0 ? bars?.[row] : undefined;
    const content = markup`${text}${share === undefined || share < leastBar ? nothing : barMarkup(share)}`;
    return column === named
      ? markup`<th scope="row"${kindOf(text, column)}>${content}</th>`
      : markup`<td${kindOf(text, column)}>${content}</td>`;
  };
  return markup`<div class="scroll" role="region" tabindex="0" aria-labelledby="${id}"><table>
<caption id="${id}">${caption}</caption>
<thead><tr>${heads.map((head, column) => markup`<th scope="col"${column < numbers ? markup` class="number"` : nothing}>${head}</th>`)}</tr></thead>
<tbody>
${cells.map((row, index) => markup`<tr>${row.map((text, column) => cell(text, column, index))}</tr>\n`)}</tbody>
</table></div>
`;
}

/** The number is beside it. */
function barMarkup(share: number): Markup {
  const percent = Math.round(1000 * Math.min(1, Math.max(0, share))) / 10;
  return markup`<svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect width="${percent}" height="4"/></svg>`;
}
