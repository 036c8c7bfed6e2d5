// One window on one workspace: a VS Code server with the packaged extension, and a Chromium that shows it. Loopback only.
import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { browserPath } from '../../../scripts/lib/chromium.mjs';
import { patience } from './patience.mjs';
import { until } from './report.mjs';
import { Workbench } from './workbench.mjs';

const probeExtension = path.resolve(import.meta.dirname, '../probe');

/** A workbench that shows nothing of its own accord and asks nobody on the network. */
const quietSettings = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'chat.commandCenter.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'update.showReleaseNotes': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'workbench.enableExperiments': false,
  'npm.fetchOnlinePackageInfo': false,
  'git.enabled': false,
  'json.schemaDownload.enable': false,
  'workbench.colorTheme': 'Dark Modern',
  'workbench.editor.useModal': 'off',
  'editor.minimap.enabled': false,
  'files.simpleDialog.enable': true,
  // All functions have a lens: most of the fixture's take less than the default limit.
  'kymo.codeLens.minimumShare': 0,
};

const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
];

/** Everything that was started and must end with this process. */
const running = new Set();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.once(signal, () => {
    for (const child of running) child.kill('SIGKILL');
    process.exit(1);
  });
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Installs the packaged extension once for all sessions.
 * @returns the folder of all extensions, and that of the extension itself
 */
export function installExtension({ host, vsix, folder }) {
  const place = (name) => path.join(folder, name);
  const extensions = place('extensions');
  mkdirSync(place('home'), { recursive: true });
  execFileSync(
    host.node,
    [
      host.server,
      '--accept-server-license-terms',
      ...['--server-data-dir', place('server-data'), '--user-data-dir', place('user-data')],
      ...['--extensions-dir', extensions, '--install-extension', vsix],
    ],
    { env: environment(folder), stdio: ['ignore', 'pipe', 'pipe'], timeout: patience(120_000) },
  );
  const own = readdirSync(extensions).find((name) => name.startsWith('kymo.kymo-'));
  if (own === undefined) throw new Error(`VS Code has not installed ${vsix}.`);
  return { extensions, extension: path.join(extensions, own), caches: place('caches') };
}

/** What Chromium stores of scripts below its profile: the texts, and what they compile to. */
const scriptCaches = ['Cache', 'Code Cache'];

/** Each session has a profile of its own; only the scripts of VS Code, which no session changes, come from the sessions before. */
function moveCaches(from, to) {
  for (const name of scriptCaches) {
    if (!existsSync(path.join(from, name))) continue;
    mkdirSync(to, { recursive: true });
    rmSync(path.join(to, name), { recursive: true, force: true });
    renameSync(path.join(from, name), path.join(to, name));
  }
}

/** The same one for all sessions where it is free, so that the addresses of cached scripts stay. */
let usualPort = 0;

/**
 * Opens a window with `folder` (or a `.code-workspace` file), does `work`, and ends everything, whatever happens.
 * @param host `{ node, server }` of scripts/vscode-host.mjs
 * @param tests module that the extension host runs instead of the probe; its end is `ended`, what the host prints is in `hostLog`
 * @param variables of the extension host's environment
 * @param language display language, such as `de`: of extensions, for the texts of VS Code itself come with a language pack
 */
