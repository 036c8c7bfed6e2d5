import path from 'node:path';
import type { DoctorResult } from '../../../workflows/doctor';
import { plain, tableCell } from './markdownText';

const languageNames = { c: 'C', 'c++': 'C++', fortran: 'Fortran' } as const;

/** What the page shows. */
type Examined = Pick<
  DoctorResult,
  'compilers' | 'mpi' | 'scorep' | 'slurm' | 'counters' | 'problems' | 'notes'
>;

/** A row of the table: the tool, its state, and where it is or what it means that it is missing. */
interface ToolRow {
  readonly mark: '✓' | '✗' | '–';
  readonly tool: string;
  readonly version: string;
  readonly where: string;
}

/** The page of *Run Doctor* about one folder: first what is missing, then a table of all tools. */
export function doctorPage(doctor: Examined | string): string {
  if (typeof doctor === 'string') return `Doctor failed: ${plain(doctor)}`;
  const { problems, notes } = doctor;
  return [
    problems.length === 0 ? '**Everything that measuring needs is here.**' : list('✗', problems),
    ...(notes.length === 0 ? [] : [list('–', notes)]),
    ['| | Tool | Version | Where |', '|---|---|---|---|', ...toolRows(doctor).map(tableRow)].join('\n'),
    '✓ found, ✗ found and not usable, – not found and needed only for what the row says.',
  ].join('\n\n');
}

function list(mark: ToolRow['mark'], sentences: readonly string[]): string {
  return sentences.map((sentence) => `- ${mark} ${plain(sentence)}`).join('\n');
}

function tableRow({ mark, tool, version, where }: ToolRow): string {
  return `| ${[mark, tool, version, where].map(tableCell).join(' | ')} |`;
}

function toolRows(doctor: Examined): readonly ToolRow[] {
  const { mpi, scorep, slurm } = doctor;
  return [
    ...compilerRows(doctor),
    openmpRow(doctor),
    mpi === undefined
      ? missing('MPI', 'only for MPI programs')
      : found('MPI', mpi.version, mpi.launcher ?? mpi.cc ?? ''),
    scorep === undefined
      ? missing('Score-P', 'only for the back-end "scorep"')
      : found('Score-P', scorep.version, scorep.path),
    slurm === undefined
      ? missing('Slurm', 'only on clusters')
      : found('Slurm', slurm.version.replace(/^slurm\s+/i, ''), slurm.srun),
    ...counterRows(doctor),
  ];
}

function compilerRows({ compilers }: Examined): readonly ToolRow[] {
  return compilers.map((compiler) => ({
    mark: compiler.patchable ? '✓' : '✗',
    tool: `${languageNames[compiler.language]} compiler`,
    version: `${compiler.family} ${compiler.version}`,
    where: compiler.patchable ? compiler.path : `${compiler.path}: Kymo cannot measure what it builds`,
  }));
}

function openmpRow({ compilers }: Examined): ToolRow {
  const withOpenmp = compilers.filter(({ openmp }) => openmp !== undefined);
  const names = [...new Set(withOpenmp.map((compiler) => path.basename(compiler.path)))];
  return names.length === 0
    ? missing('OpenMP', 'only for OpenMP programs')
    : found('OpenMP', '', `by ${names.join(', ')}`);
}

function counterRows({ counters }: Examined): readonly ToolRow[] {
  if (counters === undefined) return [];
  const tool = 'Processor counters';
  return counters.readable
    ? [found(tool, '', 'instructions and cache misses')]
    : [missing(tool, `only with "counters": true in kymo.json. ${counters.reason}`)];
}

function found(tool: string, version: string, where: string): ToolRow {
  return { mark: '✓', tool, version, where };
}

function missing(tool: string, needed: string): ToolRow {
  return { mark: '–', tool, version: 'not found', where: `needed ${needed}` };
}
