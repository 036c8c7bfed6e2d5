import { KymoError } from '../../../core/errors';
import { isRecord } from '../../../core/present';
import { acceptedSyntax } from '../syntax/parse';
import { symbolVariants } from '../effects/structors';
import type { FilterSyntax } from '../syntax/syntax';
import { readTauSelection } from './tau';
import type { FilterEntry } from './write';

/** The selection in a file of any supported language. */
export type ImportedSelection = {
  /** Messages about lost or reinterpreted parts. */
  readonly notes: readonly string[];
} & (
  | {
      readonly kind: 'include';
      readonly entries: readonly FilterEntry[];
      /** The excluded functions, each with its reason; absent if the file lists only included ones. */
      readonly others?: readonly FilterEntry[];
    }
  /** The listed functions are excluded; all others stay included. */
  | { readonly kind: 'exclude'; readonly entries: readonly FilterEntry[] }
  /** Neither list: the result of its patterns depends on the names in the program. */
  | {
      readonly kind: 'rules';
      readonly text: string;
      /** Place of the responsible rule, if there is one. */
      readonly line?: number;
      readonly column?: number;
      readonly why: string;
    }
);

/** Languages of selections. */
export type SelectionFormat = 'scorep' | 'capi' | 'plain' | 'tau' | 'kymo';

/**
 * The language of a file, determined by its text and, for plain lists and filters, its ending: `.json` is CaPI's selection or the list
 * of functions of a study, `.txt`, `.list` and `.lst` are plain lists.
 */
export function selectionFormatOf(text: string, fileName: string): SelectionFormat {
  if (/^\s*SCOREP_(?:REGION|FILE)_NAMES_BEGIN/m.test(text)) return 'scorep';
  if (/^\s*BEGIN_(?:FILE_)?(?:INCLUDE|EXCLUDE)_LIST/m.test(text)) return 'tau';
  if (/^\s*\{/.test(text)) return /"kymoFunctions"\s*:/.test(text) ? 'kymo' : 'capi';
  if (/\.json$/i.test(fileName)) return 'capi';
  return /\.(txt|list|lst)$/i.test(fileName) ? 'plain' : 'scorep';
}

/** Reads a selection. Throws `KymoError` with the place: `filter-invalid`, `selection-invalid`. */
export function importSelection(text: string, file: string): ImportedSelection {
  switch (selectionFormatOf(text, file)) {
    case 'scorep':
      return importFilter(text, file);
    case 'tau':
      return { kind: 'rules', why: 'it has wildcards', ...readTauSelection(text, file) };
    case 'capi':
      return { kind: 'include', entries: namesOnly(capiNames(readJson(text, file), file)), notes: [] };
    case 'kymo':
      return studySelection(readJson(text, file), file);
    case 'plain':
      return plainList(text);
  }
}

/** PIRA writes this name for an empty selection. */
const noFunction = 'aFunctionThatDoesNotExist';

function plainList(text: string): ImportedSelection {
  const names = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && line !== noFunction);
  return { kind: 'include', entries: namesOnly(names), notes: [] };
}

function importFilter(text: string, file: string): ImportedSelection {
  const syntax = acceptedSyntax(text, file);
  const { rules } = syntax.filter;
  const [first] = rules;
  const whitelist = first?.action === 'exclude' && first.matcher.everything && first.block === 'region';
  const listed = whitelist ? rules.slice(1) : rules;
  const action = whitelist ? 'include' : first?.action;
  const exception = listed.find(
    (rule) => rule.block !== 'region' || rule.action !== action || rule.matcher.literal === undefined,
  );
  if (exception !== undefined || action === undefined) {
    const why =
      exception === undefined
        ? 'it excludes nothing, so every function is instrumented'
        : `the rule “${exception.pattern}” depends on the names in the program`;
    const place = exception === undefined ? {} : { line: exception.line, column: exception.column };
    return { kind: 'rules', text, why, ...place, notes: [] };
  }
  if (action === 'include' && !whitelist) return piraList(rules.map(({ matcher }) => matcher.literal ?? ''));
  return { kind: action, entries: entriesOf(syntax, whitelist ? 1 : 0), notes: [] };
}

