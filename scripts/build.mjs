// Bundles the extension and the command line with esbuild, copies what they load at run time (grammars, runtime sources), and writes the manual
// pages and completions of the command line.
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { nodeBundle } from './lib/nodeBundle.mjs';
import { bundledPackages, thirdPartyNotices } from './lib/notices.mjs';
import { writePages } from './lib/pages.mjs';
import { billOfMaterials } from './lib/sbom.mjs';
import { webviewBundle, webviewNames } from './lib/webviews.mjs';

const root = path.resolve(import.meta.dirname, '..');
const production = process.argv.includes('--production');
const common = {
  ...nodeBundle,
  minify: production,
  sourcemap: production ? false : 'linked',
};
/** Entry point → bundle; an entry whose file does not exist is an error of the build, not skipped. */
const nodeBundles = {
  'src/cli/main.ts': 'dist/cli.js',
  'src/measurement/wrappers/main.ts': 'dist/wrapper.js',
  'src/editor/extension.ts': 'dist/extension.js',
  'src/engine/main.ts': 'dist/engine.js',
};

/** The extension host must stay small and never run a workflow (docs/ARCHITECTURE.md, Processes): its bundle holds types of the engine only. */
function checkHost(results) {
  const inputs = results.flatMap(({ metafile }) => metafile.outputs['dist/extension.js']?.inputs ?? []);
  const foreign = inputs.flatMap((files) =>
    Object.entries(files)
      .filter(
        ([file, { bytesInOutput }]) => bytesInOutput > 0 && /^src\/(workflows|measurement)\//.test(file),
      )
      .map(([file]) => file),
  );
  if (inputs.length !== 1) throw new Error('dist/extension.js was not built');
  if (foreign.length > 0)
    throw new Error(`dist/extension.js contains what only the engine may run: ${foreign.join(', ')}`);
}

await rm(path.join(root, 'dist'), { recursive: true, force: true });
await mkdir(path.join(root, 'dist/grammars'), { recursive: true });
const made = await Promise.all([
  ...webviewNames().map((name) =>
    build({
      ...webviewBundle(`webview/${name}/main.ts`, { production }),
      outfile: `dist/webview/${name}.js`,
    }),
  ),
  ...Object.entries(nodeBundles).map(([entry, outfile]) =>
    build({
      ...common,
      metafile: true,
      entryPoints: [entry],
      outfile,
      // Elsewhere an import of vscode is an error: the engine and the command line run without an editor.
      external: outfile === 'dist/extension.js' ? ['vscode'] : [],
      ...(outfile === 'dist/cli.js' ? { banner: { js: '#!/usr/bin/env node' } } : {}),
    }),
  ),
]);
checkHost(made);
await writePages(common, path.join(root, 'dist'));
const copies = [
  ['node_modules/web-tree-sitter/web-tree-sitter.wasm', 'dist/grammars/web-tree-sitter.wasm'],
  ['node_modules/tree-sitter-c/tree-sitter-c.wasm', 'dist/grammars/tree-sitter-c.wasm'],
  ['node_modules/tree-sitter-cpp/tree-sitter-cpp.wasm', 'dist/grammars/tree-sitter-cpp.wasm'],
  ['runtime', 'dist/runtime'],
];
for (const [from, to] of copies) {
  if (!existsSync(path.join(root, from))) throw new Error(`${from} is missing: run npm ci`);
  await cp(path.join(root, from), path.join(root, to), { recursive: true });
}
const files = [
  ...made.flatMap(({ metafile }) => Object.keys(metafile.inputs)),
  ...copies.map(([from]) => from),
];
const packages = bundledPackages(files);
await writeFile(path.join(root, 'dist/THIRD-PARTY-NOTICES.txt'), thirdPartyNotices(packages));
await writeFile(path.join(root, 'dist/sbom.cdx.json'), billOfMaterials(packages));
