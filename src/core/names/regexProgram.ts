import { KymoError } from '../errors';

/** One state of a non-deterministic automaton; numbers are positions in the program. */
export type Instruction =
  | { readonly kind: 'character'; readonly matches: (code: number) => boolean; readonly next: number }
  | { readonly kind: 'split'; readonly next: number; readonly other: number }
  | { readonly kind: 'assert'; readonly where: 'start' | 'end' | 'word'; readonly next: number }
  | { readonly kind: 'match' };

export interface RegexProgram {
  readonly instructions: readonly Instruction[];
  readonly start: number;
}

/** Longer patterns are refused, and so are larger programs, which repetitions make. */
export const maximumPattern = 300;
const maximumInstructions = 3000;

/** Fragments are built backwards: each piece is compiled with its continuation. */
type Piece = (next: number) => number;

/**
 * Compiles a pattern: literals, `.`, classes, groups, `|`, `* + ? {m,n}`, `^ $ \b \d \w \s` and their opposites. What needs
 * backtracking (back references, look-around) is refused, so that matching is linear for any pattern.
 * @throws KymoError `pattern-invalid`, with the error and its place
 */
export function compileRegex(pattern: string, ignoreCase: boolean): RegexProgram {
  if (pattern.length > maximumPattern)
    throw invalid(`it has ${pattern.length} characters, and at most ${maximumPattern} are taken`);
  const parser = new Parser(pattern, ignoreCase);
  const piece = parser.whole();
  const match = parser.emit({ kind: 'match' });
  return { start: piece(match), instructions: parser.instructions };
}

class Parser {
  readonly instructions: Instruction[] = [];
  private at = 0;

  constructor(
    private readonly pattern: string,
    private readonly ignoreCase: boolean,
  ) {}

  emit(instruction: Instruction): number {
    if (this.instructions.length >= maximumInstructions) throw invalid('its repetitions are too many');
    return this.instructions.push(instruction) - 1;
  }

  whole(): Piece {
    const piece = this.alternatives();
    if (this.at < this.pattern.length) throw invalid(`“)” at ${this.at + 1} closes nothing`);
    return piece;
  }

  private alternatives(): Piece {
    let piece = this.sequence();
    while (this.taken('|')) {
      const first = piece;
      const second = this.sequence();
      piece = (next) => this.emit({ kind: 'split', next: first(next), other: second(next) });
    }
    return piece;
  }

  private sequence(): Piece {
    const pieces: Piece[] = [];
    while (this.at < this.pattern.length && !'|)'.includes(this.peek())) pieces.push(this.repeated());
    return (next) => pieces.reduceRight((following, piece) => piece(following), next);
  }

  private repeated(): Piece {
    let piece = this.atom();
    for (;;) {
      const counts = this.counts();
      if (counts === undefined) return piece;
      piece = this.repeat(piece, counts.least, counts.most);
      // Lazy or greedy: whether it matches is the same.
      this.taken('?');
    }
  }

  private repeat(piece: Piece, least: number, most: number): Piece {
    return (next) => {
      let following = next;
      if (most === Infinity) following = this.loop(piece, next);
      else
        for (let i = least; i < most; i++)
          following = this.emit({ kind: 'split', next: piece(following), other: next });
      for (let i = 0; i < least; i++) following = piece(following);
      return following;
    };
  }

  private loop(piece: Piece, next: number): number {
    const split = this.emit({ kind: 'match' });
    this.instructions[split] = { kind: 'split', next: piece(split), other: next };
    return split;
  }

  private counts(): { readonly least: number; readonly most: number } | undefined {
    if (this.taken('*')) return { least: 0, most: Infinity };
    if (this.taken('+')) return { least: 1, most: Infinity };
    if (this.taken('?')) return { least: 0, most: 1 };
    const match = /^\{(\d{1,3})(,?)(\d{0,3})\}/.exec(this.pattern.slice(this.at));
    if (match === null) return undefined;
    this.at += match[0].length;
    const least = Number(match[1]);
    const most = match[2] === '' ? least : match[3] === '' ? Infinity : Number(match[3]);
    if (most < least) throw invalid(`“${match[0]}” asks for less than it begins with`);
    return { least, most };
  }

