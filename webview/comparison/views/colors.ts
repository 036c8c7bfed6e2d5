import type { EntryClass } from '../../../src/core/trace/comparisonPieces';

/** Colours of what canvases draw; the style sheet defines them by the theme and the user's colours. */
export interface ClassColors extends Readonly<Record<EntryClass, string>> {
  readonly text: string;
}

export function classColors(of: Element): ClassColors {
  const style = getComputedStyle(of);
  const color = (name: string): string => style.getPropertyValue(`--comparison-${name}`).trim();
  return {
    equal: color('equal'),
    changed: color('changed'),
    added: color('added'),
    deleted: color('deleted'),
    text: color('text'),
  };
}
