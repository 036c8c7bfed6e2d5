/** `kymo.json` after validation, with defaults filled in (docs/INTERFACES.md). */
export interface Config {
  /** Absolute path of the file, and the folder it lies in. */
  readonly file: string;
  readonly workspace: string;
  readonly targets: readonly Target[];
}

export interface Target {
  readonly name: string;
  readonly build: { readonly command: string; readonly clean?: string; readonly cwd: string };
  readonly sources: readonly string[];
  /** As written: relative to `build.cwd`'s workspace, or absolute. */
  readonly executable: string;
  readonly run: {
    readonly arguments: readonly string[];
    readonly cwd: string;
    readonly environment: Readonly<Record<string, string>>;
    readonly timeoutSeconds: number;
    /** File that is the program's standard input, relative to `cwd`; default: none. */
    readonly input?: string;
    /** Exit statuses that mean success; default: 0 alone. */
    readonly successStatuses: readonly number[];
    readonly launcher: Launcher;
  };
  readonly parameters: Readonly<Record<string, readonly (string | number)[]>>;
  readonly repetitions: number;
  readonly phase?: string;
  readonly refinement: RefinementOptions;
  readonly backend: 'auto' | 'kymo' | 'scorep';
}

export type Launcher =
  | { readonly kind: 'local' }
  | {
      readonly kind: 'mpirun' | 'slurm';
      readonly ranks: readonly number[];
      readonly arguments: readonly string[];
    };

export interface RefinementOptions {
  readonly strategy: 'hotspot';
  readonly mode: 'filter-only' | 'filter-and-expand';
  readonly maximumIterations: number;
  readonly overheadPercent: number;
  readonly budgetSeconds: number;
}
