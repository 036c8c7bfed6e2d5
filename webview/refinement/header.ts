import type { RefinementButton, RefinementProgress, RefinementShown } from '../../src/protocol/refinement';
import { badge } from '../ui/controls/badge';
import { type Button, button } from '../ui/controls/button';
import { type Control, element } from '../ui/base/dom';
import { dropdown } from '../ui/controls/dropdown';
import { progressBar } from '../ui/controls/progress';
import { toolbar } from '../ui/controls/toolbar';
import { headline, progressText, runnerSentence, stateName } from './words';

export interface HeaderActions {
  readonly next: () => void;
  readonly stop: () => void;
  readonly accept: () => void;
  readonly exportFilter: () => void;
  readonly chooseIteration: (iteration: number) => void;
}

export interface Header extends Control {
  /** `round`: the round for *accept* and *export*. */
  show(shown: RefinementShown, iteration: number | undefined): void;
  setProgress(progress: RefinementProgress | undefined): void;
}

/** A failed study cannot go on: the button starts a new one. */
const nextLabels: Readonly<Partial<Record<RefinementShown['state'], string>>> = {
  interrupted: 'Resume',
  failed: 'Refine Again',
};

/** State in words, progress, and the buttons of the loop. */
export function header(actions: HeaderActions): Header {
  const title = element('h1', { class: 'title ellipsis' });
  const state = badge('');
  const summary = element('p', { class: 'summary' });
  const bar = progressBar('Refinement');
  const doing = element('p', { class: 'doing muted' });
  const buttons: Readonly<Record<RefinementButton, Button>> = {
    next: button({
      label: 'Next Round',
      icon: 'next',
      appearance: 'primary',
      tooltip: 'Measure one more round of this study',
      onClick: actions.next,
    }),
    stop: button({
      label: 'Stop',
      icon: 'stop',
      tooltip: 'Stop the refinement; its measurements are saved',
      onClick: actions.stop,
    }),
    accept: button({
      label: 'Accept',
      icon: 'accept',
      tooltip: "Use this round's selection for the target: kymo measure records it from now on",
      onClick: actions.accept,
    }),
    exportFilter: button({
      label: 'Export Filter…',
      icon: 'export',
      tooltip: "Write this round's selection as a Score-P filter",
      onClick: actions.exportFilter,
    }),
  };
  const iterations = dropdown<string>({
    label: 'Round',
    onChange: (value) => actions.chooseIteration(Number(value)),
  });
  const tools = toolbar(
    'Refinement',
    buttons.next,
    buttons.stop,
    'gap',
    iterations,
    buttons.accept,
    buttons.exportFilter,
  );
  const setProgress = (progress: RefinementProgress | undefined): void => {
    bar.element.classList.toggle('idle', progress === undefined);
    doing.hidden = progress === undefined;
    if (progress === undefined) {
      bar.setFraction(0);
      return;
    }
    bar.setFraction(progress.fraction);
    doing.textContent = progressText(progress);
  };
  let choices = '';
  return {
    element: element(
      'header',
      { class: 'refinement-header' },
      element('div', { class: 'title-row row' }, title, state.element),
      summary,
      doing,
      tools.element,
      bar.element,
    ),
    show: (shown, iteration) => {
      title.textContent = `Refinement of ${shown.target}`;
      title.title = shown.study;
      state.setText(stateName(shown.state));
      summary.textContent = headline(shown);
      for (const [name, control] of Object.entries(buttons))
        control.setDisabled(shown.disabled[name as RefinementButton]);
      buttons.next.setLabel(nextLabels[shown.state] ?? 'Next Round');
      iterations.element.hidden = shown.iterations.length === 0;
      const rounds = shown.iterations.map(({ index }) => ({
        value: String(index),
        label: index === shown.accepted ? `${index} (accepted)` : String(index),
      }));
      // Changing the choices would close an open dropdown.
      if (choices !== JSON.stringify([rounds, iteration])) {
        choices = JSON.stringify([rounds, iteration]);
        iterations.setChoices(rounds, String(iteration ?? ''));
      }
      setProgress(shown.progress);
      if (shown.runner !== undefined) {
        doing.hidden = false;
        doing.textContent = runnerSentence(shown.runner);
      }
    },
    setProgress,
  };
}
