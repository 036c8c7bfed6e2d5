import type { Parser } from 'web-tree-sitter';
import { atInt } from '../at';
import { present } from '../present';
import { readBody, readOutside } from './bodies';
import { lambdaName } from './declarations/expressionTypes';
import { collectDeclarations, type Declarations, type Definition } from './declarations/declarations';
import { countParameters, signatureOf } from './declarations/declarators';
import { scopeOf } from './syntax/names';
import { withoutHeaderPrototypes } from './declarations/prototypes';
import { isSafeForProbe } from './probePoints';
import { countBody } from './syntax/statements';
import { parseText, type SyntaxTree } from './syntax/syntaxTree';
import type { Unit, UnitClass, UnitFunction } from './unit';
import { extractUserText, lineAt, originalOffset, placeAt, type UserText } from './syntax/userText';
import { wantsProbe } from './wantsProbe';

export interface AnalysisInput {
  /** Preprocessed text with GNU line markers (`cc -E`). */
  readonly text: string;
  readonly language: 'c' | 'c++';
  /** A parser with the grammar of the language. */
  readonly parser: Parser;
  /** Absolute path of the unit's main file. */
  readonly source: string;
  /** Where the compiler ran: the base of relative names in line markers. Default: they stay relative. */
  readonly directory?: string;
  /** Functions with a loop get a probe from a tenth of this number of own statements on, functions without a loop from twice the number on. */
  readonly minimumStatements: number;
}

/** Where the probes of one function go. Offsets are UTF-16 indices into the preprocessed text. */
export interface ProbePoint {
  /** Position in `unit.functions`. */
  readonly functionNumber: number;
  /** Just after the opening brace of the body. */
  readonly bodyOffset: number;
  /** Where the definition begins; for C, where a helper function may stand before it, at file scope. */
  readonly definitionOffset: number;
  readonly scope: 'c' | 'c++';
}

export interface UnitAnalysis {
  readonly unit: Omit<Unit, 'hash' | 'compiler'>;
  /** Ascending by `bodyOffset`; never overlapping. */
  readonly probePoints: readonly ProbePoint[];
  /** For each function of the unit the offset just after the opening brace of its body, as in `ProbePoint`. */
  readonly bodyOffsets: readonly number[];
}

/** The functions of one translation unit, and the places for probes. Never throws on any text. */
export function analyseUnit(input: AnalysisInput): UnitAnalysis {
  const whole = extractUserText(input.text, input.source, input.directory);
  const { user, prototypes } =
    input.language === 'c' ? withoutHeaderPrototypes(whole) : { user: whole, prototypes: [] };
  const tree = parseText(input.parser, adaptToGrammar(user.text, input.language));
  const declarations = collectDeclarations(tree, input.language, prototypes);
  const lineOf = (offset: number): number => atInt(user.lineNumbers, lineAt(user, offset));
  const functions: UnitFunction[] = [];
  const probePoints: ProbePoint[] = [];
  for (const [number, definition] of declarations.definitions.entries()) {
    const described = describe({ tree, user, declarations, definition, lineOf, input });
    const point = wantsProbe(described, input.minimumStatements)
      ? probePoint(tree, user, declarations, number, input)
      : undefined;
    if (point !== undefined) probePoints.push(point);
    functions.push({ ...described, probe: point !== undefined });
  }
  return {
    unit: {
      kymoUnit: 1,
      source: input.source,
      language: input.language,
      functions,
      classes: describeClasses(declarations),
      addressTaken: readOutside({ tree, declarations, lineOf }),
      parsed: tree.errors.length === 0,
    },
    probePoints: probePoints.sort((a, b) => a.bodyOffset - b.bodyOffset),
    bodyOffsets: declarations.definitions.map(({ body }) => originalOffset(user, tree.start(body)) + 1),
  };
}

/**
 * Replaces, without changing the length, syntax that the grammars do not know: pointers to members (read as plain pointers, `->*` and `.*`
 * as member accesses), arrays of pointers made by `new`, and GNU keywords that carry no structure.
 */
