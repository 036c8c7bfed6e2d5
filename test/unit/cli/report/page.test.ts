import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reportPage } from '../../../../src/cli/report/page/page';
import { hostilePieces, reportOf } from './reportOf';

const page = reportPage(reportOf(() => 'text'));

/** Tags with the names of their attributes: a text that is not escaped adds some. */
function outline(markup: string): readonly string[] {
  const [head = '', ...rest] = markup.replace(/<style>[^]*?<\/style>/, '<style></style>').split(/(?=<)/);
  return [
    head.slice(0, 1),
    ...rest.map((tag) => (/^<[^>]*>/.exec(tag)?.[0] ?? tag).replace(/"[^"]*"/g, '""')),
  ];
}

describe('the page of a report', () => {
  it('loads nothing and runs nothing, and its policy forbids both', () => {
    const [, style = ''] = /<style>([^]*?)<\/style>/.exec(page) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(page).toContain(
      `content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'"`,
    );
    expect(page).not.toMatch(
      /<script|<link|<img|<iframe|<object|<form|@import|url\(|\bon\w+=|\bstyle=|https?:/i,
    );
    for (const [, target = ''] of page.matchAll(/(?:src|href)="([^"]*)"/g)) expect(target).toMatch(/^#/);
  });

  it('has a language, a title, landmarks, and headings in order', () => {
    expect(page).toMatch(/^<!doctype html>\n<html lang="en"/);
    expect(page).toContain('<title>text</title>');
    for (const landmark of ['<header>', '<nav aria-label=', '<main id=', '<footer>'])
      expect(page.split(landmark)).toHaveLength(2);
    const levels = [...page.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level));
    expect(levels[0]).toBe(1);
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    levels.reduce((before, level) => {
      expect(level - before).toBeLessThanOrEqual(1);
      return level;
    });
  });

  it('has links to its sections, and no id twice', () => {
    const ids = [...page.matchAll(/\bid="([^"]*)"/g)].map(([, id = '']) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const targets = [...page.matchAll(/href="#([^"]*)"/g)].map(([, target = '']) => target);
    expect(targets).toEqual(['content', 'one', 'two']);
    for (const [, names = ''] of page.matchAll(/aria-labelledby="([^"]*)"/g))
      for (const name of names.split(' ')) expect(ids).toContain(name);
  });

  it('has tables with a caption, and scopes for heads of columns and rows', () => {
    for (const [table] of page.matchAll(/<table>[^]*?<\/table>/g)) {
      expect(table).toMatch(/^<table>\s*<caption id="[^"]+">text<\/caption>/);
      for (const [, attributes] of table.matchAll(/<th( [^>]*|)>/g))
        expect(attributes).toMatch(/scope="(col|row)"/);
    }
  });

  it('has pictures with a name and a description in words', () => {
    const pictures = [
      ...page.matchAll(/<svg[^>]*role="img"[^>]*>\s*<title[^>]*>text<\/title>\s*<desc[^>]*>text<\/desc>/g),
    ];
    expect(pictures).toHaveLength(2);
  });

  it('has the same tags and attributes whatever the texts are', () => {
    const expected = outline(page);
    const hostile = fc
      .array(fc.oneof(fc.constantFrom(...hostilePieces), fc.string({ unit: 'binary', maxLength: 6 })), {
        minLength: 1,
        maxLength: 5,
      })
      .map((pieces) => `x${pieces.join('')}`);
    fc.assert(
      fc.property(fc.infiniteStream(hostile), (texts) => {
        const next = (): string => String(texts.next().value);
        expect(outline(reportPage(reportOf(next)))).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });
});