/** PIRA's list of functions: no `EXCLUDE *`, mangled names without MANGLED, and call sites as `caller -> callee`. */
function piraList(words: readonly string[]): ImportedSelection {
  const notes = [
    'Taken for a list of functions, as PIRA writes it: Score-P itself would instrument everything, since the file does not begin with “EXCLUDE *”.',
  ];
  const names: string[] = [];
  let sites = 0;
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (words[index + 1] === '->') {
      sites++;
      index += 2;
    } else if (word !== noFunction) {
      names.push(word);
    }
  }
  if (sites > 0)
    notes.push(`${sites} call sites (caller -> callee) are ignored: Score-P filters functions only.`);
  return { kind: 'include', entries: namesOnly(names), notes };
}

/** Functions of literal rules; the preceding comment is the reason. `scorep-score -g` writes name, file and numbers into comments. */
function entriesOf({ tokens, filter }: FilterSyntax, from: number): readonly FilterEntry[] {
  const entries = new Map<string, FilterEntry>();
  let comments: string[] = [];
  const rules = new Map(filter.rules.slice(from).map((rule) => [rule.token, rule]));
  tokens.forEach(({ kind, text, role }, position) => {
    if (kind === 'comment') comments.push(text.replace(/^#+\s*/, '').trim());
    if (role === 'begin' || role === 'end') comments = [];
    const rule = rules.get(position);
    const literal = rule?.matcher.literal;
    if (rule === undefined || literal === undefined) return;
    const { name, reason } = describe(comments, literal);
    comments = [];
    // Several symbols of one constructor are one function.
    if (symbolVariants(literal).some((symbol) => entries.has(symbol))) return;
    const mangled = rule.mangled ? { mangledName: literal } : {};
    entries.set(literal, { name, ...mangled, ...(reason === '' ? {} : { reason }) });
  });
  return [...entries.values()];
}

/** The comment that `writeFilter` writes before a rule: name and reason. */
const ownComment = /^(.*?): ((?:in|out): .*)$/;

function describe(comments: readonly string[], literal: string): { name: string; reason: string } {
  const proposed = comments.findIndex((comment) => /^name='.*'$/.test(comment));
  if (proposed >= 0) {
    const name = (comments[proposed] ?? '').slice("name='".length, -1);
    const numbers = comments[proposed - 1] ?? '';
    return { name, reason: numbers.startsWith('type=') ? numbers.replace(/\s+/g, ' ') : '' };
  }
  const last = comments.at(-1) ?? '';
  // Long comments have several lines.
  const match = ownComment.exec(last) ?? ownComment.exec(comments.join(' '));
  return match === null
    ? { name: literal, reason: last }
    : { name: match[1] ?? literal, reason: match[2] ?? '' };
}

function readJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new KymoError('selection-invalid', `${file} is not JSON: ${String(cause)}`, { file }, { cause });
  }
}

function capiNames(value: unknown, file: string): readonly string[] {
  const selection = isRecord(value) ? value.selection : undefined;
  if (!isRecord(selection)) {
    throw new KymoError(
      'selection-invalid',
      `${file} is not a CaPI selection: expected {"selection": {"<function>": {"flags": 1}, …}}.`,
      { file },
    );
  }
  return Object.keys(selection);
}

/** The functions of a study (`functions.json`), each with its reason. */
function studySelection(value: unknown, file: string): ImportedSelection {
  const functions = isRecord(value) ? value.functions : undefined;
  if (!Array.isArray(functions)) {
    throw new KymoError('selection-invalid', `${file} has no list of functions.`, { file });
  }
  const entries: FilterEntry[] = [];
  const others: FilterEntry[] = [];
  for (const f of functions as readonly unknown[]) {
    if (!isRecord(f) || typeof f.name !== 'string') continue;
    const { name, mangledName, reason } = f;
    (f.selected === true ? entries : others).push({
      name,
      ...(typeof mangledName === 'string' ? { mangledName } : {}),
      ...(typeof reason === 'string' ? { reason } : {}),
    });
  }
  return { kind: 'include', entries, others, notes: [] };
}

function namesOnly(names: readonly string[]): readonly FilterEntry[] {
  return [...new Set(names)].map((name) => ({ name, mangledName: name }));
}
