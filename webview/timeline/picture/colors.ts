import type { TimelineFunction } from '../../../src/core/timeline/pieces';
import { rgbOf, type Rgb } from '../../charts/palette';
import { isHighContrast, themeToken } from '../../ui/base/theme';

/** Colours of a picture, from the current theme. */
export interface PictureColors {
  readonly background: string;
  readonly foreground: string;
  /** Axis and row names that are not selected. */
  readonly muted: string;
  readonly grid: string;
  readonly focus: string;
  readonly message: string;
  /** Around each span, where colours alone are not enough. */
  readonly border: string | undefined;
  /** Of names in spans. */
  readonly text: string;
  readonly fills: readonly string[];
}

export type ThemeKind = 'dark' | 'light' | 'hc-dark' | 'hc-light';

/** Lightness, and how colourful: names in spans are white in dark themes and black in light ones, and must be readable on every fill. */
const tones: Readonly<Record<ThemeKind, { readonly lightness: number; readonly chroma: number }>> = {
  dark: { lightness: 0.44, chroma: 0.095 },
  light: { lightness: 0.84, chroma: 0.085 },
  'hc-dark': { lightness: 0.38, chroma: 0.13 },
  'hc-light': { lightness: 0.88, chroma: 0.1 },
};
/** Functions of one paradigm differ by this much. */
const lightnessSpread = { user: 0.12, others: 0.06 };

/** Groups of functions that have a colour in common; all others are functions of the program. */
export type ColorGroup =
  | 'user'
  | 'MPI'
  | 'OpenMP'
  | 'accelerator'
  | 'threads'
  | 'measurement'
  | 'I/O'
  | 'other';

/** Hues in degrees; functions of the program have one between green and violet each. */
const hues: Readonly<Record<Exclude<ColorGroup, 'user' | 'other' | 'measurement'>, number>> = {
  MPI: 27,
  OpenMP: 88,
  accelerator: 350,
  threads: 60,
  'I/O': 115,
};
const userHues: readonly [first: number, last: number] = [130, 330];

const groups: Readonly<Record<string, ColorGroup>> = {
  mpi: 'MPI',
  openmp: 'OpenMP',
  cuda: 'accelerator',
  hip: 'accelerator',
  opencl: 'accelerator',
  openacc: 'accelerator',
  pthread: 'threads',
  wrapped_thread: 'threads',
  qt_thread: 'threads',
  measurement_system: 'measurement',
  measurement: 'measurement',
  io: 'I/O',
  'i/o': 'I/O',
  user: 'user',
  compiler: 'user',
  unknown: 'user',
  sampling: 'user',
  '': 'user',
};

/** In which group of colours the functions of a paradigm are. */
export function colorGroup(paradigm: string): ColorGroup {
  const name = paradigm.toLowerCase().replaceAll(' ', '_');
  return Object.hasOwn(groups, name) ? (groups[name] ?? 'other') : 'other';
}

/** The colour of a function: the same one in each trace and after each reload. */
export function functionRgb({ name, paradigm }: TimelineFunction, theme: ThemeKind): Rgb {
  const group = colorGroup(paradigm);
  const hash = hashOf(name);
  const { lightness, chroma } = tones[theme];
  const spread = group === 'user' ? lightnessSpread.user : lightnessSpread.others;
  const light = lightness + spread * (((hash >>> 16) % 256) / 255 - 0.5);
  if (group === 'measurement' || group === 'other') return rgbOf([light, 0, group === 'other' ? -0.015 : 0]);
  const [first, last] = userHues;
  const hue = group === 'user' ? first + ((hash % 1024) / 1023) * (last - first) : hues[group];
  const angle = (hue * Math.PI) / 180;
  return rgbOf([light, chroma * Math.cos(angle), chroma * Math.sin(angle)]);
}

export function css(color: Rgb): string {
  return `rgb(${color.map((part) => Math.round(part)).join(', ')})`;
}

export function themeKind(): ThemeKind {
  const { classList } = document.body;
  if (isHighContrast()) return classList.contains('vscode-high-contrast-light') ? 'hc-light' : 'hc-dark';
  return classList.contains('vscode-light') ? 'light' : 'dark';
}

export function pictureColors(functions: readonly TimelineFunction[]): PictureColors {
  const theme = themeKind();
  const isDark = theme === 'dark' || theme === 'hc-dark';
  const foreground = themeToken('--vscode-editor-foreground', isDark ? '#cccccc' : '#333333');
  return {
    background: themeToken('--vscode-editor-background', isDark ? '#1f1f1f' : '#ffffff'),
    foreground,
    muted: themeToken('--vscode-descriptionForeground', foreground),
    grid: isDark ? 'rgba(255, 255, 255, 0.16)' : 'rgba(0, 0, 0, 0.16)',
    focus: themeToken('--vscode-focusBorder', foreground),
    message: messageColor(theme),
    border: isHighContrast() ? foreground : undefined,
    text: isDark ? '#ffffff' : '#000000',
    fills: functions.map((one) => css(functionRgb(one, theme))),
  };
}

/** In high contrast calls have borders in the colour of the text, from which lines differ. */
function messageColor(theme: ThemeKind): string {
  if (theme === 'hc-dark') return '#ffe14d';
  if (theme === 'hc-light') return '#b0005a';
  return theme === 'dark' ? '#ffffff' : '#000000';
}

/** FNV-1a, and its bits mixed (MurmurHash3): names that differ in one letter get other colours. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < name.length; index++)
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
