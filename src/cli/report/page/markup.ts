import { escapeMarkup } from '../../../core/names/escapeMarkup';

/** Markup that this program wrote. Only `markup` makes it from texts, so that none of them can become a tag or an attribute. */
export class Markup {
  constructor(readonly text: string) {}
}

type Part = string | number | Markup | readonly Markup[];

/** A template whose texts are escaped, also in quoted attributes. */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(
    strings.reduce((all, literal, index) => all + markupOf(parts[index - 1] ?? '') + literal),
  );
}

/** Nothing. */
export const nothing = new Markup('');

function markupOf(part: Part): string {
  if (part instanceof Markup) return part.text;
  return typeof part === 'object' ? part.map(({ text }) => text).join('') : escapeMarkup(String(part));
}
