import { targetEdit, type TextChange } from '../../words/settings/targetEdit';

/** The edit of `kymo.json` that makes a function the phase of a target. Undefined when the text has no such target. */
export function phaseEdit(text: string, target: string, phase: string): TextChange | undefined {
  return targetEdit(text, target, (edited) => edited.set(['phase'], phase));
}
