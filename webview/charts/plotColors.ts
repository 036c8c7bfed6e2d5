import { isHighContrast, themeToken } from '../ui/base/theme';
import { translucent } from './configuration';
import type { ChartColor } from './data';

/** Colours for drawing on a surface, from the current theme. */
export interface PlotColors extends Readonly<Record<ChartColor, string>> {
  readonly background: string;
  readonly foreground: string;
  /** Colour of axes and secondary texts. */
  readonly muted: string;
  readonly grid: string;
  readonly focus: string;
  /** Whether the page is dark. */
  readonly isDark: boolean;
  /** The theme needs outlines instead of shades. */
  readonly isHighContrast: boolean;
}

export function plotColors(): PlotColors {
  const chart = (color: ChartColor, fallback: string): string =>
    // Some themes derive these from translucent highlights: too pale for a line.
    translucent(themeToken(`--vscode-charts-${color}`, fallback), 1);
  const foreground = themeToken('--vscode-foreground', '#cccccc');
  const { classList } = document.body;
  const isLight = classList.contains('vscode-light') || classList.contains('vscode-high-contrast-light');
  return {
    background: themeToken('--vscode-editor-background', '#1f1f1f'),
    foreground,
    muted: themeToken('--vscode-descriptionForeground', foreground),
    grid: translucent(themeToken('--vscode-charts-lines', foreground), isHighContrast() ? 0.5 : 0.22),
    focus: themeToken('--vscode-focusBorder', foreground),
    blue: chart('blue', '#3794ff'),
    orange: chart('orange', '#d18616'),
    green: chart('green', '#89d185'),
    red: chart('red', '#f14c4c'),
    purple: chart('purple', '#b180d7'),
    yellow: chart('yellow', '#cca700'),
    isDark: !isLight,
    isHighContrast: isHighContrast(),
  };
}
