// The browser of tests, pictures and benches.
import { existsSync } from 'node:fs';

/** The same engine without the parts that put windows on a screen: pages take less than half of the processor time. */
export const headlessShell = 'chromium-headless-shell';

/** Where it is; `CHROMIUM` names another one. */
export const browserPath =
  process.env.CHROMIUM ??
  [`/usr/bin/${headlessShell}`].find((file) => existsSync(file)) ??
  '/usr/bin/chromium';
