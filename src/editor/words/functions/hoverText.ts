import * as l10n from '@vscode/l10n';
import type { RoundDecision } from '../../../workflows/studies/rounds';
import type { PinState } from '../../../workflows/pins';
import { instancesAt } from '../../../core/functions/instances';
import { decisionText, type FunctionRow } from '../../../core/functions/functionRow';
import type { PlacedGroup } from '../../state/places/placedGroups';
import { explanation, functionSummary, instanceWords, shorten } from './lensText';
import { pinSentence } from './functionTexts';
import { escapeMarkdown } from '../../../core/markdown';

/** A link that runs a command; its arguments are JSON. */
export interface CommandLink {
  readonly title: string;
  readonly command: string;
  readonly arguments: readonly unknown[];
}

/** Limit for names: one of 10 kB would fill the screen. */
const nameCharacters = 300;
const shownInstances = 3;
/** Maximum number of shown rounds, the newest; a refinement seldom has more. */
const shownRounds = 8;

export interface HoverFacts {
  readonly group: PlacedGroup;
  /** All functions of the study. */
  readonly table: readonly FunctionRow[];
  readonly pinned: ReadonlyMap<string, PinState>;
  /** Decisions on the function with the largest share, the oldest first. */
  readonly history: readonly RoundDecision[];
  readonly links: readonly CommandLink[];
  /** Path of the file when it was measured, if it differs from the current one. */
  readonly measuredAs?: string;
}

/** Markdown with theme icons: numbers, decision, history, and possible actions. All names are escaped. */
export function hoverText({ group, table, pinned, history, links, measuredAs }: HoverFacts): string {
  const { functions, stale } = group;
  const more = functions.length - shownInstances;
  return [
    ...instancesText(functions, table),
    ...functions.slice(0, shownInstances).map((row) => functionText(row, table, pinned.get(row.key))),
    ...(more > 0
      ? [
          more === 1
            ? l10n.t('… and 1 more instance at this line')
            : l10n.t`… and ${more} more instances at this line`,
        ]
      : []),
    ...(stale
      ? [l10n.t('$(history) _Changed since the run: these are the numbers of the text before._')]
      : []),
    ...(measuredAs === undefined
      ? []
      : [l10n.t`$(file-symlink-file) _Measured as ${escapeMarkdown(shorten(measuredAs, nameCharacters))}._`]),
    links.map(commandLink).join(' · '),
    ...(history.length > 1 ? [historyText(history)] : []),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** What all instances of a template at the line took together. */
function instancesText(functions: readonly FunctionRow[], table: readonly FunctionRow[]): readonly string[] {
  const instances = instancesAt(functions, table);
  return instances?.measures === 'sum'
    ? [`**${instanceWords(instances)}**: ${escapeMarkdown(functionSummary(instances.row))}`]
    : [];
}

function functionText(row: FunctionRow, table: readonly FunctionRow[], pin: PinState | undefined): string {
  const state = row.selected ? l10n.t('$(pass) Instrumented') : l10n.t('$(circle-slash) Not instrumented');
  const reason = decisionText(row.decision);
  const numbers = explanation(row, table).map(
    ([value, meaning]) => `- **${escapeMarkdown(value)}** ${escapeMarkdown(meaning)}`,
  );
  return [
    `**${escapeMarkdown(shorten(row.name, nameCharacters))}**`,
    `${state}${reason === '' ? '' : `: ${escapeMarkdown(reason)}`}`,
    ...(pin === undefined ? [] : [`$(pinned) ${pinSentence(row, pin)}`]),
    ...(numbers.length === 0 ? [] : [numbers.join('\n')]),
  ].join('\n\n');
}

/** A line for consecutive rounds with the same decision by the same rule. */
function historyText(history: readonly RoundDecision[]): string {
  const lines: { from: number; to: number; readonly decision: RoundDecision }[] = [];
  for (const decision of history) {
    const last = lines.at(-1);
    if (
      last !== undefined &&
      last.decision.rule === decision.rule &&
      last.decision.selected === decision.selected
    )
      last.to = decision.iteration;
    else lines.push({ from: decision.iteration, to: decision.iteration, decision });
  }
  const shown = lines.slice(-shownRounds).map(({ from, to, decision }) => {
    const iterations = from === to ? l10n.t`Round ${from}` : l10n.t`Rounds ${from} to ${to}`;
    const icon = decision.selected ? '$(pass)' : '$(circle-slash)';
    return `- ${icon} ${iterations}: ${escapeMarkdown(decisionText(decision))}`;
  });
  return `${l10n.t('What was decided:')}\n${shown.join('\n')}`;
}

/** A Markdown link that runs a command with any arguments. */
export function commandLink({ title, command, arguments: given }: CommandLink): string {
  // encodeURIComponent does not escape brackets, which would end a Markdown link.
  const query = encodeURIComponent(JSON.stringify(given)).replaceAll('(', '%28').replaceAll(')', '%29');
  return `[${escapeMarkdown(title)}](command:${command}?${query})`;
}

/** The name of a function as in its definition: without namespace, class, template arguments and parameters. */
export function shortName(name: string): string {
  const plain = withoutBrackets(name);
  const operator = /operator\W.*$/.exec(plain);
  if (operator !== null) return 'operator';
  return /([\p{L}\p{N}_$~]+)\W*$/u.exec(plain)?.[1] ?? plain;
}

/** A name without `<…>`, `(…)` and anything behind the parameters: `ns::f` of `int ns::f<int>(char) const`. */
function withoutBrackets(name: string): string {
  let depth = 0;
  let plain = '';
  for (const unit of name) {
    if (unit === '(' && depth === 0 && plain.trim() !== '') return plain.trim();
    if (unit === '<' || unit === '(') depth++;
    else if ((unit === '>' || unit === ')') && depth > 0) depth--;
    else if (depth === 0) plain += unit;
  }
  return plain.trim();
}
