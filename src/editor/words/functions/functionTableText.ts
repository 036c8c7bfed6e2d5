import { formatCount, formatPercent } from '../../../core/format';
import { baseText, inRound } from '../../../core/functions/base';
import { whenWords } from '../../../core/profile/recordedPart';
import { byShare } from '../../../core/functions/shareOrder';
import { decisionText, type FunctionRow } from '../../../core/functions/functionRow';
import type { FunctionIndex } from '../../state/studies/functionIndex';
import { shorten } from './lensText';

const header = ['exclusive', 'inclusive', 'visits', 'overhead', 'function', 'decision'] as const;
/** Numbers are aligned right, text left. */
const numericColumns = 4;
const nameCharacters = 60;
/** Maximum number of rows; the command line prints longer tables. */
const maximumRows = 10_000;

const byExclusive = byShare('exclusiveShare');

/** A flat profile as text: the functions with the most exclusive time first. */
export function functionTableText({ all, base }: FunctionIndex): string {
  const ordered = [...all].sort(
    (a, b) => byExclusive(a, b) || Number(b.selected) - Number(a.selected) || a.name.localeCompare(b.name),
  );
  const rows = [header, ...ordered.slice(0, maximumRows).map(row)];
  const widths = header.map((_, column) => Math.max(...rows.map((cells) => (cells[column] ?? '').length)));
  const lines = rows.map((cells) =>
    cells
      .map((cell, column) =>
        column < numericColumns ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
  const rest = ordered.length > maximumRows ? [`… and ${ordered.length - maximumRows} more functions`] : [];
  const caption = base === undefined ? [] : [`Shares of ${baseText(base)}.`, ''];
  return [...caption, ...lines, ...rest, ''].join('\n');
}

function row(entry: FunctionRow): readonly string[] {
  return [
    shareText(entry, entry.exclusiveShare),
    shareText(entry, entry.inclusiveShare),
    entry.visits === undefined ? '' : formatCount(entry.visits),
    entry.overheadPercent === undefined ? '' : formatPercent(entry.overheadPercent / 100),
    shorten(entry.name, nameCharacters),
    `${entry.selected ? 'in' : 'out'}: ${decisionText(entry.decision)}`,
  ];
}

/** A share, with its round if that is an earlier one, and when the function was recorded if not in the whole run. */
function shareText({ base, earlier, recordedPart }: FunctionRow, share: number | undefined): string {
  if (share === undefined) return '';
  const part = recordedPart === undefined ? '' : ` ${whenWords(recordedPart)}`;
  return `${formatPercent(share)}${base === undefined || earlier === undefined ? '' : inRound(base)}${part}`;
}
