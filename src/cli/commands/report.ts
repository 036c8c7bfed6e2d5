import { closeSync, openSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { version } from '../../../package.json';
import { KymoError } from '../../core/errors';
import { formatBytes } from '../../core/format';
import { requireOwn, resultsFolder } from '../../measurement/files/ownFiles';
import { makeReport } from '../report/makeReport';
import { pageStart, reportPage } from '../report/page/page';
import { reportedAt } from '../report/base/reported';
import type { CliContext, CommandResult, RegisterCommand } from '../execution/context';
import { requireNoFolder, writeWhole } from '../arguments/inputs';

interface ReportFlags {
  readonly out?: string;
  readonly force?: true;
}

/** `kymo report`: all that is known of a measurement as one page for others. */
export const registerReport: RegisterCommand = (program, run) => {
  program
    .command('report [input]')
    .description(
      'writes one HTML file for others: refinement, hot spots, diagnosis, efficiency, dynamics, groups, models, and how it was measured, as far as the input has them; of a study, a round, a run or a profile (default: the newest study of the target)',
    )
    .option('--out <file>', 'write to this file (default: beside the study or the profile)')
    .option('--force', 'replace a file that is no report of Kymo')
    .action(async (input: string | undefined, _: unknown, command: Command) => {
      await run((context) => report(input, command.opts<ReportFlags>(), context));
    });
};

async function report(
  given: string | undefined,
  flags: ReportFlags,
  context: CliContext,
): Promise<CommandResult> {
  const reported = await reportedAt(given, context);
  const out = flags.out ?? usualFile(reported.input);
  // Before the analyses, which may take long.
  requireFree(out, flags.force === true);
  const { document, notes } = await makeReport(reported, context, { version, at: new Date() });
  const bytes = writeWhole(out, [reportPage(document)]);
  const sections = document.sections.map(({ id }) => id);
  return {
    result: { in: reported.input, out: path.resolve(out), bytes, sections, notes },
    text: [
      `Written to ${out} (${formatBytes(bytes)}): ${document.sections.map(({ title }) => title.toLowerCase()).join(', ')}.`,
      ...notes,
    ].join('\n'),
  };
}

/**
 * Beside the profile; of a study and of what is in one, beside the study, whose folder would else count as changed:
 * `refine-1.i0.html`.
 */
function usualFile(input: string): string {
  const parts = input.split(path.sep);
  const results = parts.lastIndexOf(resultsFolder);
  if (results < 0 || parts.length < results + 3) return `${input.replace(/\.cubex$/i, '')}.html`;
  const target = parts.slice(0, results + 2).join(path.sep);
  const file = path.join(
    target,
    `${parts
      .slice(results + 2)
      .join('.')
      .replace(/\.profile\.cubex$/i, '')}.html`,
  );
  requireOwn(file);
  return file;
}

/** @throws KymoError `file-exists` for a file that was not written by this command; `file-unusable` for a folder */
function requireFree(file: string, isForced: boolean): void {
  requireNoFolder(file);
  const facts = statSync(file, { throwIfNoEntry: false });
  if (isForced || facts?.isFile() !== true || facts.size === 0 || isReport(file)) return;
  throw new KymoError(
    'file-exists',
    `${file} exists and is no report of Kymo. Name another file with --out, or replace it with --force.`,
    { file },
  );
}

function isReport(file: string): boolean {
  const start = Buffer.alloc(Buffer.byteLength(pageStart));
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, start);
  } finally {
    closeSync(descriptor);
  }
  return start.toString('utf8') === pageStart;
}
