import { counted } from '../../core/format';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import { decide, explainDecision, type FilterTime } from '../../formats/scorep-filter/effects/decide';
import { diagnoseEffects } from '../../formats/scorep-filter/effects/diagnoseEffects';
import {
  diffFilters,
  includesByDefault,
  namedFunctions,
  unifiedDiff,
} from '../../formats/scorep-filter/effects/diffFilters';
import { analyseEffects } from '../../formats/scorep-filter/effects/effects';
import { formatFilter } from '../../formats/scorep-filter/editing/format';
import {
  importSelection,
  selectionFormatOf,
  type ImportedSelection,
} from '../../formats/scorep-filter/lists/imports';
import {
  listFormatOf,
  writeSelection,
  type FilterForm,
  type WriteOptions,
} from '../../formats/scorep-filter/lists/lists';
import type { KnownFunction } from '../../formats/scorep-filter/effects/names';
import { parseFilter, parseFilterSyntax } from '../../formats/scorep-filter/syntax/parse';
import type { CommandResult, RegisterCommand } from '../execution/context';
import { functionsHelp, readFunctions } from '../arguments/filterFunctions';
import { readText, writeWhole } from '../arguments/inputs';
import { printable } from '../terminal/table';

const whenHelp = 'compile-time (--instrument-filter) or run-time (SCOREP_FILTERING_FILE)';

/** `kymo filter check`, `match`, `convert`, `format` and `diff`. */
export const registerFilter: RegisterCommand = (program, run) => {
  const filter = program
    .command('filter')
    .description("checks, applies, converts, formats and compares Score-P's filter files");
  filter
    .command('check <file>')
    .description('reports errors that Score-P would refuse, and misleading rules')
    .option('--names <file>', `also report rules without effect on these functions; ${functionsHelp}`)
    .action((file: string, options: { names?: string }) => run(() => check(file, options.names)));
  filter
    .command('match <file>')
    .description('lists the functions that a filter lets through, and the deciding rules')
    .requiredOption('--names <file>', functionsHelp)
    .option('--when <time>', whenHelp, 'run-time')
    .action((file: string, options: { names: string; when: string }) =>
      run(() => match(file, options.names, timeOf(options.when))),
    );
  filter
    .command('convert <in> <out>')
    .description(
      "converts a selection: from a Score-P filter (also scorep-score's and PIRA's), CaPI, TAU, a plain list or functions.json of a study, to a Score-P filter, CaPI (.json) or a plain list (.txt)",
    )
    .option(
      '--user-region <names...>',
      'user regions that stay in; at run time, a filter that begins with EXCLUDE * takes them out, too',
    )
    .option('--form <form>', 'form of a Score-P filter: rules that “include” or that “exclude”')
    .action((from: string, to: string, options: { userRegion?: string[]; form?: string }) =>
      run(() =>
        convert(from, to, {
          userRegions: options.userRegion ?? [],
          ...(options.form === undefined ? {} : { form: formOf(options.form) }),
        }),
      ),
    );
  filter
    .command('format <file>')
    .description('formats a filter, one rule per line')
    .option('--write', 'change the file instead of printing it')
    .action((file: string, options: { write?: boolean }) => run(() => format(file, options.write === true)));
  filter
    .command('diff <before> <after>')
    .description('lists the functions that only one of two filters lets through, and the differing lines')
    .option(
      '--names <file>',
      `functions of the program (default: those that the filters name); ${functionsHelp}`,
    )
    .option('--when <time>', whenHelp, 'compile-time')
    .action((before: string, after: string, options: { names?: string; when: string }) =>
      run(() => diff(before, after, options.names, timeOf(options.when))),
    );
};

function timeOf(given: string): FilterTime {
  if (given === 'compile-time' || given === 'run-time') return given;
  throw new KymoError('usage', `--when takes “compile-time” or “run-time”, not “${given}”.`);
}

function formOf(given: string): FilterForm {
  if (given === 'include' || given === 'exclude') return given;
  throw new KymoError('usage', `--form takes “include” or “exclude”, not “${given}”.`);
}

/** Maximum number of printed diagnostics. A file that is no filter may cause one for each word. */
const mostShown = 200;

async function check(file: string, namesFile: string | undefined): Promise<CommandResult> {
  const text = await readText(file);
  const syntax = parseFilterSyntax(text);
  const functions = namesFile === undefined ? [] : await readFunctions(namesFile);
  const diagnostics = [...syntax.diagnostics, ...diagnoseEffects(syntax, functions)]
    .sort((a, b) => a.offset - b.offset)
    .map(({ severity, code, message, line, column }) => ({ severity, code, message, line, column }));
  const errors = diagnostics.filter((d) => d.severity === 'error').length;
  const rules = syntax.filter.rules.length;
  const effects = namesFile === undefined ? undefined : analyseEffects(syntax.filter, functions);
  const lines = diagnostics
    .slice(0, mostShown)
    .map((d) => `${file}:${d.line}:${d.column}: ${d.severity}: ${printable(d.message)}`);
  if (diagnostics.length > mostShown)
    lines.push(`… and ${diagnostics.length - mostShown} more (--json has all)`);
  lines.push(
    [counted(rules, 'rule'), counted(errors, 'error'), counted(diagnostics.length - errors, 'warning')].join(
      ', ',
    ),
  );
  if (errors > 0 && selectionFormatOf(text, file) !== 'scorep')
    lines.push(
      `This is a selection in another format. Make a Score-P filter of it: kymo filter convert ${printable(file)} OUT.filter`,
    );
  if (effects !== undefined) {
    lines.push(`${effects.instrumented} of ${functions.length} functions are instrumented at compile time`);
  }
  const counts = effects && {
    functions: functions.length,
    instrumented: effects.instrumented,
    effects: effects.rules.map(({ matches, wins, changes }, index) => {
      const { line = 1, column = 1 } = syntax.filter.rules[index] ?? {};
      return { line, column, matches, wins, changes };
    }),
  };
  return {
    result: { file, rules, valid: errors === 0, diagnostics, ...counts },
    text: lines.join('\n'),
    ...(errors === 0 ? {} : { status: 1 }),
  };
}

