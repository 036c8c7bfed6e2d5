import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../../../package.json';
import { extensionPage, publishedManifest } from '../../../scripts/lib/extensionPage.mjs';

const root = path.resolve(import.meta.dirname, '../../..');
const read = (file: string): Buffer => readFileSync(path.join(root, file));
const readme = read('README.md').toString('utf8');
const page = extensionPage(readme);

describe('the page of the extension', () => {
  it('has no picture that VS Code would remove, and names the walkthrough, whose pictures it shows', () => {
    expect(readme).toContain('](docs/images/');
    expect(page).not.toMatch(/!\[|<img|<svg/);
    expect(page).toContain('**Kymo: Get Started**');
    expect(extensionPage('![a](https://a.b/c.png)\n## Working on Kymo\n')).toContain(
      '![a](https://a.b/c.png)',
    );
  });
  it('has no link to a file that is not in the package, and no part for contributors', () => {
    expect(page).not.toMatch(/\]\((?!https:|data:)/);
    expect(page).not.toMatch(/CONTRIBUTING|npm test\b.*every test layer/);
    expect(page).toContain('## What next');
  });
  it('refuses a README without a part for contributors', () => {
    expect(() => extensionPage('# Kymo\n')).toThrow('Working on Kymo');
  });
});

describe('the package.json that ships', () => {
  const published = publishedManifest(manifest);
  it('names an icon that is a PNG file of at least 128 × 128 pixels', () => {
    const icon = read(manifest.icon);
    expect(icon.subarray(1, 4).toString('latin1')).toBe('PNG');
    expect(Math.min(icon.readUInt32BE(16), icon.readUInt32BE(20))).toBeGreaterThanOrEqual(128);
  });
  it('names only files that are in the package', () => {
    const shipped = read('.vscodeignore')
      .toString('utf8')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => new RegExp(`^${line.slice(1).replace(/[.]/g, '\\.').replace(/\*+/g, '[^/]*')}$`));
    const named = JSON.stringify(published).matchAll(/"(?:\.\/)?((?:media|syntaxes|dist)\/[^"]+)"/g);
    for (const [, file = ''] of named)
      expect(
        shipped.some((pattern) => pattern.test(file)),
        file,
      ).toBe(true);
  });
  it('has no placeholder and nothing that only a clone needs', () => {
    expect(JSON.stringify(published)).not.toMatch(/example\.(invalid|com|org)|TODO|localhost/);
    expect(Object.keys(published)).not.toEqual(expect.arrayContaining(['scripts']));
    expect(published).toMatchObject({ name: 'kymo', contributes: manifest.contributes });
  });
});

describe('README.md', () => {
  it('has lines of at most 120 characters', () => {
    expect(readme.split('\n').filter((line) => line.length > 120)).toEqual([]);
  });
  it('leads to files and headings that exist', () => {
    for (const [, link = ''] of readme.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g))
      expect(existsSync(path.join(root, link)), link).toBe(true);
  });
  it('is for users first: what Kymo is, a picture, how to install it, a first result, what next; contributors come last', () => {
    const headings = [...readme.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings.slice(0, 3)).toEqual(['Install', 'First result in a minute', 'What next']);
    expect(headings.at(-1)).toBe('Working on Kymo');
    expect(readme.indexOf('![')).toBeLessThan(readme.indexOf('## Install'));
  });
});
