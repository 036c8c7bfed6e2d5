import { pushTo, remembered } from '../../../core/remembered';
import { decideBy, type FilterDecision, type FilterTime } from './decide';
import type { Filter, FilterRule } from '../syntax/filter';
import { symbolVariants } from './structors';
import type { Matcher } from '../patterns/matcher';
import { mayContain, signatureOf } from '../patterns/signature';
import { shownName, type KnownFunction, type ShownName } from './names';

/** The effect of a rule on the functions of a program. */
export interface RuleEffect {
  /** Functions that its pattern matches. */
  readonly matches: number;
  /** Number of matched functions that no later rule of the block decides; for rules about names, only functions of included files. */
  readonly wins: number;
  /** Number of functions among `wins` whose decision depends on the rule. */
  readonly changes: number;
  /** Positions of the first functions that it matches, at most 5. */
  readonly examples: readonly number[];
  /** Whether the rule matches none of the known spellings, but may match Score-P's spelling of a name. */
  readonly uncertain: boolean;
}

export interface FilterEffects {
  /** Effects in the order of `filter.rules`. */
  readonly rules: readonly RuleEffect[];
  /** Decisions in the order of the functions. */
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

/** The effect of each rule of a filter on these functions. Names are looked up; only patterns with wildcards are tried one by one. */
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
  const rules = filter.rules.map((rule, position): RuleEffect => {
    const count = counts[position] ?? { matches: 0, wins: 0, changes: 0, examples: [] };
    return { ...count, uncertain: count.matches === 0 && mayMatch(rule, inexact) };
  });
  return { rules, decisions, instrumented };
}

/** Finds the rules that match a function, by ascending position. */
class RuleIndex {
  private readonly literalNames = new Map<string, number[]>();
  private readonly literalMangled = new Map<string, number[]>();
  private readonly wild: {
    readonly matcher: Matcher;
    readonly isMangled: boolean;
    readonly position: number;
  }[] = [];
  private readonly files: { readonly matcher: Matcher; readonly position: number }[] = [];
  /** Cached by file: many functions have the same file, and its path is long. */
  private readonly byFile = new Map<string, readonly number[]>();

  constructor({ rules }: Filter) {
    rules.forEach(({ block, mangled: isMangled, matcher }, position) => {
      const { literal } = matcher;
      if (block === 'file') {
        this.files.push({ matcher, position });
      } else if (literal === undefined) {
        this.wild.push({ matcher, isMangled, position });
      } else {
        pushTo(isMangled ? this.literalMangled : this.literalNames, literal, position);
      }
    });
  }

  matching(f: KnownFunction): readonly number[] {
    const shown = shownName(f);
    const mangled = mangledNames(f, shown);
    const matches = [
      ...mangled.flatMap((name) => this.literalMangled.get(name) ?? []),
      ...(this.literalNames.get(shown.text) ?? []),
      ...(f.file === undefined ? [] : this.ofFile(f.file)),
    ];
    const texts = shown.other === undefined ? [shown.text] : [shown.text, shown.other];
    const shownSignature = signatureOf(...texts);
    const mangledSignature = signatureOf(...mangled);
    for (const { matcher, isMangled, position } of this.wild) {
      if (!mayContain(isMangled ? mangledSignature : shownSignature, matcher.signature)) continue;
      if ((isMangled ? mangled : texts).some(matcher.matches)) matches.push(position);
    }
    return [...new Set(matches)].sort((a, b) => a - b);
  }

  private ofFile(file: string): readonly number[] {
    return remembered(this.byFile, file, () =>
      this.files.filter(({ matcher }) => matcher.matches(file)).map(({ position }) => position),
    );
  }
}

/** All symbols of a constructor or destructor, unless the one that the compiler uses is known. */
function mangledNames({ mangledName, exactName }: KnownFunction, shown: ShownName): readonly string[] {
  if (mangledName === undefined) return [shown.text];
  return exactName === true ? [mangledName] : symbolVariants(mangledName);
}

/** The decision of all matching rules, or of all except `without`. */
function verdict(
  { rules }: Filter,
  matching: readonly number[],
  f: KnownFunction,
  when: FilterTime,
  without?: number,
): FilterDecision {
  return decideBy(
    (condition) => {
      const last = matching.findLast((position) => {
        const rule = rules[position];
        return position !== without && rule !== undefined && condition(rule);
      });
      return last === undefined ? undefined : rules[last];
    },
    f,
    when,
  );
}

/** The last matching rule of each block; no rule for names if the file is excluded. */
function winners(
  { rules }: Filter,
  matching: readonly number[],
  { because }: FilterDecision,
): readonly number[] {
  const last = (block: FilterRule['block']): readonly number[] => {
    const winner = matching.findLast((position) => rules[position]?.block === block);
    return winner === undefined ? [] : [winner];
  };
  return because === 'file-excluded' ? last('file') : [...last('file'), ...last('region')];
}

/** Whether the pattern may match Score-P's spelling of one of these names, because the pattern's function name is part of it. */
function mayMatch({ block, mangled, pattern }: FilterRule, inexact: string): boolean {
  if (block === 'file' || mangled) return false;
  // The return type precedes the name, and types follow the parenthesis; Kymo knows the spelling of neither.
  const head = pattern.replace(/\\(.)/gu, '$1').split('(')[0] ?? '';
  const functionName = head.match(/[A-Za-z_]\w*/g)?.at(-1);
  return functionName !== undefined && inexact.includes(functionName);
}
