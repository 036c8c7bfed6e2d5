import { provideVSCodeDesignSystem, vsCodeBadge } from '@vscode/webview-ui-toolkit';
import type { Control } from './dom';

provideVSCodeDesignSystem().register(vsCodeBadge());

export interface Badge extends Control {
  setText(text: string): void;
}

/** A short word or number beside a title. */
export function badge(text: string): Badge {
  const made = document.createElement('vscode-badge');
  made.textContent = text;
  return { element: made, setText: (wanted) => (made.textContent = wanted) };
}
