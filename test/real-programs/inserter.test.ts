import { mkdtempSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BothWays, preprocess } from '../runtime/inserter/bothWays';
import { debianSources, type DebianSources } from './debianSource';

/** Every unit of a real program gets the same text by the inserter and by the parser's way. */
describe('the inserter on real programs', () => {
  let sources: DebianSources | undefined;
  beforeAll(() => {
    sources = debianSources();
  });
  afterAll(() => sources?.remove());

  it('metis', async (context) => {
    const tree = sources?.unpack('metis');
    if (sources === undefined || tree === undefined) {
      context.skip('package sources cannot be reached');
      return;
    }
    const ways = await BothWays.open(mkdtempSync(path.join(sources.directory, 'inserter-')));
    const folders = ['GKlib', 'include', 'libmetis', 'programs'].map(
      (folder) => `-I${path.join(tree, folder)}`,
    );
    const options = [...folders, '-DLINUX', '-D_GNU_SOURCE'];
    const results = ['libmetis', 'programs'].flatMap((folder) =>
      readdirSync(path.join(tree, folder))
        .filter((name) => name.endsWith('.c'))
        .map((name) => ways.compare(preprocess(path.join(tree, folder, name), options))),
    );
    expect(results.length).toBeGreaterThan(40);
    expect(results.filter(({ parsed }) => !parsed)).toEqual([]);
    expect(results.reduce((sum, { probes }) => sum + probes, 0)).toBeGreaterThan(1000);
  });
});
