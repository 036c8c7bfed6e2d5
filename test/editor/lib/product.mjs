// Loads what is written in TypeScript, of the product and of other tests.
import path from 'node:path';
import { build } from 'esbuild';

const root = path.resolve(import.meta.dirname, '../../..');

/** @param source in the repository */
export async function product(source) {
  const { outputFiles } = await build({
    entryPoints: [path.join(root, source)],
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}
