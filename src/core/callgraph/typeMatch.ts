/** Comparing parameter types as they are written, where typedefs may hide what they are. */

const builtIn =
  /^(?:(?:un)?signed|char|short|int|long|float|double|bool|void|wchar_t|__int128|_Bool|size_t| )+$/;

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
  return left.length === right.length && left.every((type, index) => typesAgree(type, right[index] ?? ''));
}

/** How well they agree: the number of equally written parameters; -1 when they cannot be the same. */
export function signatureScore(a: string, b: string): number {
  if (!signaturesAgree(a, b)) return -1;
  const right = splitSignature(b).map(unqualifiedType);
  return splitSignature(a).filter((type, index) => unqualifiedType(type) === right[index]).length;
}

function unqualifiedType(type: string): string {
  return type.replace(/<.*>/g, '').replace(/(?:[\w@()]+::)+/g, '');
}

function typesAgree(a: string, b: string): boolean {
  const left = unqualifiedType(a);
  const right = unqualifiedType(b);
  if (left === right) return true;
  const leftBase = left.replace(/[*&]|\[\d*\]/g, '').trim();
  const rightBase = right.replace(/[*&]|\[\d*\]/g, '').trim();
  if (builtIn.test(leftBase) && builtIn.test(rightBase)) return false;
  if (/[()]/.test(left) || /[()]/.test(right)) return true;
  // A typedef may hide pointers too, but hardly ever hides one of several.
  const leftStars = left.replace(/[^*[]/g, '').length;
  const rightStars = right.replace(/[^*[]/g, '').length;
  if (leftStars === rightStars) return true;
  const longer = leftStars > rightStars ? rightBase : leftBase;
  return !builtIn.test(longer);
}
