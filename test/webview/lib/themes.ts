import { readFileSync } from 'node:fs';
import path from 'node:path';

export const themeNames = ['dark', 'light', 'hc-dark', 'hc-light'] as const;
export type ThemeName = (typeof themeNames)[number];

/** What VS Code gives a webview in a theme, as `recordThemes.mjs` recorded it. */
export interface Theme {
  /** The variables, as the text of a style attribute. */
  readonly style: string;
  readonly bodyClass: string;
  readonly data: Readonly<Record<string, string>>;
  /** The style sheet that VS Code puts before the page's own. */
  readonly defaults: string;
}

const file = path.join(import.meta.dirname, '../fixtures/themes.json');

export const themes = (
  JSON.parse(readFileSync(file, 'utf8')) as { readonly themes: Readonly<Record<ThemeName, Theme>> }
).themes;
