import { KymoError } from '../../errors';
import { resourceTrees, type Focus, type ResourcePath, type ResourceTree } from './focus';

/** `/Code/om3.c/main`. Different resources have different texts, whatever their names contain. */
export function printResource(tree: ResourceTree, path: ResourcePath): string {
  return [`/${tree}`, ...path.map(escapeName)].join('/');
}

/** `< /Code/om3.c/main, /Machine/c2-047/om3{1374}, /SyncObject >` */
export function printFocus(focus: Focus): string {
  return `< ${resourceTrees.map((tree) => printResource(tree, focus[tree])).join(', ')} >`;
}

/** For people: ` in om3.c/main, c2-047/om3{1374}`; empty for the whole program. */
export function focusWords(focus: Focus): string {
  const places = resourceTrees.flatMap((tree) => (focus[tree].length === 0 ? [] : [focus[tree].join('/')]));
  return places.length === 0 ? '' : ` in ${places.join(', ')}`;
}

/** @throws KymoError `focus-invalid` */
export function parseFocus(text: string): Focus {
  const inner = /^\s*<(.*)>\s*$/s.exec(text)?.[1];
  if (inner === undefined) throw invalid(text, 'it must begin with "<" and end with ">"');
  const resources = inner.split(',');
  if (resources.length !== resourceTrees.length)
    throw invalid(text, `it must name ${resourceTrees.length} resources with commas between them`);
  const paths = resourceTrees.map((tree, position) => pathIn(resources[position]?.trim() ?? '', tree, text));
  const [Code = [], Machine = [], SyncObject = []] = paths;
  return { Code, Machine, SyncObject };
}

/** @throws KymoError `focus-invalid` */
export function parseResource(text: string, tree: ResourceTree): ResourcePath {
  return pathIn(text, tree, text);
}

function pathIn(resource: string, tree: ResourceTree, text: string): ResourcePath {
  const [before, begin, ...names] = resource.split('/');
  if (before !== '' || begin !== tree) throw invalid(text, `"${resource}" must begin with /${tree}`);
  return names.map((name) => unescapeName(name, text));
}

/** What separates names, what nobody sees or what changes how others are shown, and blanks where they would be cut off. */
const hostile = /[%/,\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|^\s|\s$/gu;

function escapeName(name: string): string {
  return name.replace(hostile, (character) =>
    Array.from({ length: character.length }, (_, unit) => {
      const code = character.charCodeAt(unit);
      const digits = code.toString(16).toUpperCase();
      return code < 0x100 ? `%${digits.padStart(2, '0')}` : `%u${digits.padStart(4, '0')}`;
    }).join(''),
  );
}

function unescapeName(name: string, text: string): string {
  return name.replace(/%(?:u([0-9A-F]{4})|([0-9A-F]{2})|)/gi, (all, long?: string, short?: string) => {
    const digits = long ?? short;
    if (digits === undefined)
      throw invalid(
        text,
        `"${all}" in "${name}" must be followed by two hexadecimal digits, or by "u" and four`,
      );
    return String.fromCharCode(parseInt(digits, 16));
  });
}

function invalid(text: string, why: string): KymoError {
  const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return new KymoError('focus-invalid', `"${shown}" is no focus: ${why}.`);
}
