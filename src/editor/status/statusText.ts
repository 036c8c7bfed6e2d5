import { formatRoundPercent } from '../../core/format';
import type { RefineIteration } from '../../workflows/refine.types';
import type { RunningRefinement } from '../refinements';

const phaseIcons = { building: '$(tools)', running: '$(sync~spin)', deciding: '$(lightbulb)' } as const;
/** The status bar is shared by everybody. */
const messageCharacters = 40;

/** `$(sync~spin) nbody: Iteration 1, run 2 of 3 · 42 %` */
export function refinementText({ phase, target, message, fraction, stopping }: RunningRefinement): string {
  const share = fraction === undefined || stopping ? '' : ` · ${formatRoundPercent(fraction)}`;
  return `${phaseIcons[phase]} ${escapeIcons(cut(target, 24))}: ${escapeIcons(cut(message, messageCharacters))}${share}`;
}

/** What a screen reader says: no icons. */
export function refinementLabel({ target, message, phase }: RunningRefinement): string {
  return `Kymo refines ${target}, ${phase}: ${message}. Activate to see it or to stop it.`;
}

/** What is known of the document that is edited. */
export interface FileFacts {
  /** The last iteration of the study that is shown. */
  readonly iteration: RefineIteration;
  /** Functions of the whole program. */
  readonly functionsKnown: number;
  /** In this file: functions known, instrumented, and changed since they were measured. */
  readonly inFile: number;
  readonly instrumentedInFile: number;
  readonly changedInFile: number;
}

/** `instrumented 24 of 310` */
export function fileStatusText({ iteration, functionsKnown }: FileFacts): string {
  return `instrumented ${iteration.instrumented} of ${Math.max(functionsKnown, iteration.instrumented)}`;
}

/** `data from run 7 · 2 edits old · 3 of 12 functions in this file`; an edit is a function whose lines changed since it was measured. */
export function fileStatusDetail(facts: FileFacts): string {
  const { iteration, changedInFile, inFile, instrumentedInFile } = facts;
  const age =
    changedInFile === 0 ? 'up to date' : `${changedInFile} ${changedInFile === 1 ? 'edit' : 'edits'} old`;
  return `data from run ${iteration.index} · ${age} · ${instrumentedInFile} of ${inFile} in this file`;
}

/** `$(name)` in a name would become an icon. */
function escapeIcons(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}

function cut(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters - 1)}…`;
}