  private atom(): Piece {
    const c = this.peek();
    this.at += 1;
    switch (c) {
      case '(':
        return this.group();
      case '[':
        return this.character(this.characterClass());
      case '.':
        return this.character(() => true);
      case '^':
        return (next) => this.emit({ kind: 'assert', where: 'start', next });
      case '$':
        return (next) => this.emit({ kind: 'assert', where: 'end', next });
      case '\\':
        return this.escaped();
      case '*':
      case '+':
      case '?':
        throw invalid(`“${c}” at ${this.at} repeats nothing`);
      default:
        return this.character(this.equals(c.charCodeAt(0)));
    }
  }

  private group(): Piece {
    const from = this.at;
    if (this.taken('?') && !this.taken(':'))
      throw invalid(`the group at ${from} looks ahead or behind, which is not supported`);
    const piece = this.alternatives();
    if (!this.taken(')')) throw invalid(`“(” at ${from} is not closed`);
    return piece;
  }

  private escaped(): Piece {
    const c = this.peek();
    if (c === 'b') {
      this.at += 1;
      return (next) => this.emit({ kind: 'assert', where: 'word', next });
    }
    return this.character(this.escape());
  }

  /** After a backslash: a named class or a character. */
  private escape(): (code: number) => boolean {
    const c = this.peek();
    if (c === '') throw invalid('it ends with “\\”');
    if (/[1-9B]/.test(c)) throw invalid(`“\\${c}” is not supported`);
    this.at += 1;
    const named = classes[c.toLowerCase()];
    if (named === undefined) return this.equals((literals[c] ?? c).charCodeAt(0));
    return c === c.toLowerCase() ? named : (code) => !named(code);
  }

  private characterClass(): (code: number) => boolean {
    const from = this.at;
    const negated = this.taken('^');
    const tests: ((code: number) => boolean)[] = [];
    while (!this.taken(']') || tests.length === 0) {
      if (this.at >= this.pattern.length) throw invalid(`“[” at ${from} is not closed`);
      tests.push(this.classMember());
    }
    return (code) => tests.some((test) => test(code)) !== negated;
  }

  private classMember(): (code: number) => boolean {
    if (this.taken('\\')) return this.escape();
    const first = this.pattern.charCodeAt(this.at);
    this.at += 1;
    const last = /^-([^\]\\])/s.exec(this.pattern.slice(this.at))?.[1];
    if (last === undefined) return this.equals(first);
    this.at += 2;
    const to = last.charCodeAt(0);
    const within = (code: number): boolean => code >= first && code <= to;
    return this.ignoreCase ? (code) => cases(code).some(within) : within;
  }

  private equals(wanted: number): (code: number) => boolean {
    return this.ignoreCase ? (code) => cases(code).includes(wanted) : (code) => code === wanted;
  }

  private character(matches: (code: number) => boolean): Piece {
    return (next) => this.emit({ kind: 'character', matches, next });
  }

  private peek(): string {
    return this.pattern.charAt(this.at);
  }

  private taken(c: string): boolean {
    if (this.peek() !== c) return false;
    this.at += 1;
    return true;
  }
}

export function isWordCode(code: number): boolean {
  return (
    (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)
  );
}

const classes: Readonly<Record<string, (code: number) => boolean>> = {
  d: (code) => code >= 48 && code <= 57,
  w: isWordCode,
  s: (code) => /\s/.test(String.fromCharCode(code)),
};

const literals: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

function cases(code: number): readonly number[] {
  const c = String.fromCharCode(code);
  return [code, c.toLowerCase().charCodeAt(0), c.toUpperCase().charCodeAt(0)];
}

function invalid(why: string): KymoError<'pattern-invalid'> {
  return new KymoError('pattern-invalid', `The pattern cannot be used: ${why}.`);
}
