// A real VS Code for the editor tests: code-server and its Node from the npm registry, in a cache folder outside this package.
// Nothing is compiled. `node scripts/vscode-host.mjs` installs it (about 30 s, 350 MB) and prints where it is.
// KYMO_VSCODE_HOST names another folder, e.g. one that a CI caches.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** code-server 4.139.1 is VS Code 1.139.1 and wants Node 24, which npm has too. */
const codeServer = '4.139.1';
const nodeVersion = '24.21.0';

/**
 * Installs the host if it is not there yet.
 * @returns {{ node: string, server: string }} absolute paths of a fitting Node and of VS Code's server-main.js
 */
export function ensureVscodeHost() {
  const root = process.env.KYMO_VSCODE_HOST ?? path.join(cacheFolder(), 'kymo', 'vscode-host', codeServer);
  const complete = path.join(root, 'complete');
  if (!existsSync(complete)) install(root);
  return {
    node: path.join(root, 'node_modules', nodePackage(), 'bin/node'),
    server: path.join(root, 'node_modules/code-server/lib/vscode/out/server-main.js'),
  };
}

function cacheFolder() {
  return process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache');
}

function nodePackage() {
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch))
    throw new Error(
      `The editor tests run on Linux (x64, arm64), not on ${process.platform} ${process.arch}.`,
    );
  return `node-linux-${process.arch}`;
}

/** Into a folder beside it first: an installation that was cut short must not look like one. */
function install(root) {
  mkdirSync(path.dirname(root), { recursive: true });
  const fresh = mkdtempSync(`${root}.new-`);
  try {
    console.error(`Installing VS Code ${codeServer} for the tests from npm into ${root} …`);
    writeFileSync(path.join(fresh, 'package.json'), '{ "name": "vscode-host", "private": true }\n');
    npm(fresh, `${nodePackage()}@${nodeVersion}`, `code-server@${codeServer}`);
    const vscode = path.join(fresh, 'node_modules/code-server/lib/vscode');
    npm(vscode, '--omit=dev');
    npm(path.join(vscode, 'extensions'), '--omit=dev');
    prune(fresh, vscode);
    writeFileSync(path.join(fresh, 'complete'), `${new Date().toISOString()}\n`);
    rmSync(root, { recursive: true, force: true });
    renameSync(fresh, root);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    throw error;
  }
}

function npm(cwd, ...what) {
  const { status, stderr, error } = spawnSync(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...what],
    {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 10 * 60_000,
      killSignal: 'SIGKILL',
    },
  );
  if (status === 0) return;
  const said = (error?.message ?? stderr).trim().split('\n').slice(0, 4).join('\n');
  throw new Error(
    `The VS Code for the editor tests could not be installed: npm install ${what.join(' ')} failed.\n${said}\n` +
      'It needs the npm registry once. Without one, copy the folder from another machine and name it by KYMO_VSCODE_HOST.',
  );
}

/** What a headless test host never runs: agents, sign-in, debug adapters, other platforms, source maps. */
function prune(root, vscode) {
  const folders = [
    ...['share', 'include'].map((name) => path.join(root, 'node_modules', nodePackage(), name)),
    ...[
      'node_modules/@github/copilot-sdk-linux-x64',
      'node_modules/@github/copilot-sdk-linux-arm64',
      'node_modules/@microsoft/mxc-sdk',
      'node_modules/@devcontainers',
      'node_modules/@vscode/sqlite3',
      'node_modules/ssh2',
      'extensions/copilot',
      'extensions/mermaid-markdown-features',
      'extensions/github',
      'extensions/ms-vscode.js-debug',
      'extensions/ms-vscode.js-debug-companion',
      'extensions/ms-vscode.vscode-js-profile-table',
      'extensions/microsoft-authentication',
    ].map((name) => path.join(vscode, name)),
    ...foreign(path.join(vscode, 'node_modules/node-pty/prebuilds')),
    ...foreign(path.join(vscode, 'node_modules/@vscode/ripgrep-universal/bin')),
  ];
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  for (const entry of readdirSync(vscode, { recursive: true }))
    if (entry.endsWith('.map')) rmSync(path.join(vscode, entry), { force: true });
}

/** Builds for other platforms. */
function foreign(folder) {
  if (!existsSync(folder)) return [];
  const own = `linux-${process.arch}`;
  return readdirSync(folder)
    .filter((name) => name !== own)
    .map((name) => path.join(folder, name));
}

if (process.argv[1] === import.meta.filename) {
  try {
    console.log(JSON.stringify(ensureVscodeHost(), undefined, 2));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
