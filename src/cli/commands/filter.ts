import path from 'node:path';
import { KymoError } from '../../core/errors';
import { decide, type FilterSubject } from '../../formats/scorep-filter/decide';
import { listFormatOf, readNames, writeNames } from '../../formats/scorep-filter/lists';
import { checkFilter, parseFilter } from '../../formats/scorep-filter/parse';
import type { CommandResult } from '../context';
import { readText, writeText } from '../inputs';
import type { RegisterCommand } from '../context';
import { printable } from '../table';

/** `kymo filter check`, `match` and `convert`. */
export const registerFilter: RegisterCommand = (program, run) => {
  const filter = program.command('filter').description("Score-P's filter files: check, try and convert them");
  filter
    .command('check <file>')
    .description('what Score-P would refuse, and rules that do not do what they seem to')
    .action((file: string) => run(() => check(file)));
  filter
    .command('match <file>')
    .description('which functions a filter lets through, and by which rule')
    .requiredOption(
      '--names <file>',
      'one function a line: its name, or “mangled name<TAB>name as printed<TAB>source file”',
    )
    .action((file: string, options: { names: string }) => run(() => match(file, options.names)));
  filter
    .command('convert <in> <out>')
    .description('a list of functions in another form: Score-P filter, CaPI (.json), plain list (.txt)')
    .action((from: string, to: string) => run(() => convert(from, to)));
};

async function check(file: string): Promise<CommandResult> {
  const { filter, diagnostics } = checkFilter(await readText(file));
  const errors = diagnostics.filter((d) => d.severity === 'error').length;
  const lines = diagnostics.map(
    (d) => `${file}:${d.line}:${d.column}: ${d.severity}: ${printable(d.message)}`,
  );
  lines.push(`${filter.rules.length} rules, ${errors} errors, ${diagnostics.length - errors} warnings`);
  return {
    result: { file, rules: filter.rules.length, valid: errors === 0, diagnostics },
    text: lines.join('\n'),
  };
}

async function match(file: string, namesFile: string): Promise<CommandResult> {
  const filter = parseFilter(await readText(file), file);
  const subjects = (await readText(namesFile))
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map(subjectOf);
  const verdicts = subjects.map(({ shown, subject }) => {
    const { instrumented, rule } = decide(filter, subject, 'run-time');
    return { name: shown, instrumented, ...(rule === undefined ? {} : { rule: { line: rule.line } }) };
  });
  const lines = verdicts.map(({ name, instrumented, rule }) => {
    const why = rule === undefined ? 'no rule matches' : `line ${rule.line}`;
    return `${instrumented ? 'in ' : 'out'}  ${printable(name)}  (${why})`;
  });
  return { result: verdicts, text: lines.join('\n') };
}

/** A single name that is not mangled C++ stands for both: in C they are the same. */
function subjectOf(line: string): { readonly shown: string; readonly subject: FilterSubject } {
  const [first = '', name, file] = line.split('\t').map((part) => part.trim());
  if (name === undefined) {
    const subject = first.startsWith('_Z') ? { mangledName: first } : { name: first, mangledName: first };
    return { shown: first, subject };
  }
  return { shown: first, subject: { mangledName: first, name, ...(file === undefined ? {} : { file }) } };
}

async function convert(from: string, to: string): Promise<CommandResult> {
  if (path.resolve(from) === path.resolve(to)) {
    throw new KymoError('usage', `“${to}” is the input itself; give another file to write to.`, { file: to });
  }
  const names = readNames(await readText(from), from, listFormatOf(from));
  const format = listFormatOf(to);
  await writeText(to, writeNames(names, format));
  return {
    result: { in: from, out: to, format, functions: names.length },
    text: `${to}: ${names.length} functions`,
  };
}
