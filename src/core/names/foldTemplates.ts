/**
 * A C++ name without its template arguments: `std::map<int, std::vector<long>>::at` → `std::map<…>::at`. Operators (`<`, `>>`, `->`, …)
 * and names in angle brackets (`<lambda(int)>`) stay. A name whose brackets do not match stays as it is. Linear; folding twice is folding once.
 */
export function foldTemplates(name: string): string {
  if (!name.includes('<')) return name;
  const scan = new Scan(name);
  while (scan.at < name.length) if (!scan.step()) return name;
  return scan.finished() ? scan.output : name;
}

const closers: Readonly<Record<string, string>> = { '>': '<', ')': '(', ']': '[', '}': '{' };
const operatorSymbols = ['<=>', '<<=', '>>=', '->*', '<<', '>>', '->', '<=', '>=', '()', '[]', '<', '>'];
const keyword = 'operator';

class Scan {
  at = 0;
  output = '';
  /** Open brackets inside of template arguments; the first one is the `<` that began them. */
  private readonly open: string[] = [];
  /** Behind the last `operator<` or the like. */
  private operatorEnd = -1;

  constructor(private readonly name: string) {}

  finished(): boolean {
    return this.open.length === 0;
  }

  /** Takes one token; false when brackets do not match. */
  step(): boolean {
    const { name, at } = this;
    const symbol = this.operatorHere();
    if (symbol > 0) {
      this.operatorEnd = at + symbol;
      return this.take(symbol);
    }
    const c = name.charAt(at);
    if (c === '-' && name.charAt(at + 1) === '>') return this.take(2);
    return this.open.length === 0 ? this.outside(c) : this.inside(c);
  }

  private take(count: number): true {
    if (this.open.length === 0) this.output += this.name.slice(this.at, this.at + count);
    this.at += count;
    return true;
  }

  private outside(c: string): true {
    if (c !== '<' || !this.followsName()) return this.take(1);
    this.output += '<…>';
    this.open.push('<');
    this.at += 1;
    return true;
  }

  private inside(c: string): boolean {
    this.at += 1;
    // Between parentheses `<` after a value is a comparison or a shift: `(1)<<(3)`.
    if (c === '<' && this.open.at(-1) !== '<' && /[)<\d]/.test(this.name.charAt(this.at - 2))) return true;
    if (c === '>' && this.open.at(-1) !== '<') return true;
    if (c === '<' || c === '(' || c === '[' || c === '{') this.open.push(c);
    const opener = closers[c];
    return opener === undefined || this.open.pop() === opener;
  }

  /** Length of `operator<`, `operator()`, … at this position, or 0. */
  private operatorHere(): number {
    const { name, at } = this;
    if (!name.startsWith(keyword, at) || isWord(name.charAt(at - 1))) return 0;
    const symbol = operatorSymbols.find((candidate) => name.startsWith(candidate, at + keyword.length));
    return symbol === undefined ? 0 : keyword.length + symbol.length;
  }

  /** `<` begins template arguments only behind a name; else it is part of one, as in `main()::<lambda()>`. */
  private followsName(): boolean {
    let before = this.at - 1;
    while (before > 0 && this.name.charAt(before) === ' ') before -= 1;
    const c = this.name.charAt(before);
    if (before >= 0 && isWord(c)) return true;
    // `operator< <int>`
    return before + 1 === this.operatorEnd;
  }
}

function isWord(c: string): boolean {
  return /[\w$\u0080-\uffff]/.test(c);
}
