/** What gcc prints behind the name of an instance: `push [T = Lit]`, `f [with T = int]`. */
const templateArguments = / \[(?:with )?\w+ = /;

/** What Kymo writes behind the name of the function around an OpenMP region that the compiler made a function: `solve [OpenMP region]`. */
const openmpSuffix = / \[OpenMP [^[\]]*\]$/;

const operatorName = /\boperator(?!\w)/;

/** Result, scope and name: what stands before the parameters. */
function headOf(folded: string): string {
  const [plain = folded] = folded.split(templateArguments, 1);
  return plain.slice(0, parameterList(plain)).trimEnd();
}

/**
 * Class (or namespace) of a folded C++ name, without template arguments: `void ns::Grid<…>::step(int)` → `ns::Grid`; undefined for a function without
 * one. What stands in an anonymous namespace, or in a function (a lambda), has none of its own there. Linear.
 */
export function scopeOf(folded: string): string | undefined {
  const head = headOf(folded).replaceAll('(anonymous namespace)', '{anonymous}');
  const operator = operatorName.exec(head);
  const parts = (operator === null ? head : `${head.slice(0, operator.index)}operator`).split('::');
  const isAnonymous = (part: string): boolean => /^[{<]/.test(part);
  // A lambda is part of the function around it.
  const own = parts.findIndex((part) => /^[{<]lambda/.test(part));
  const around = parts.slice(0, own < 0 ? -1 : Math.max(0, own - 1)).filter((part) => !isAnonymous(part));
  const scope = around.join('::').replaceAll('<…>', '');
  const word = scope.slice(scope.lastIndexOf(' ') + 1).replace(/^[*&]+/, '');
  return word === '' ? undefined : word;
}

/**
 * A folded C++ name without scope, result and parameters, for where there is little room: `ns::Grid<…>::step(int)` → `step`. An OpenMP region stays one:
 * `heat::norm [OpenMP region]` → `norm [OpenMP region]`. Linear.
 */
export function unqualifiedName(folded: string): string {
  const suffix = openmpSuffix.exec(folded);
  if (suffix !== null) return unqualifiedName(folded.slice(0, suffix.index)) + suffix[0];
  const head = headOf(folded);
  const operator = operatorName.exec(head);
  if (operator !== null) return head.slice(operator.index);
  const scope = head.lastIndexOf('::');
  const own = scope < 0 ? head : head.slice(scope + 2);
  const word = own.slice(own.lastIndexOf(' ') + 1);
  return word === '' ? folded : word;
}

/** Where the parameters begin; the length of the name when it has none. Scopes as `(anonymous namespace)` and `operator()` are passed over. */
function parameterList(name: string): number {
  let depth = 0;
  for (let offset = 0; offset < name.length; offset++) {
    const c = name.charAt(offset);
    if (c === ')') depth--;
    if (c !== '(') continue;
    const before = name.slice(Math.max(0, offset - 9), offset);
    const isParameters = offset > 0 && !/[:\s(]$|\boperator$/.test(before);
    if (depth === 0 && isParameters) return offset;
    depth++;
  }
  return name.length;
}
