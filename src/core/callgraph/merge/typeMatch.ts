import { at } from '../../at';
import { isBuiltIn, normalBuiltIns, withoutUsualTypedefs } from '../../source/declarations/builtInTypes';

/** Comparing parameter types as they are written, where typedefs may hide what they are. */

/** Splits `a,b(*)(c,d)` at the outer commas. */
export function splitSignature(signature: string): string[] {
  if (signature === '') return [];
  const parts: string[] = [];
  let depth = 0;
  let begin = 0;
  for (let at = 0; at < signature.length; at++) {
    const letter = signature[at];
    if (letter === '(' || letter === '<' || letter === '[') depth++;
    else if (letter === ')' || letter === '>' || letter === ']') depth--;
    else if (letter === ',' && depth === 0) {
      parts.push(signature.slice(begin, at));
      begin = at + 1;
    }
  }
  parts.push(signature.slice(begin));
  return parts;
}

/** Whether two parameter lists may mean the same types. */
export function signaturesAgree(a: string, b: string): boolean {
  if (a === b) return true;
  const left = splitSignature(a);
  const right = splitSignature(b);
  return left.length === right.length && left.every((type, index) => typesAgree(type, at(right, index)));
}

/** How well they agree: 2 for each parameter of the same type, 1 where only template arguments differ; -1 when they cannot be the same. */
export function signatureScore(a: string, b: string): number {
  if (!signaturesAgree(a, b)) return -1;
  const right = splitSignature(b);
  return splitSignature(a).reduce((sum, type, index) => sum + likeness(type, at(right, index)), 0);
}

function likeness(a: string, b: string): number {
  const left = withoutUsualTypedefs(normalType(a));
  const right = withoutUsualTypedefs(normalType(b));
  if (left === right) return 2;
  return withoutArguments(left) === withoutArguments(right) ? 1 : 0;
}

/** A type without scopes and without default arguments of the standard containers, which only some compilers write. */
function normalType(type: string): string {
  return normalBuiltIns(type)
    .replace(/(?:[\w@()]+::)+/g, '')
    .replace(/,allocator<[^<>]*>(?=>)/g, '');
}

function withoutArguments(type: string): string {
  return type.replace(/<.*>/g, '');
}

function typesAgree(a: string, b: string): boolean {
  const left = withoutArguments(normalType(a));
  const right = withoutArguments(normalType(b));
  if (left === right) return true;
  const leftBase = left.replace(/[*&]|\[\d*\]/g, '').trim();
  const rightBase = right.replace(/[*&]|\[\d*\]/g, '').trim();
  if (isBuiltIn(leftBase) && isBuiltIn(rightBase)) return false;
  if (/[()]/.test(left) || /[()]/.test(right)) return true;
  // A typedef may hide pointers, but hardly ever one of several.
  const leftStars = left.replace(/[^*[]/g, '').length;
  const rightStars = right.replace(/[^*[]/g, '').length;
  if (leftStars === rightStars) return true;
  const longer = leftStars > rightStars ? rightBase : leftBase;
  return !isBuiltIn(longer);
}