export async function withSession(
  {
    host,
    extensions,
    caches,
    folder,
    settings = {},
    trusted = true,
    tests,
    variables = {},
    language,
    screenshots,
  },
  work,
) {
  const root = mkdtempSync(path.join(tmpdir(), 'kymo-editor-'));
  const place = (name) => path.join(root, name);
  mkdirSync(place('user-data/User'), { recursive: true });
  mkdirSync(place('home'));
  const all = { ...quietSettings, ...(trusted ? {} : untrustedSettings), ...settings };
  writeFileSync(place('user-data/User/settings.json'), JSON.stringify(all, undefined, 1));
  const shared = {
    args: [
      '--server-data-dir',
      place('server-data'),
      '--user-data-dir',
      place('user-data'),
      '--extensions-dir',
      extensions,
    ],
    env: { ...environment(root), NODE_COMPILE_CACHE: path.join(caches, 'node'), ...variables },
  };
  const server = await startServer(host, shared, trusted);
  const profile = place('chromium');
  moveCaches(caches, path.join(profile, 'Default'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: browserPath,
    headless: true,
    args: chromiumArguments,
    viewport: { width: 1280, height: 860 },
  });
  const foreign = [];
  const pageErrors = [];
  let page;
  try {
    watchRequests(context, foreign);
    const remote = (file) => ({ $mid: 1, scheme: 'vscode-remote', authority: server.authority, path: file });
    await context.addInitScript(addDevelopmentExtensions, {
      extensions: [remote(probeExtension)],
      ...(tests === undefined ? {} : { extensionTestsPath: remote(tests) }),
    });
    await context.addInitScript(stillWorkbench);
    if (language !== undefined) await context.addInitScript(setLanguage, language);
    [page] = context.pages();
    page ??= await context.newPage();
    const ended = new Promise((resolve) => page.exposeFunction('codeAutomationExit', resolve));
    const hostLog = [];
    await page.exposeFunction('codeAutomationLog', (_, parts) => void hostLog.push(parts.join(' ')));
    page.on('pageerror', (error) => pageErrors.push(String(error)));
    const url = new URL(`http://${server.authority}/`);
    if (folder === undefined) url.searchParams.set('ew', 'true');
    else if (folder.endsWith('.code-workspace')) url.searchParams.set('workspace', folder);
    else url.searchParams.set('folder', folder);
    await page.goto(url.toString());
    await page.waitForSelector('.monaco-workbench', { timeout: patience(120_000) });
    const inHost = tests === undefined ? await connectProbe(place('probe')) : undefined;
    const workbench = new Workbench(page, screenshots);
    await workbench.leaveHovers();
    await work({ workbench, page, inHost, ended, hostLog, foreign, pageErrors, server });
  } catch (error) {
    await page
      ?.screenshot({ path: path.join(screenshots, `failure-${Date.now()}.png`) })
      .catch(() => undefined);
    throw error;
  } finally {
    await context.close().catch(() => undefined);
    moveCaches(path.join(profile, 'Default'), caches);
    await server.stop();
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Adds what asks another machine to `foreign`. Such requests end in vain, for `--host-resolver-rules` knows no other host; Playwright's own
 * way of aborting them would switch off the cache. VS Code's service worker answers those to its resource host.
 */
function watchRequests(context, foreign) {
  const resources = '.vscode-resource.vscode-cdn.net';
  const isForeign = ({ protocol, hostname }) => /^https?:$/.test(protocol) && hostname !== '127.0.0.1';
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (isForeign(url) && !url.hostname.endsWith(resources)) foreign.push(request.url());
  });
  context.on('requestfailed', (request) => {
    const isAborted = request.failure()?.errorText === 'net::ERR_ABORTED';
    if (new URL(request.url()).hostname.endsWith(resources) && !isAborted) foreign.push(request.url());
  });
}

const untrustedSettings = {
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'never',
};

function environment(root) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('VSCODE_') && name !== 'ELECTRON_RUN_AS_NODE' && name !== 'NODE_OPTIONS',
  );
  const home = path.join(root, 'home');
  return {
    ...Object.fromEntries(inherited),
    EXTENSIONS_GALLERY: '{}',
    HOME: home,
    XDG_CONFIG_HOME: path.join(home, '.config'),
    XDG_DATA_HOME: path.join(home, '.local/share'),
    KYMO_TEST_PROBE: path.join(root, 'probe'),
  };
}

async function startServer(host, shared, trusted) {
  const port = usualPort;
  const server = await startServerAt(port, host, shared, trusted).catch((error) => {
    if (port === 0) throw error;
    return startServerAt(0, host, shared, trusted);
  });
  if (usualPort === 0) usualPort = server.port;
  return server;
}