function adaptToGrammar(text: string, language: 'c' | 'c++'): string {
  const blank = (word: string): string => word.replace(/\S/g, ' ');
  const structural = language === 'c' ? text : adaptCxx(text, blank);
  return structural.replace(
    /\b__(?:extension|restrict|volatile|signed|const|inline)__\b|\b__restrict\b/g,
    blank,
  );
}

function adaptCxx(text: string, blank: (word: string) => string): string {
  return text
    .replace(/(?<!operator\s?)->\*/g, '-> ')
    .replace(/\b[A-Za-z_][\w:]*(?:<[^<>;{}]*>)?\s*::\s*\*/g, (word) => `${blank(word.slice(0, -1))}*`)
    .replace(
      /(\bnew\s+[\w:]+\s*)(\*[\s*]*)(?=\[)/g,
      (_, before: string, stars: string) => before + blank(stars),
    );
}

interface Context {
  readonly tree: SyntaxTree;
  readonly user: UserText;
  readonly declarations: Declarations;
  readonly definition: Definition;
  readonly lineOf: (offset: number) => number;
  readonly input: AnalysisInput;
}

function describe(context: Context): Omit<UnitFunction, 'probe'> {
  const { tree, user, declarations, definition, lineOf, input } = context;
  const place = placeAt(user, tree.start(definition.nameNode));
  const counts = countBody(tree, definition.body, (node) => declarations.byNode.has(node));
  const uses = readBody({ tree, declarations, lineOf }, definition);
  const head = tree.text.slice(tree.start(definition.node), tree.start(definition.body));
  const memberOf = classOfDefinition(declarations, definition);
  const parameters = definition.parameters;
  return {
    name: definition.name,
    qualifiedName: definition.isLambda ? lambdaName(definition, place.line) : definition.qualifiedName,
    ...place,
    endLine: lineOf(Math.max(tree.end(definition.body) - 1, 0)),
    parameters:
      parameters === undefined
        ? { minimum: 0, maximum: 0 }
        : countParameters(tree, parameters, input.language),
    signature: parameters === undefined ? '' : signatureOf(tree, parameters),
    ...present({ result: definition.result, memberOf }),
    ...counts,
    isStatic: /\bstatic\b/.test(head),
    isInline: definition.inClass !== undefined || /\b(?:inline|__inline|__inline__)\b/.test(head),
    isTemplate: definition.isTemplate,
    isVirtual:
      memberOf !== undefined && declarations.classes.get(memberOf)?.virtuals.has(definition.name) === true,
    calls: uses.calls,
    addressTaken: uses.addresses,
  };
}

/** `a::b` defined out of its scope: `a` is a class unless it is known as a namespace. */
function classOfDefinition(declarations: Declarations, definition: Definition): string | undefined {
  if (definition.isLambda) return undefined;
  if (definition.inClass !== undefined) return definition.inClass;
  const scope = scopeOf(definition.qualifiedName);
  if (scope === '' || declarations.namespaces.has(scope)) return undefined;
  if (declarations.classes.has(scope)) return scope;
  return definition.inside === undefined ? scope : undefined;
}

function describeClasses(declarations: Declarations): UnitClass[] {
  return [...new Set(declarations.classes.values())]
    .filter(({ qualifiedName }) => !qualifiedName.includes('(anonymous '))
    .map(({ qualifiedName, bases, virtuals }) => ({ qualifiedName, bases, virtuals: [...virtuals].sort() }));
}

function probePoint(
  tree: SyntaxTree,
  user: UserText,
  declarations: Declarations,
  number: number,
  input: AnalysisInput,
): ProbePoint | undefined {
  const definition = declarations.definitions[number];
  if (definition === undefined || !isSafeForProbe(tree, declarations, definition, input.language))
    return undefined;
  const bodyOffset = originalOffset(user, tree.start(definition.body)) + 1;
  if (input.text[bodyOffset - 1] !== '{') return undefined;
  return {
    functionNumber: number,
    bodyOffset,
    definitionOffset: originalOffset(user, tree.start(definition.node)),
    scope: input.language,
  };
}