async function match(file: string, namesFile: string, when: FilterTime): Promise<CommandResult> {
  const filter = parseFilter(await readText(file), file);
  const functions = await readFunctions(namesFile);
  const verdicts = functions.map((f) => ({ f, decision: decide(filter, subjectOf(f), when) }));
  return {
    result: verdicts.map(({ f, decision: { instrumented, rule } }) => ({
      name: f.mangledName ?? f.name,
      instrumented,
      ...(rule === undefined ? {} : { rule: { line: rule.line } }),
    })),
    text: verdicts
      .map(({ f, decision }) => {
        const why = explainDecision(decision).replace(/^(?:in|out): /, '');
        return `${decision.instrumented ? 'in ' : 'out'}  ${printable(f.mangledName ?? f.name)}  (${printable(why)})`;
      })
      .join('\n'),
  };
}

/** A mangled C++ name alone does not reveal the name that the compiler prints. */
function subjectOf(f: KnownFunction): Parameters<typeof decide>[1] {
  const { name, ...rest } = f;
  return name === f.mangledName && name.startsWith('_Z') ? rest : f;
}

async function convert(from: string, to: string, options: WriteOptions): Promise<CommandResult> {
  if (path.resolve(from) === path.resolve(to)) {
    throw new KymoError('usage', `“${to}” is the input itself; give another file to write to.`, { file: to });
  }
  const selection = importSelection(await readText(from), from);
  const format = listFormatOf(to);
  const text = writeSelection(selection, format, from, options);
  writeWhole(to, [text]);
  const functions = selection.kind === 'rules' ? undefined : selection.entries.length;
  const lines = [`${to}: ${summary(selection)}`, ...selection.notes];
  return {
    result: {
      in: from,
      out: to,
      format,
      ...(functions === undefined ? {} : { functions }),
      kind: selection.kind,
      notes: selection.notes,
    },
    text: lines.map(printable).join('\n'),
  };
}

function summary(selection: ImportedSelection): string {
  switch (selection.kind) {
    case 'include':
      return `${selection.entries.length} functions`;
    case 'exclude':
      return `${selection.entries.length} functions excluded`;
    case 'rules':
      return 'as rules';
  }
}

async function format(file: string, write: boolean): Promise<CommandResult> {
  const before = await readText(file);
  // A filter that Score-P refuses cannot be formatted, unless only its line ends are wrong: formatting corrects them.
  parseFilter(before.replace(/\r\n/g, '\n'), file);
  const text = formatFilter(parseFilterSyntax(before));
  const changed = text !== before;
  if (write && changed) writeWhole(file, [text]);
  const message = changed ? `${file}: formatted` : `${file}: nothing to change`;
  return {
    result: { file, changed, ...(write ? {} : { text }) },
    text: write ? message : text.replace(/\n$/, ''),
  };
}

async function diff(
  before: string,
  after: string,
  namesFile: string | undefined,
  when: FilterTime,
): Promise<CommandResult> {
  const [first, second] = [await readText(before), await readText(after)];
  const filters = [parseFilter(first, before), parseFilter(second, after)] as const;
  const functions = namesFile === undefined ? namedFunctions(...filters) : await readFunctions(namesFile);
  const difference = diffFilters(...filters, functions, when);
  const namesOf = (positions: readonly number[]): readonly string[] =>
    positions.map((position) => functions[position]?.mangledName ?? functions[position]?.name ?? '');
  const added = namesOf(difference.added);
  const removed = namesOf(difference.removed);
  const others = filters.map((filter) => includesByDefault(filter, when));
  const patch = unifiedDiff(first, second, before, after);
  const lines = [
    ...added.map((name) => `+ ${printable(name)}`),
    ...removed.map((name) => `- ${printable(name)}`),
    `${added.length} functions added, ${removed.length} removed, ${difference.unchanged} unchanged`,
    ...(others[0] === others[1] || namesFile !== undefined
      ? []
      : [
          `Functions that neither names: ${others[0] === true ? 'in' : 'out'} before, ${others[1] === true ? 'in' : 'out'} after`,
        ]),
    ...patch.split('\n').map(printable),
  ];
  const otherFunctions = { before: others[0], after: others[1] };
  return {
    result: { added, removed, unchanged: difference.unchanged, otherFunctions, patch },
    text: lines.join('\n').trimEnd(),
  };
}
