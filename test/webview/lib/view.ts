import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { browserPath } from '../../../scripts/lib/chromium.mjs';
import { webviewBundle } from '../../../scripts/lib/webviews.mjs';
import { pageHtml } from '../../../src/editor/surfaces/panels/html';
import { type Answers, PanelChannel, type Wire } from '../../../src/editor/surfaces/panels/panelChannel';
import type { RequestShape, ToWebview } from '../../../src/protocol/channel';
import { recordPictures } from './cuts';
import { findLowContrast, type LowContrast } from './contrast';
import { type ThemeName, themes } from './themes';

const root = path.resolve(import.meta.dirname, '../../..');
const screenshots = path.join(root, 'test-results/webview');
/** Never looked up: every request is answered from memory. */
const origin = 'http://webview.invalid';

/** A Chromium in which views run without VS Code. One for all tests of a file: `start` in `beforeAll`, `close` in `afterAll`. */
export class ViewBrowser {
  private readonly bundles = new Map<string, Promise<Bundle>>();

  private constructor(private readonly browser: Browser) {}

  static async start(): Promise<ViewBrowser> {
    const browser = await chromium.launch({
      executablePath: browserPath,
      headless: true,
      args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'],
    });
    return new ViewBrowser(browser);
  }

  /** Opens a view as VS Code does: the same page and policy, a theme as recorded, and the extension's own end of the wire. */
  async open<Requests extends RequestShape<Requests>, Events>(
    options: ViewOptions<Requests>,
  ): Promise<View<Requests, Events>> {
    const known = this.bundles.get(options.entry) ?? bundle(options.entry);
    this.bundles.set(options.entry, known);
    const context = await this.browser.newContext({
      viewport: options.size ?? { width: 1000, height: 700 },
      reducedMotion: options.reducedMotion === true ? 'reduce' : 'no-preference',
    });
    return View.open<Requests, Events>(context, await known, options);
  }

  close(): Promise<void> {
    return this.browser.close();
  }
}

export interface ViewOptions<Requests extends RequestShape<Requests>> {
  /** `webview/hotSpots/main.ts` */
  readonly entry: string;
  readonly theme?: ThemeName;
  readonly answers: Answers<Requests>;
  /** What the view kept before (`setState`). */
  readonly state?: unknown;
  readonly size?: { readonly width: number; readonly height: number };
  readonly reducedMotion?: boolean;
  /** Notes where texts are drawn in canvases, for `cutsIn`. */
  readonly recordsPictures?: boolean;
}

interface Bundle {
  readonly script: string;
  readonly style: string;
}

/** Bundles a view as the build does, but for the tests' own eyes: not minified, in memory. */
async function bundle(entry: string): Promise<Bundle> {
  const { outputFiles } = await build({
    ...webviewBundle(entry, { production: false }),
    outfile: 'view.js',
    write: false,
  });
  const text = (ending: string): string => outputFiles.find((file) => file.path.endsWith(ending))?.text ?? '';
  return { script: text('.js'), style: text('.css') };
}

/** One view in a page of its own. */
export class View<Requests extends RequestShape<Requests>, Events> {
  /** Messages that the extension's end refused. */
  readonly refused: string[] = [];
  /** Exceptions, and what the policy did not allow. */
  readonly errors: string[] = [];
  /** Calls to `ready`, with the state that came. */
  readonly readyStates: unknown[] = [];
  private channel: PanelChannel<Requests, Events>;
  private listener: (message: unknown) => void = () => undefined;
  private theme: ThemeName;

  private constructor(
    readonly page: Page,
    private readonly options: ViewOptions<Requests>,
  ) {
    this.theme = options.theme ?? 'dark';
    this.channel = this.connect();
  }

