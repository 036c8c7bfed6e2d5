import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { version } from '../../../package.json';

const text = readFileSync(path.resolve(import.meta.dirname, '../../../CHANGELOG.md'), 'utf8');
const sections = text.split(/^## /m).slice(1);
const versionOf = (section: string): string => /^\[?(\d+\.\d+\.\d+)\]?/.exec(section)?.[1] ?? '';
const inOrder = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });

describe('CHANGELOG.md', () => {
  it('has a section for the version of package.json, the newest one on top', () => {
    const versions = sections.map(versionOf);
    expect(versions[0]).toBe(version);
    expect(versions).toEqual([...versions].sort(inOrder).reverse());
    expect(new Set(versions).size).toBe(versions.length);
  });
  it('has only the categories of Keep a Changelog, each once in a version, with entries', () => {
    for (const section of sections) {
      const [, ...categories] = section.split(/^### /m);
      const names = categories.map((category) => category.split('\n')[0] ?? '');
      const known = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
      expect(names.length).toBeGreaterThan(0);
      expect(names).toEqual(known.filter((name) => names.includes(name)));
      for (const category of categories) expect(category).toMatch(/^- \S/m);
    }
  });
  it('has no capability twice among what was added to a version, and no entry twice', () => {
    for (const section of sections) {
      const capabilities = [...section.matchAll(/^- \*\*(.+?)\.?\*\*/gm)].map(([, name]) => name);
      expect(capabilities.length).toBeGreaterThan(0);
      expect(new Set(capabilities).size).toBe(capabilities.length);
      const entries = section.split('\n').filter((line) => /^ *- /.test(line));
      expect(new Set(entries).size).toBe(entries.length);
    }
  });
});
