import { decideBy, type FilterDecision, type FilterTime } from './decide';
import type { Filter, FilterRule } from '../syntax/filter';
import { symbolVariants } from './structors';
import type { Matcher } from '../patterns/matcher';
import { mayContain, signatureOf } from '../patterns/signature';
import { shownName, type KnownFunction, type ShownName } from './names';

/** What a rule does to the functions of a program. */
export interface RuleEffect {
  /** Functions that its pattern matches. */
  readonly matches: number;
  /** Matched functions that no later rule of the block decides, and for names, whose file is not excluded. */
  readonly wins: number;
  /** Functions among `wins` with another decision if the rule were not there. */
  readonly changes: number;
  /** Positions of the first functions that it matches, at most 5. */
  readonly examples: readonly number[];
  /** It matches no name as far as names are known here, but Score-P may spell one so that it does. */
  readonly uncertain: boolean;
}

export interface FilterEffects {
  /** As `filter.rules`. */
  readonly rules: readonly RuleEffect[];
  /** As the functions given. */
  readonly decisions: readonly FilterDecision[];
  readonly instrumented: number;
}

interface Counts {
  matches: number;
  wins: number;
  changes: number;
  examples: number[];
}

const mostExamples = 5;

/** What each rule of a filter does to these functions. Names are looked up; only patterns with wildcards are tried one by one. */
export function analyseEffects(
  filter: Filter,
  functions: readonly KnownFunction[],
  when: FilterTime = 'compile-time',
): FilterEffects {
  const index = new RuleIndex(filter);
  const counts = filter.rules.map((): Counts => ({ matches: 0, wins: 0, changes: 0, examples: [] }));
  const decisions: FilterDecision[] = [];
  let instrumented = 0;
  functions.forEach((f, position) => {
    const matching = index.matching(f);
    const decision = verdict(filter, matching, f, when);
    decisions.push(decision);
    if (decision.instrumented) instrumented++;
    for (const rule of matching) {
      const count = counts[rule];
      if (count === undefined) continue;
      count.matches++;
      if (count.examples.length < mostExamples) count.examples.push(position);
    }
    for (const rule of winners(filter, matching, decision)) {
      const count = counts[rule];
      if (count === undefined) continue;
      count.wins++;
      const { instrumented: without } = verdict(filter, matching, f, when, rule);
      if (without !== decision.instrumented) count.changes++;
    }
  });
  const inexact = functions
    .map(shownName)
    .flatMap(({ exact, text }) => (exact ? [] : text))
    .join('\n');
  const rules = filter.rules.map((rule, at): RuleEffect => {
    const count = counts[at] ?? { matches: 0, wins: 0, changes: 0, examples: [] };
    return { ...count, uncertain: count.matches === 0 && mayMatch(rule, inexact) };
  });
  return { rules, decisions, instrumented };
}

/** Which rules match a function, by position and ascending. */
class RuleIndex {
  private readonly literalNames = new Map<string, number[]>();
  private readonly literalMangled = new Map<string, number[]>();
  private readonly wild: { readonly matcher: Matcher; readonly isMangled: boolean; readonly at: number }[] =
    [];
  private readonly files: { readonly matcher: Matcher; readonly at: number }[] = [];
  /** Functions of one file are many, and its path is long. */
  private readonly byFile = new Map<string, readonly number[]>();

  constructor({ rules }: Filter) {
    rules.forEach(({ block, mangled: isMangled, matcher }, at) => {
      const { literal } = matcher;
      if (block === 'file') {
        this.files.push({ matcher, at });
      } else if (literal === undefined) {
        this.wild.push({ matcher, isMangled, at });
      } else {
        const table = isMangled ? this.literalMangled : this.literalNames;
        const same = table.get(literal);
        if (same === undefined) table.set(literal, [at]);
        else same.push(at);
      }
    });
  }

  matching(f: KnownFunction): readonly number[] {
    const shown = shownName(f);
    const mangled = mangledNames(f, shown);
    const found = [
      ...mangled.flatMap((name) => this.literalMangled.get(name) ?? []),
      ...(this.literalNames.get(shown.text) ?? []),
      ...(f.file === undefined ? [] : this.ofFile(f.file)),
    ];
    const texts = shown.other === undefined ? [shown.text] : [shown.text, shown.other];
    const shownSignature = signatureOf(...texts);
    const mangledSignature = signatureOf(...mangled);
    for (const { matcher, isMangled, at } of this.wild) {
      if (!mayContain(isMangled ? mangledSignature : shownSignature, matcher.signature)) continue;
      if ((isMangled ? mangled : texts).some(matcher.matches)) found.push(at);
    }
    return found.sort((a, b) => a - b).filter((at, place) => at !== found[place - 1]);
  }

  private ofFile(file: string): readonly number[] {
    const known = this.byFile.get(file);
    if (known !== undefined) return known;
    const positions = this.files.filter(({ matcher }) => matcher.matches(file)).map(({ at }) => at);
    this.byFile.set(file, positions);
    return positions;
  }
}

/** All symbols of a constructor or destructor, unless it is known which one the compiler names. */
function mangledNames({ mangledName, exactName }: KnownFunction, shown: ShownName): readonly string[] {
  if (mangledName === undefined) return [shown.text];
  return exactName === true ? [mangledName] : symbolVariants(mangledName);
}

/** The decision by the rules that are known to match, or by all of these but one. */
function verdict(
  { rules }: Filter,
  matching: readonly number[],
  f: KnownFunction,
  when: FilterTime,
  without?: number,
): FilterDecision {
  return decideBy(
    (wanted) => {
      const at = matching.findLast((position) => {
        const rule = rules[position];
        return position !== without && rule !== undefined && wanted(rule);
      });
      return at === undefined ? undefined : rules[at];
    },
    f,
    when,
  );
}

/** The last matching rule of each block; of names, none where the file is excluded. */
function winners(
  { rules }: Filter,
  matching: readonly number[],
  { because }: FilterDecision,
): readonly number[] {
  const last = (block: FilterRule['block']): readonly number[] => {
    const at = matching.findLast((position) => rules[position]?.block === block);
    return at === undefined ? [] : [at];
  };
  return because === 'file-excluded' ? last('file') : [...last('file'), ...last('region')];
}

/** Whether Score-P might spell one of these names so that the pattern matches: the function's own name in it is a part of one. */
function mayMatch({ block, mangled, pattern }: FilterRule, inexact: string): boolean {
  if (block === 'file' || mangled) return false;
  // Before it stands the return type, and what follows the parenthesis are types, too; neither is known here.
  const head = pattern.replace(/\\(.)/gu, '$1').split('(')[0] ?? '';
  const own = head.match(/[A-Za-z_]\w*/g)?.at(-1);
  return own !== undefined && inexact.includes(own);
}
