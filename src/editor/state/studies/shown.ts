import type { StudySummary } from '../../../workflows/studies/studies';
import type { FunctionIndex } from './functionIndex';

/** The result that the editor shows: every number on the screen belongs to one of these. */
export type Shown = ShownStudy | ShownMeasurement | ShownProfile;

/** A refinement: measurements and decisions. */
export type ShownStudy = OnDisk<'study'>;

/** The result of `kymo measure`, without decisions. */
export type ShownMeasurement = OnDisk<'measurement'>;

/** A profile that is shown instead of the last study. */
export interface ShownProfile extends Numbers {
  readonly kind: 'profile';
  /** Absolute. */
  readonly file: string;
  /** Recorded paths of sources that are missing on this machine. */
  readonly missing: readonly string[];
}

interface OnDisk<Kind extends StudySummary['kind']> extends Numbers {
  readonly kind: Kind;
  readonly study: StudySummary;
}

interface Numbers {
  /** `study refine-2026-11-23T20-00-00`, `profile.cubex (Score-P 8.4)` */
  readonly label: string;
  /** All functions, and the base of their shares. */
  readonly functions: FunctionIndex;
}

/** The folder of the study that stored the lines of its sources; for a profile, which stores none, its file. */
export function linesOf(shown: Shown): string {
  return shown.kind === 'profile' ? shown.file : shown.study.directory;
}

/** The study that pins of shown functions belong to. A profile has none: pins then belong to the newest study with these functions. */
export function pinnedIn(shown: Shown): { readonly studyDirectory?: string } {
  return shown.kind === 'profile' ? {} : { studyDirectory: shown.study.directory };
}
