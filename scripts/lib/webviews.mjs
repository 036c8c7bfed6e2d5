// The webviews: each folder of webview/ with a main.ts is a view and becomes dist/webview/<view>.js and .css.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from './system.mjs';

/** Names of the views. */
export function webviewNames() {
  return readdirSync(path.join(root, 'webview')).filter((name) =>
    existsSync(path.join(root, 'webview', name, 'main.ts')),
  );
}

/** How esbuild makes a webview's script and style; the tests bundle with the same options. */
export function webviewBundle(entry, { production }) {
  return {
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    platform: 'browser',
    format: 'iife',
    // Chromium of the oldest supported VS Code (1.90: Electron 29).
    target: 'chrome122',
    minify: production,
    sourcemap: false,
    logLevel: 'warning',
    legalComments: 'none',
    metafile: true,
  };
}
