/** Characters that roff names itself, so that every output device has them; `-` would become a hyphen, which cannot be searched or copied. */
const named: Readonly<Record<string, string>> = {
  '\\': '\\[rs]',
  '-': '\\-',
  "'": '\\[aq]',
  '`': '\\[ga]',
  '^': '\\[ha]',
  '~': '\\[ti]',
  '"': '\\[dq]',
  '“': '\\[lq]',
  '”': '\\[rq]',
  '’': '\\[cq]',
  '–': '\\[en]',
  '…': '...',
};

/** Text in a line of roff (groff_char(7)): nothing in it is a request or an escape. */
export function roff(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.replace(/[^\w .,:;()[\]<>{}/*+=@#$%&|!?]/gu, (character) => {
    const hexadecimal = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return named[character] ?? `\\[u${hexadecimal}]`;
  });
}

/** A line that is no request, whatever it begins with. */
export function line(text: string): string {
  const escaped = roff(text);
  return escaped.startsWith('.') ? `\\&${escaped}` : escaped;
}

export function bold(text: string): string {
  return `\\fB${roff(text)}\\fR`;
}