async function startServerAt(wantedPort, host, { args, env }, trusted) {
  const child = spawn(
    host.node,
    [
      host.server,
      ...[
        '--host',
        '127.0.0.1',
        '--port',
        String(wantedPort),
        '--without-connection-token',
        '--accept-server-license-terms',
      ],
      ...[
        '--telemetry-level',
        'off',
        '--disable-telemetry',
        '--disable-experiments',
        '--disable-getting-started-override',
      ],
      ...(trusted ? ['--disable-workspace-trust'] : []),
      ...args,
    ],
    { env, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  running.add(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (text += piece));
  const port = await until(
    'the server to listen',
    () => {
      if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}\n${text}`);
      return /Extension host agent listening on (\d+)/.exec(text)?.[1];
    },
    60_000,
    20,
  );
  return {
    port,
    authority: `127.0.0.1:${port}`,
    pid: child.pid,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode === null) child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
      if (child.exitCode === null && child.signalCode === null) await ended;
      clearTimeout(timer);
      running.delete(child);
    },
  };
}

/**
 * Adds the probe as a development extension, as an embedder of VS Code for the Web may. Runs in the page. Not by changing the
 * page on its way: Chromium then refuses the page its own server (local network access checks).
 */
function addDevelopmentExtensions(development) {
  const original = globalThis.Element.prototype.getAttribute;
  globalThis.Element.prototype.getAttribute = function (name) {
    const value = original.call(this, name);
    if (name !== 'data-settings' || this.id !== 'vscode-workbench-web-configuration' || !value) return value;
    const configuration = JSON.parse(value);
    return JSON.stringify({
      ...configuration,
      developmentOptions: { ...configuration.developmentOptions, ...development },
    });
  };
}

/**
 * Ends the workbench's own animations and transitions as they begin, with their events: Chromium draws in software here, and a progress bar that
 * runs costs as much as what it waits for. The pages of Kymo keep theirs. Runs in the page.
 */
function stillWorkbench() {
  if (globalThis !== globalThis.top) return;
  const still = new globalThis.CSSStyleSheet();
  still.replaceSync(
    '*, ::before, ::after { animation-duration: 0s !important; animation-iteration-count: 1 !important; transition-duration: 0s !important; }',
  );
  globalThis.document.adoptedStyleSheets = [still];
}

/** As a language pack does before the workbench begins. Runs in the page. */
function setLanguage(language) {
  globalThis._VSCODE_NLS_LANGUAGE = language;
}

/** Runs functions inside the extension host; their first free names are `vscode` and `blocked`. */
async function connectProbe(file) {
  await until('the probe extension', () => existsSync(file), 120_000);
  return async (action, ...values) => {
    const body = JSON.stringify({ source: String(action), values });
    // After a reload of the window another host begins, at another port.
    const ask = () =>
      post(`http://127.0.0.1:${readFileSync(file, 'utf8')}/`, body).catch((error) => {
        if (!error.message.includes('ECONNREFUSED')) throw error;
        return undefined;
      });
    const answer = await until('the extension host', ask, 60_000);
    const { value, error } = JSON.parse(answer);
    if (error !== undefined) throw new Error(`in the extension host: ${error}`);
    return value;
  };
}

/** By `node:http`: `fetch` gives up after 300 s without a header, whatever the limit is here. */
function post(url, body) {
  const limit = patience(180_000);
  return new Promise((resolve, reject) => {
    const request = http.request(
      url,
      { method: 'POST', agent: false, signal: AbortSignal.timeout(limit) },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (piece) => (text += piece));
        response.once('end', () => resolve(text));
        response.once('error', reject);
      },
    );
    request.once('error', (error) => {
      const what =
        error.name === 'AbortError' || error.name === 'TimeoutError'
          ? `did not answer within ${Math.round(limit / 1000)} s`
          : `cannot be asked (${error.message})`;
      reject(new Error(`the extension host ${what}: ${body.slice(0, 200)}`));
    });
    request.end(body);
  });
}
