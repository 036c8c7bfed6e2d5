/** What gcc prints behind the name of an instance: `push [T = Lit]`, `f [with T = int]`. */
const templateArguments = / \[(?:with )?\w+ = /;

/** A folded C++ name without scope, result and parameters, for where there is little room: `ns::Grid<…>::step(int)` → `step`. Linear. */
export function unqualifiedName(folded: string): string {
  const [plain = folded] = folded.split(templateArguments, 1);
  const head = plain.slice(0, parameterList(plain)).trimEnd();
  const operator = /\boperator(?!\w)/.exec(head);
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
