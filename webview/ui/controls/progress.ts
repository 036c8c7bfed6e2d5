import { provideVSCodeDesignSystem, vsCodeProgressRing } from '@vscode/webview-ui-toolkit';
import { type Control, element } from '../base/dom';

provideVSCodeDesignSystem().register(vsCodeProgressRing());

/** Shows that work of unknown duration runs. */
export function progressRing(label: string): Control {
  const ring = document.createElement('vscode-progress-ring');
  ring.setAttribute('aria-label', label);
  return { element: ring };
}

export interface ProgressBar extends Control {
  /** Sets the completed share (0…1); undefined: the duration is unknown. */
  setFraction(fraction: number | undefined): void;
}

export function progressBar(label: string): ProgressBar {
  const filled = element('div', { class: 'progress-filled' });
  const bar = element(
    'div',
    {
      class: 'progress-bar',
      role: 'progressbar',
      label,
      attributes: { 'aria-valuemin': '0', 'aria-valuemax': '100' },
    },
    filled,
  );
  return {
    element: bar,
    setFraction: (fraction) => {
      bar.classList.toggle('endless', fraction === undefined);
      if (fraction === undefined) {
        bar.removeAttribute('aria-valuenow');
        filled.style.transform = '';
        return;
      }
      const share = Math.min(1, Math.max(0, fraction));
      bar.setAttribute('aria-valuenow', Math.round(share * 100).toString());
      filled.style.transform = `scaleX(${share.toFixed(4)})`;
    },
  };
}
