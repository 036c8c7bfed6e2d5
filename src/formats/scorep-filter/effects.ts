import { decideBy, type FilterDecision, type FilterTime } from './decide';
import type { Filter, FilterRule } from './filter';
import { symbolVariants } from './structors';
import { shownName, type KnownFunction, type ShownName } from './names';

/** What a rule does to the functions of a program. */
export interface RuleEffect {
  /** Functions that its pattern matches. */
  readonly matches: number;
  /** Of these, the ones that no later rule of its block decides, and for names, whose file is not excluded. */
  readonly wins: number;
  /** Of these, the ones that would be decided otherwise without it. */
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
  private readonly wild: readonly { readonly rule: FilterRule; readonly at: number }[];
  /** Functions of one file are many, and its path is long. */
  private readonly byFile = new Map<string, readonly number[]>();

  constructor({ rules }: Filter) {
    const wild: { readonly rule: FilterRule; readonly at: number }[] = [];
    rules.forEach((rule, at) => {
      const { literal } = rule.matcher;
      if (literal === undefined || rule.block === 'file') wild.push({ rule, at });
      else {
        const table = rule.mangled ? this.literalMangled : this.literalNames;
        const same = table.get(literal);
        if (same === undefined) table.set(literal, [at]);
        else same.push(at);
      }
    });
    this.wild = wild;
  }

  matching(f: KnownFunction): readonly number[] {
    const shown = shownName(f);
    const mangled = mangledNames(f, shown);
    const found = [
      ...mangled.flatMap((name) => this.literalMangled.get(name) ?? []),
      ...(this.literalNames.get(shown.text) ?? []),
      ...(f.file === undefined ? [] : this.ofFile(f.file)),
    ];
    for (const { rule, at } of this.wild) {
      if (rule.block === 'file') continue;
      if (rule.mangled ? mangled.some(rule.matcher.matches) : matchesShown(rule, shown)) found.push(at);
    }
    return found.sort((a, b) => a - b).filter((at, place) => at !== found[place - 1]);
  }

  private ofFile(file: string): readonly number[] {
    const known = this.byFile.get(file);
    if (known !== undefined) return known;
    const found = this.wild.filter(({ rule }) => rule.block === 'file' && rule.matcher.matches(file));
    const positions = found.map(({ at }) => at);
    this.byFile.set(file, positions);
    return positions;
  }
}

/** All symbols of a constructor or destructor, unless it is known which one the compiler names. */
function mangledNames({ mangledName, exactName }: KnownFunction, shown: ShownName): readonly string[] {
  if (mangledName === undefined) return [shown.text];
  return exactName === true ? [mangledName] : symbolVariants(mangledName);
}

function matchesShown({ matcher }: FilterRule, { text, other }: ShownName): boolean {
  return matcher.matches(text) || (other !== undefined && matcher.matches(other));
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

/** Whether Score-P might spell one of these names so that the pattern matches: the longest word of the pattern is a part of one. */
function mayMatch({ block, mangled, pattern }: FilterRule, inexact: string): boolean {
  if (block === 'file' || mangled) return false;
  // What follows the parenthesis are types, which are not known here.
  const head = pattern.replace(/\\(.)/gu, '$1').split('(')[0] ?? '';
  const words = head.match(/[A-Za-z_]\w*/g) ?? [];
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '');
  return longest !== '' && inexact.includes(longest);
}
