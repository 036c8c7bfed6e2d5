import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { webviewBundle, webviewNames } from '../../scripts/lib/webviews.mjs';

const names = webviewNames();

/**
 * kB. The hot spots have the most views in one page: the groups of processes added 16 kB to a bundle of 450 kB, of which 290 kB are libraries; callers and
 * callees, function groups, and undo with what is saved for it added 19 kB.
 */
const limitOf = (name: string): number => (name === 'hotSpots' ? 490 : 450);

describe('the bundles of the views', () => {
  it('are there', () => {
    expect(names).toEqual(['cube', 'dynamics', 'hotSpots', 'models', 'refinement', 'scorepFlags']);
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
