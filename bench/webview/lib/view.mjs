// A view of the product in a real Chromium, with its stand-in of the extension in the same page; everything is served from memory.
import path from 'node:path';
import { URLSearchParams } from 'node:url';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { browserPath } from '../../../scripts/lib/chromium.mjs';
import { webviewBundle } from '../../../scripts/lib/webviews.mjs';

const html =
  '<!DOCTYPE html><html><head><meta charset="utf-8"><link rel="stylesheet" href="/view.css"></head><body class="vscode-dark"><main id="root"></main><script src="/extension.js"></script><script src="/view.js"></script></body></html>';

/**
 * Bundles both as the product is bundled, and gives `action` a function that opens a page of them: `open(viewport, parameters)`. The
 * extension's part finds the parameters in the address.
 */
export async function withView({ view, extension }, action) {
  const [shown, behind] = [await bundled(view), await bundled(extension)];
  const files = {
    '/': ['text/html', html],
    '/extension.js': ['text/javascript', behind['.js']],
    '/view.js': ['text/javascript', shown['.js']],
    '/view.css': ['text/css', shown['.css']],
  };
  const browser = await chromium.launch({
    executablePath: browserPath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'],
  });
  try {
    await action(async (viewport, parameters) => {
      const page = await browser.newPage({ viewport });
      await page.route('**/*', (route) => {
        const file = files[new URL(route.request().url()).pathname];
        return file === undefined
          ? route.abort()
          : route.fulfill({ contentType: `${file[0]}; charset=utf-8`, body: file[1] });
      });
      await page.goto(`http://webview.invalid/?${new URLSearchParams(parameters)}`);
      return page;
    });
  } finally {
    await browser.close();
  }
}

/** What the page leaves as a global once it has it. */
export async function leftBy(page, name) {
  const value = await page.waitForFunction(`globalThis.${name}`, undefined, { timeout: 60_000 });
  return value.jsonValue();
}

async function bundled(entry) {
  const { outputFiles } = await build({
    ...webviewBundle(entry, { production: true }),
    outfile: 'view.js',
    write: false,
  });
  return Object.fromEntries(outputFiles.map(({ path: file, text }) => [path.extname(file), text]));
}
