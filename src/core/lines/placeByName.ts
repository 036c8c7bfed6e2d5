import { readPrettyName } from '../names/prettyName';

/**
 * The line (1-based) of a function that was recorded at `line` of another version of the text: the line itself if it contains the
 * name, else the nearest line that looks like its definition; `line` again when there is none, for a macro may define the function.
 */
export function placeByName(lines: readonly string[], name: string, line: number): number {
  const word = lastName(name);
  if (word === undefined) return line;
  const named = new RegExp(`(^|[^\\w$])${escaped(word)}_?($|[^\\w$])`, 'i');
  const recorded = lines[line - 1];
  if (recorded !== undefined && named.test(recorded)) return line;
  const definition = new RegExp(`(^|[^\\w$.>])${escaped(word)}\\s*(\\(|$)`, 'i');
  let best = line;
  let distance = Infinity;
  lines.forEach((text, index) => {
    const away = Math.abs(index + 1 - line);
    if (away >= distance || !definition.test(text) || isUse(text)) return;
    best = index + 1;
    distance = away;
  });
  return best;
}

/** Whether a line looks like a call or a declaration rather than a definition. */
function isUse(text: string): boolean {
  return (
    /;\s*(\/[/*].*)?$/.test(text) ||
    /^\s*(return|if|while|for|call|use|end)\b/i.test(text) ||
    /[=,]\s*[\w:]+\s*\($/.test(text)
  );
}

/** `bool Heap::less(int) const` → `less`; Fortran's `step_` and `__mod_MOD_step` → `step`. */
function lastName(name: string): string | undefined {
  const plain = name.includes('(') ? readPrettyName(name).qualifiedName : name;
  const bare = plain.replace(/^__\w+_(?:MOD|mp)_/, '').replace(/_+$/, '');
  return /([\p{L}\p{N}_$~]+)$/u.exec(bare)?.[1];
}

function escaped(text: string): string {
  return text.replace(/[$.*+?^{}()|[\]\\]/g, '\\$&');
}
