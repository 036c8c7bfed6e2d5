import type { DoctorResult } from '../../../workflows/doctor';
import type { StudySummary } from '../../../workflows/studies/studies';
import { doctorPage } from './doctorText';
import { studySummary } from './experimentText';
import { plain, tableCell } from './markdownText';

/** Contents of a bug report. It has no environment variables and no source text, so nothing secret. */
export interface DiagnosticsFacts {
  readonly versions: readonly (readonly [what: string, version: string])[];
  readonly workspace: readonly (readonly [what: string, state: string])[];
  /** Settings that are not the default. */
  readonly settings: readonly (readonly [name: string, value: unknown])[];
  readonly folders: readonly {
    readonly name: string;
    /** Result of doctor, or the message of its failure. */
    readonly doctor: DoctorResult | string;
    readonly studies: readonly StudySummary[];
  }[];
  readonly log: readonly string[];
}

/** A Markdown document for a bug report. */
export function diagnosticsText(facts: DiagnosticsFacts, home: string): string {
  const sections = [
    '# Kymo diagnostics',
    'Look through this before you send it: it names files and commands of your workspace.',
    section('Versions', table(facts.versions)),
    section('Workspace', table(facts.workspace)),
    section('Settings that are not the default', settingsText(facts.settings)),
    ...facts.folders.flatMap(({ name, doctor, studies }) => [
      `## Folder ${plain(name)}`,
      section('Machine', doctorText(doctor), 3),
      section('Studies', studiesText(studies), 3),
    ]),
    section('Last lines of the log', fenced(facts.log.length === 0 ? '(empty)' : facts.log.join('\n'))),
  ];
  return `${shortenHome(sections.join('\n\n'), home)}\n`;
}

/** The page of *Run Doctor*. */
export function doctorReport(folders: DiagnosticsFacts['folders'], home: string): string {
  const parts = folders.flatMap(({ name, doctor }) => [`## ${plain(name)}`, doctorPage(doctor)]);
  return `${shortenHome(['# Kymo doctor', ...parts].join('\n\n'), home)}\n`;
}

/** Replaces the home folder, which contains the user's name. */
export function shortenHome(text: string, home: string): string {
  return home === '' || home === '/' ? text : text.replaceAll(home, '~');
}

function doctorText(doctor: DoctorResult | string): string {
  if (typeof doctor === 'string') return `Doctor failed: ${plain(doctor)}`;
  const { problems, notes, ...rest } = doctor;
  const lines = [...problems, ...notes];
  const summary =
    lines.length === 0 ? 'Nothing is missing.' : lines.map((line) => `- ${plain(line)}`).join('\n');
  return `${summary}\n\n${fenced(JSON.stringify(rest, undefined, 2), 'json')}`;
}

function studiesText(studies: readonly StudySummary[]): string {
  if (studies.length === 0) return 'None.';
  const shown = studies
    .slice(0, 20)
    .map((study) => `- ${plain(study.target)} ${study.study}: ${studySummary(study)}`);
  return [...shown, ...(studies.length > 20 ? [`- … and ${studies.length - 20} more`] : [])].join('\n');
}

function settingsText(settings: DiagnosticsFacts['settings']): string {
  if (settings.length === 0) return 'None.';
  return fenced(JSON.stringify(Object.fromEntries(settings), undefined, 2), 'json');
}

function section(title: string, body: string, level = 2): string {
  return `${'#'.repeat(level)} ${title}\n\n${body}`;
}

function table(rows: readonly (readonly [string, string])[]): string {
  return [
    '| | |',
    '|---|---|',
    ...rows.map(([what, value]) => `| ${tableCell(what)} | ${tableCell(value)} |`),
  ].join('\n');
}

/** Fences a text with more backticks than any run in it, so that the text cannot end the block. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
