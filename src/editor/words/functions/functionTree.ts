import { byShare } from '../../../core/functions/shareOrder';
import type { PinState } from '../../../workflows/pins';
import type { FunctionRow } from '../../../core/functions/functionRow';

/** Functions below their files, these below their folders; a folder with nothing but one folder is one node with it. */
export interface FolderBranch {
  readonly kind: 'folder';
  /** As shown: `src/solver`. */
  readonly label: string;
  /** Absolute. */
  readonly path: string;
  readonly folders: readonly FolderBranch[];
  readonly files: readonly FileBranch[];
}

export interface FileBranch {
  readonly kind: 'file';
  readonly label: string;
  /** Absolute; absent for functions whose place is not known. */
  readonly path?: string;
  /** In the study's order: of 20,000 functions, only those of the files that are open are sorted (`inOrder`). */
  readonly functions: readonly FunctionRow[];
}

export type FunctionOrder = 'share' | 'name' | 'line';

export const noPlaceLabel = 'Source not known';

/** @param root absolute path of the workspace folder: paths below it are shown relative to it */
export function functionTree(functions: readonly FunctionRow[], root: string): FolderBranch {
  const byFile = new Map<string | undefined, FunctionRow[]>();
  for (const row of functions) {
    const inFile = byFile.get(row.file);
    if (inFile === undefined) byFile.set(row.file, [row]);
    else inFile.push(row);
  }
  const top = new Growing('', root);
  const unplaced = byFile.get(undefined);
  for (const [file, inFile] of byFile) if (file !== undefined) top.add(file, inFile);
  const branch = top.branch();
  if (unplaced === undefined) return branch;
  const last: FileBranch = { kind: 'file', label: noPlaceLabel, functions: unplaced };
  return { ...branch, files: [...branch.files, last] };
}

/** The functions as they are shown. */
export function inOrder(functions: readonly FunctionRow[], order: FunctionOrder): readonly FunctionRow[] {
  return [...functions].sort(orders[order]);
}

/** Whether a function is recorded from the next round on. */
export function willBeIn({ selected, hasSite }: FunctionRow, pin: PinState | undefined): boolean {
  return pin === undefined ? selected : pin === 'in' && hasSite;
}

/** The pin changes what the last round did. */
export function isPending(row: FunctionRow, pin: PinState | undefined): boolean {
  return pin !== undefined && willBeIn(row, pin) !== row.selected;
}

export interface FunctionFilter {
  /** Words that all must occur in name or path; `@in`, `@out` and `@pinned` ask for the state. */
  readonly text: string;
  /** Only these keys. */
  readonly changed?: ReadonlyMap<string, unknown>;
}

/** Those that the filter lets through. */
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
  // Not by lower case: that would be a new text for each of 20,000 functions at each key.
  const text = new RegExp(word.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'), 'i');
  return ({ name, file }) => text.test(name) || (file !== undefined && text.test(file));
}

const byInclusive = byShare('inclusiveShare');

const orders: Readonly<Record<FunctionOrder, (a: FunctionRow, b: FunctionRow) => number>> = {
  share: (a, b) => byInclusive(a, b) || Number(b.selected) - Number(a.selected) || byName(a, b),
  name: (a, b) => byName(a, b) || (a.line ?? 0) - (b.line ?? 0),
  line: (a, b) => (a.line ?? 0) - (b.line ?? 0) || byName(a, b),
};

/** Code points, not the locale: comparing 20,000 names must take milliseconds. */
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
    folder.files.push({ kind: 'file', label, path: file, functions });
  }

  branch(): FolderBranch {
    const { label, path } = this;
    const folders = [...this.folders.values()].map((folder) => folder.compact()).sort(byLabel);
    return { kind: 'folder', label, path, folders, files: this.files.sort(byLabel) };
  }

  private folder(name: string, absolute: string | undefined): Growing {
    // Outside the root, a first name has its slash: it is no folder of the workspace.
    const outside = absolute?.lastIndexOf('/') === 0;
    const key = outside ? `/${name}` : name;
    const existing = this.folders.get(key);
    if (existing !== undefined) return existing;
    const made = new Growing(key, absolute ?? `${this.path}/${name}`);
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

function byLabel(a: { readonly label: string }, b: { readonly label: string }): number {
  return a.label.localeCompare(b.label);
}
