import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { webviewBundle, webviewNames } from '../../scripts/lib/webviews.mjs';

const names = webviewNames();

/**
 * kB. The hot spots have the most views in one page, of which 270 kB are libraries: groups of processes with their matrices, their graph and the ways of grouping
 * take 43 kB (the layout of the graph is the engine's), box plots 20 kB, the tree of functions with groups, callers, callees and undo 20 kB.
 */
const limitOf = (name: string): number => (name === 'hotSpots' ? 540 : 450);

describe('the bundles of the views', () => {
  it('are there', () => {
    expect(names).toEqual([
      'comparison',
      'cube',
      'diagnosis',
      'dynamics',
      'hotSpots',
      'models',
      'refinement',
      'scorepFlags',
      'timeline',
    ]);
  });

  for (const name of names)
    it(`${name}: script and style are at most ${limitOf(name)} kB, and nothing of Node is in them`, async () => {
      const { outputFiles, metafile } = await build({
        ...webviewBundle(`webview/${name}/main.ts`, { production: true }),
        outfile: 'view.js',
        write: false,
        metafile: true,
      });
      const bytes = outputFiles.reduce((sum, file) => sum + file.contents.byteLength, 0);
      console.log(`${name}: ${(bytes / 1000).toFixed(1)} kB`);
      expect(bytes).toBeLessThanOrEqual(1000 * limitOf(name));
      const own = Object.keys(metafile.inputs).filter((file) => !file.startsWith('node_modules/'));
      expect(own.filter((file) => !/^(webview|src\/core|src\/protocol)\//.test(file))).toEqual([]);
    });
});
