/** The site of the documentation, as `npm run site` builds it: all pages, a search that finds each of them, and nothing from elsewhere. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documents } from '../documentedCommands';

const root = path.resolve(import.meta.dirname, '../..');
let site: string;
let pages: readonly string[];

const read = (file: string): string => readFileSync(path.join(site, file), 'utf8');

beforeAll(() => {
  site = mkdtempSync(path.join(tmpdir(), 'kymo-site-'));
  const { status, stdout, stderr } = spawnSync(
    'npm',
    ['run', '--silent', 'site', '--', '--outDir', site],
    // Whatever asks a host for something fails.
    {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, http_proxy: 'http://127.0.0.1:9', https_proxy: 'http://127.0.0.1:9' },
    },
  );
  expect(status, `${stdout}\n${stderr}`).toBe(0);
  pages = (readdirSync(site, { recursive: true }) as string[]).filter(
    (file) => file.endsWith('.html') && file !== '404.html',
  );
});
afterAll(() => rmSync(site, { recursive: true, force: true }));

/** Values of an attribute in a page, without quotes of HTML. */
function values(html: string, attribute: string): readonly string[] {
  return [...html.matchAll(new RegExp(`<(?!code)[^<>]*\\s${attribute}="([^"]*)"`, 'g'))].map(
    ([, value = '']) => value.replaceAll('&amp;', '&'),
  );
}

/** The file of the site that a link of a page leads to. */
function fileOf(link: string, page: string): string {
  const [address = ''] = link.split('#');
  const file = address.startsWith('/')
    ? address.slice(1)
    : path.posix.join(path.posix.dirname(page), address);
  if (address === '') return page;
  return address.endsWith('/') ? path.posix.join(file, 'index.html') : file;
}

const isElsewhere = (link: string): boolean => /^(?:[a-z]+:)?\/\//.test(link);

describe('the site of the documentation', () => {
  it('has a page for each document, and those that are made from commands and schema', () => {
    const expected = [
      ...documents(),
      'CHANGELOG.md',
      'docs/reference/commands.md',
      'docs/reference/kymo-json.md',
    ].map((file) => file.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html'));
    expect(expected.filter((file) => !pages.includes(file))).toEqual([]);
  });

  it('links every page, and only what is there, with the headings that links name', () => {
    const linked = new Set<string>();
    const dead = pages.flatMap((page) =>
      [...values(read(page), 'href'), ...values(read(page), 'src')]
        .filter((link) => !isElsewhere(link))
        .filter((link) => {
          const file = fileOf(decodeURI(link), page);
          if (file !== page) linked.add(file);
          if (!existsSync(path.join(site, file))) return true;
          const [, heading = ''] = decodeURI(link).split('#');
          return heading !== '' && !values(read(file), 'id').includes(heading);
        })
        .map((link) => `${page}: ${link}`),
    );
    expect(dead).toEqual([]);
    expect(pages.filter((page) => !linked.has(page))).toEqual([]);
  });

  it('loads no script, style, font or picture of another host', () => {
    for (const page of pages) {
      const html = read(page);
      const loaded = [
        ...values(html, 'src'),
        ...[...html.matchAll(/<link [^>]*href="([^"]*)"/g)].map(([, at = '']) => at),
      ];
      expect(loaded.length, page).toBeGreaterThan(1);
      expect(loaded.filter(isElsewhere), page).toEqual([]);
    }
    const styles = readdirSync(path.join(site, 'assets')).filter((file) => file.endsWith('.css'));
    expect(styles.length).toBeGreaterThan(0);
    for (const file of styles)
      expect(read(`assets/${file}`), file).not.toMatch(/url\(["']?(?:https?:)?\/\/|@import/);
  });

  it('finds text of every page by its search', async () => {
    const [file = ''] = readdirSync(path.join(site, 'assets/chunks')).filter((name) =>
      name.startsWith('@localSearchIndex'),
    );
    const index = (await import(path.join(site, 'assets/chunks', file))) as { default: string };
    const { documentIds } = JSON.parse(index.default) as { documentIds: Readonly<Record<string, string>> };
    const found = new Set(Object.values(documentIds).map((id) => fileOf(id, '')));
    expect(pages.filter((page) => !found.has(page))).toEqual([]);
    expect(Object.values(documentIds)).toContain('/docs/launchers.html#slurm');
  });

  it('explains options of commands and keys of kymo.json', () => {
    const text = (file: string): string =>
      (/<main[^]*<\/main>/.exec(read(file))?.[0] ?? '').replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
    expect(text('docs/reference/commands.html')).toMatch(/kymo refine.*--overhead &lt;percent&gt;/);
    const keys = text('docs/reference/kymo-json.html');
    expect(keys).toMatch(/build \(required\) build/);
    expect(keys).toMatch(/gate\.budgets\.functions\.NAME\.seconds number above 0 Computing time/);
    expect(keys).toMatch(/maximumIterations whole number from 1 Maximum number of rounds/);
    expect(keys).toMatch(/strategy .*&quot;tor&quot;.*tor : Total overhead reduction/);
  });

  it('has the pictures of the README and the jobs for CI', () => {
    expect(values(read('index.html'), 'src').filter((file) => /hot-spots.*\.png$/.test(file))).toHaveLength(
      1,
    );
    expect(read('docs/ci/github-actions.yml')).toBe(
      readFileSync(path.join(root, 'docs/ci/github-actions.yml'), 'utf8'),
    );
  });
});
