import path from 'node:path';
import { root } from './system.mjs';

/** Options of esbuild for a bundle that Node runs: those of all programs of the product. */
export const nodeBundle = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  logLevel: 'warning',
  legalComments: 'none',
  // jsonc-parser's "main" is a UMD bundle whose inner requires no bundler can follow.
  mainFields: ['module', 'main'],
  // Its ES module form finds itself by import.meta.url, which a CommonJS bundle does not have.
  alias: { 'web-tree-sitter': path.join(root, 'node_modules/web-tree-sitter/web-tree-sitter.cjs') },
};