  static async open<Requests extends RequestShape<Requests>, Events>(
    context: BrowserContext,
    { script, style }: Bundle,
    options: ViewOptions<Requests>,
  ): Promise<View<Requests, Events>> {
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const view = new View<Requests, Events>(page, options);
    page.on('pageerror', (error) => view.errors.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') view.errors.push(message.text());
    });
    await page.exposeFunction('kymoTestPost', (message: unknown) => view.listener(message));
    const files: Readonly<Record<string, { readonly type: string; readonly body: () => string }>> = {
      '/': { type: 'text/html', body: () => view.html() },
      '/view.js': { type: 'text/javascript', body: () => script },
      '/view.css': { type: 'text/css', body: () => style },
    };
    await page.route('**/*', (route) => {
      const file = files[new URL(route.request().url()).pathname];
      return file === undefined
        ? route.abort()
        : route.fulfill({ contentType: file.type, body: file.body() });
    });
    await page.addInitScript(fakeVsCodeApi, options.state);
    if (options.recordsPictures === true) await page.addInitScript(recordPictures);
    await page.goto(`${origin}/`);
    return view;
  }

  /** Tells the view something, as the extension does. */
  tell<Name extends keyof Events & string>(name: Name, value: Events[Name]): void {
    this.channel.tell(name, value);
  }

  /** Sends anything, also what no extension would send. */
  async send(message: unknown): Promise<void> {
    await this.page.evaluate((data) => window.dispatchEvent(new MessageEvent('message', { data })), message);
  }

  /** What the view keeps over reloads. */
  state(): Promise<unknown> {
    return this.page.evaluate(() => JSON.parse(sessionStorage.getItem('state') ?? 'null') as unknown);
  }

  /** As hiding and showing, or reloading the window: a new page with the kept state. */
  async reload(): Promise<void> {
    this.channel.dispose();
    this.channel = this.connect();
    await this.page.reload();
  }

  /** Changes the theme as VS Code does, without a reload. */
  async setTheme(theme: ThemeName): Promise<void> {
    this.theme = theme;
    await this.page.evaluate(applyTheme, themes[theme]);
    // Charts draw anew in the next frame.
    await this.page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
  }

  /** Texts whose contrast is below 4.5 : 1. */
  lowContrast(least = 4.5): Promise<LowContrast[]> {
    return this.page.evaluate(findLowContrast, least);
  }

  /** Keeps a picture for people to look at: `test-results/webview/<name>.png`. */
  async screenshot(name: string): Promise<void> {
    mkdirSync(screenshots, { recursive: true });
    await this.page.screenshot({ path: path.join(screenshots, `${name}.png`) });
  }

  /** The element that has the focus, also inside shadow roots: its role (or tag) and its name. */
  focused(): Promise<string> {
    return this.page.evaluate(() => {
      let at: Element | null = document.activeElement;
      const names: string[] = [];
      while (at !== null) {
        const name = at.getAttribute('aria-label') ?? at.textContent.trim().slice(0, 60);
        names.unshift(`${at.getAttribute('role') ?? at.tagName.toLowerCase()} ${name}`);
        at = at.shadowRoot?.activeElement ?? null;
      }
      return names.find((name) => /\S \S/.test(name)) ?? names[0] ?? '';
    });
  }

  /** Presses Tab until the focus is on something whose role and name fit. */
  async tabTo(wanted: RegExp, mostPresses = 60): Promise<void> {
    const seen: string[] = [];
    for (let press = 0; press < mostPresses; press++) {
      await this.page.keyboard.press('Tab');
      const focused = await this.focused();
      if (wanted.test(focused)) return;
      seen.push(focused);
    }
    throw new Error(`Tab does not reach ${String(wanted)}; it went over: ${[...new Set(seen)].join(' | ')}`);
  }

  async close(): Promise<void> {
    this.channel.dispose();
    await this.page.context().close();
  }

  private connect(): PanelChannel<Requests, Events> {
    const wire: Wire = {
      postMessage: (message: ToWebview) => this.send(message).catch(() => undefined),
      onDidReceiveMessage: (listener) => {
        this.listener = listener;
        return { dispose: () => (this.listener = () => undefined) };
      },
    };
    return new PanelChannel<Requests, Events>(
      wire,
      this.options.answers,
      (state) => this.readyStates.push(state),
      (why) => this.refused.push(why),
    );
  }

  /** The extension's own page, with what VS Code puts into it. */
  private html(): string {
    const nonce = 'dGhpcyBpcyBhIHRlc3Q';
    const theme = themes[this.theme];
    const page = pageHtml({
      title: 'Test',
      script: `${origin}/view.js`,
      style: `${origin}/view.css`,
      source: origin,
      nonce,
    });
    return page
      .replace(
        '<meta charset',
        () => `<style nonce="${nonce}" id="_defaultStyles">${theme.defaults}</style>\n<meta charset`,
      )
      .replace(
        '<body>',
        () =>
          `<body>\n<script nonce="${nonce}">(${applyTheme.toString()})(${JSON.stringify(theme).replaceAll('<', '\\u003c')})</script>`,
      );
  }
}

/** Runs in the page. */
function applyTheme(theme: {
  style: string;
  bodyClass: string;
  data: Readonly<Record<string, string>>;
}): void {
  document.documentElement.style.cssText = theme.style;
  document.body.className = theme.bodyClass;
  for (const [name, value] of Object.entries(theme.data)) document.body.dataset[name] = value;
}

/** Runs in the page before its scripts: what VS Code offers a webview. The state outlives a reload, as VS Code's does. */
function fakeVsCodeApi(state: unknown): void {
  const post = (globalThis as unknown as { kymoTestPost: (message: unknown) => Promise<void> }).kymoTestPost;
  if (state !== undefined && sessionStorage.getItem('state') === null)
    sessionStorage.setItem('state', JSON.stringify(state));
  let taken = false;
  Object.assign(globalThis, {
    acquireVsCodeApi: () => {
      if (taken) throw new Error('An instance of the VS Code API has already been acquired');
      taken = true;
      return {
        postMessage: (message: unknown) => void post(message),
        getState: () => (JSON.parse(sessionStorage.getItem('state') ?? 'null') as unknown) ?? undefined,
        setState: (value: unknown) => sessionStorage.setItem('state', JSON.stringify(value)),
      };
    },
  });
}
