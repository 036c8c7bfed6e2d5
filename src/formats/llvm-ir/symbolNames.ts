/** A global name as IR writes it: `@main`, `@"_ZZ4mainENK3$_0clEd"`. */
export const globalName = String.raw`@(?:"[^"]*"|[-\w$.]+)`;

/** Strings are matched first, so that texts in them do not look like names. */
const stringsAndNames = new RegExp(String.raw`${globalName}|"[^"]*"`, 'g');

/** All global names in a piece of IR, as in the symbol table. */
export function* namesIn(text: string): Iterable<string> {
  if (!text.includes('@')) return;
  for (const [token] of text.matchAll(stringsAndNames)) {
    if (token.startsWith('@')) yield plainName(token);
  }
}

/** `@"a\22b"` → `a"b`. */
export function plainName(token: string): string {
  return token.startsWith('@"') ? unescaped(token.slice(2, -1)) : token.slice(1);
}

/** IR writes characters that are not printable ASCII, and quotes, as `\` and two hexadecimal digits for each byte of UTF-8. */
export function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  const bytes = text.replace(/\\([0-9A-Fa-f]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
