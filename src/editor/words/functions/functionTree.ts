import * as l10n from '@vscode/l10n';
import { byShare, lastRunShare } from '../../../core/functions/shareOrder';
import type { PinState } from '../../../workflows/pins';
import type { FunctionRow } from '../../../core/functions/functionRow';

/** Functions below their files, and files below their folders. A folder whose only child is a folder is merged with it. */
export interface FolderBranch {
  readonly kind: 'folder';
  /** The shown name: `src/solver`. */
  readonly label: string;
  /** Absolute. */
  readonly path: string;
  readonly folders: readonly FolderBranch[];
  readonly files: readonly FileBranch[];
  /** Exclusive time of all functions in it, 0…1 of the last run. */
  readonly share: number;
}

export interface FileBranch {
  readonly kind: 'file';
  readonly label: string;
  /** Absolute; absent for functions without a known place. */
  readonly path?: string;
  /** Exclusive time of its functions together, 0…1 of the last run. */
  readonly share: number;
  /** In the study's order: only the functions of expanded files are sorted (`inOrder`), because there may be 20,000. */
  readonly functions: readonly FunctionRow[];
}

export type FunctionOrder = 'share' | 'name' | 'line';

export const noPlaceLabel = l10n.t('Source not known');

/**
 * Folders before files, and both by the time in their functions, or by name where functions are in the order of names or lines.
 * @param root absolute path of the workspace folder: paths below it are shown relative to it
 */
export function functionTree(
  functions: readonly FunctionRow[],
  root: string,
  order: FunctionOrder = 'share',
): FolderBranch {
  const byFile = new Map<string | undefined, FunctionRow[]>();
  for (const row of functions) {
    const inFile = byFile.get(row.file);
    if (inFile === undefined) byFile.set(row.file, [row]);
    else inFile.push(row);
  }
  const top = new Growing('', root, order === 'share' ? byTime : byLabel);
  const unplaced = byFile.get(undefined);
  for (const [file, inFile] of byFile) if (file !== undefined) top.add(file, inFile);
  const branch = top.branch();
  if (unplaced === undefined) return branch;
  const share = exclusiveShare(unplaced);
  const last: FileBranch = { kind: 'file', label: noPlaceLabel, share, functions: unplaced };
  return { ...branch, files: [...branch.files, last], share: branch.share + share };
}

/** The functions in the shown order. */
export function inOrder(functions: readonly FunctionRow[], order: FunctionOrder): readonly FunctionRow[] {
  return [...functions].sort(orders[order]);
}

/** Whether the next round will record a function. */
export function willBeIn({ selected, hasSite }: FunctionRow, pin: PinState | undefined): boolean {
  return pin === undefined ? selected : pin === 'in' && hasSite;
}

/** Whether the pin changes the decision of the last round. */
export function isPending(row: FunctionRow, pin: PinState | undefined): boolean {
  return pin !== undefined && willBeIn(row, pin) !== row.selected;
}

export interface FunctionFilter {
  /** Words that must all occur in the name or path; `@in`, `@out` and `@pinned` select by state. */
  readonly text: string;
  /** Keys of the functions to show; default: all. */
  readonly changed?: ReadonlyMap<string, unknown>;
}

/** The functions that match the filter. */
export function filterFunctions(
  functions: readonly FunctionRow[],
  filter: FunctionFilter,
  pins: ReadonlyMap<string, PinState>,
): readonly FunctionRow[] {
  const conditions = filter.text
    .split(/\s+/)
    .filter((word) => word !== '')
    .map(conditionOf);
  const { changed } = filter;
  if (conditions.length === 0 && changed === undefined) return functions;
  return functions.filter((row) => {
    if (changed !== undefined && !changed.has(row.key)) return false;
    return conditions.every((isMet) => isMet(row, pins.get(row.key)));
  });
}

type Condition = (row: FunctionRow, pin: PinState | undefined) => boolean;

function conditionOf(word: string): Condition {
  switch (word.toLowerCase()) {
    case '@in':
      return willBeIn;
    case '@out':
      return (row, pin) => !willBeIn(row, pin);
    case '@pinned':
      return (_, pin) => pin !== undefined;
  }
  // Lower-case copies would be 20,000 new texts at each key stroke.
  const text = new RegExp(word.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'), 'i');
  return ({ name, file }) => text.test(name) || (file !== undefined && text.test(file));
}

const byInclusive = byShare('inclusiveShare');

const orders: Readonly<Record<FunctionOrder, (a: FunctionRow, b: FunctionRow) => number>> = {
  share: (a, b) => byInclusive(a, b) || Number(b.selected) - Number(a.selected) || byName(a, b),
  name: (a, b) => byName(a, b) || (a.line ?? 0) - (b.line ?? 0),
  line: (a, b) => (a.line ?? 0) - (b.line ?? 0) || byName(a, b),
};

/** Compares code points, not by locale, because sorting 20,000 names must take milliseconds. */
function byName(a: FunctionRow, b: FunctionRow): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

/** A folder while files are added. */
class Growing {
  private readonly folders = new Map<string, Growing>();
  private readonly files: FileBranch[] = [];

  constructor(
    private readonly label: string,
    private readonly path: string,
    private readonly order: (a: Weighed, b: Weighed) => number,
  ) {}

  add(file: string, functions: readonly FunctionRow[]): void {
    const inside = file.startsWith(`${this.path}/`);
    const relative = inside ? file.slice(this.path.length + 1) : file.replace(/^\/+/, '');
    const names = relative.split('/');
    const label = names.pop() ?? file;
    const folder = names.reduce(
      (parent: Growing, name, index) =>
        parent.folder(name, inside ? undefined : `/${names.slice(0, index + 1).join('/')}`),
      this,
    );
    folder.files.push({ kind: 'file', label, path: file, share: exclusiveShare(functions), functions });
  }

  branch(): FolderBranch {
    const { label, path, order } = this;
    const folders = [...this.folders.values()].map((folder) => folder.compact()).sort(order);
    const files = this.files.sort(order);
    const share = [...folders, ...files].reduce((sum, one) => sum + one.share, 0);
    return { kind: 'folder', label, path, folders, files, share };
  }

  private folder(name: string, absolute: string | undefined): Growing {
    // The first folder of a path outside the root starts with a slash, because it is no folder of the workspace.
    const outside = absolute?.lastIndexOf('/') === 0;
    const key = outside ? `/${name}` : name;
    const existing = this.folders.get(key);
    if (existing !== undefined) return existing;
    const made = new Growing(key, absolute ?? `${this.path}/${name}`, this.order);
    this.folders.set(key, made);
    return made;
  }

  private compact(): FolderBranch {
    const own = this.branch();
    const [only] = own.folders;
    if (only === undefined || own.folders.length > 1 || own.files.length > 0) return own;
    return { ...only, label: `${own.label}/${only.label}` };
  }
}

interface Weighed {
  readonly label: string;
  readonly share: number;
}

function byLabel(a: Weighed, b: Weighed): number {
  return a.label.localeCompare(b.label);
}

function byTime(a: Weighed, b: Weighed): number {
  return b.share - a.share || byLabel(a, b);
}

function exclusiveShare(functions: readonly FunctionRow[]): number {
  return functions.reduce((sum, row) => sum + (lastRunShare(row, 'exclusiveShare') ?? 0), 0);
}
