import * as l10n from '@vscode/l10n';
import { shorten } from '../../words/functions/lensText';

/** A command line of a compiler would fill the window. */
const outputCharacters = 80;

/** Converts shares of the whole work into increments for VS Code's progress, never negative. */
export class ProgressSteps {
  private shown = 0;

  next(step: {
    readonly message: string;
    readonly output?: string | undefined;
    readonly fraction?: number;
    readonly remainingSeconds?: number;
  }): { message: string; increment: number } {
    const percent = Math.min(100, Math.max(this.shown, (step.fraction ?? 0) * 100));
    const increment = percent - this.shown;
    this.shown = percent;
    const left =
      step.remainingSeconds === undefined ? '' : l10n.t` · ${remaining(step.remainingSeconds)} left`;
    const output = step.output === undefined ? '' : `: ${shorten(step.output.trim(), outputCharacters)}`;
    return { message: `${step.message}${left}${output}`, increment };
  }
}

/** Rounded to avoid flicker: `12 s`, `3 min`. */
function remaining(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
}
