/**
 * Replaces `${name}` by `values[name]`; `$${name}` stands for the text `${name}`. Names without a value stay unchanged (in a
 * build command they belong to the shell).
 */
export function substitute(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(placeholder, (match: string, escape: string, name: string) => {
    if (escape !== '') return match.slice(1);
    return Object.hasOwn(values, name) ? (values[name] ?? match) : match;
  });
}

/** The names that `substitute` would look up in `text`, in their order. */
export function placeholders(text: string): readonly string[] {
  return [...text.matchAll(placeholder)].flatMap(([, escape, name]) =>
    escape === '' && name !== undefined ? [name] : [],
  );
}

/** Text that `substitute` turns into `text` itself. */
export function literally(text: string): string {
  return text.replace(/\$(?=\{(?:[A-Za-z_][A-Za-z0-9_-]*|file:[^{}\n]+)\})/g, '$$$$');
}

const placeholder = /(\$?)\$\{([A-Za-z_][A-Za-z0-9_-]*|file:[^{}\n]+)\}/g;
