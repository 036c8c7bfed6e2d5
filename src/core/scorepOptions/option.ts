/** One option of Score-P. */
export interface ScorepOption {
  /** Unique; variables have their own name. */
  readonly id: string;
  readonly group: ScorepGroup;
  readonly label: string;
  readonly help: string;
  readonly cost: OptionCost;
  readonly place: OptionPlace;
  readonly input: OptionInput;
  /** How Kymo uses the option when it measures with Score-P. */
  readonly kymo?: OptionInKymo;
  /** The package that Score-P must be built with to have the option, such as "PAPI". */
  readonly builtWith?: string;
}

export type ScorepGroup = 'instrumenter' | 'filter' | 'measurement' | 'metrics';

export interface OptionCost {
  readonly weight: 'none' | 'low' | 'medium' | 'high';
  /** The cost in words and numbers. */
  readonly text: string;
}

/** Where the option is set: for `scorep` as it compiles and links, for the program as it runs, or in Kymo alone. */
export type OptionPlace =
  /** The value is the whole flag, or follows the prefix. */
  | { readonly kind: 'flag'; readonly prefix?: string }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'filtering' };

/** The empty value is always Score-P's default. */
export type OptionInput =
  | { readonly kind: 'choice'; readonly choices: readonly [OptionChoice, ...OptionChoice[]] }
  | {
      readonly kind: 'text';
      /** Meaning of an empty field. */
      readonly placeholder: string;
      readonly format: TextFormat;
    };

export interface OptionChoice {
  readonly value: string;
  readonly label: string;
  /** Other ways to write the same. */
  readonly aliases?: readonly string[];
}

export type TextFormat =
  /** Bytes with an optional suffix, such as 200M; of `bytes` < `below`. */
  | { readonly kind: 'size'; readonly below: number }
  | { readonly kind: 'count'; readonly least: number; readonly most: number }
  /** Names with commas between; of `known` when it is given. */
  | { readonly kind: 'names'; readonly known?: readonly string[] }
  /** A path. Builds change folders: what they read must be absolute. */
  | { readonly kind: 'file'; readonly absolute: boolean };

export type OptionInKymo =
  /** Kymo sets it unless the user does. */
  | { readonly kind: 'default'; readonly text: string }
  /** Kymo sets it itself: it is not written to `kymo.json`. */
  | { readonly kind: 'own'; readonly text: string };

/** Values of options by id; what is not there has its default. */
export type OptionValues = Readonly<Record<string, string>>;

/** Facts about a program's sources, as far as Kymo read them. */
export interface SourceFacts {
  /** Number of files that Kymo read. */
  readonly files: number;
  readonly userMacros: boolean;
  readonly mpi: boolean;
  readonly openmp: boolean;
  readonly pthreads: boolean;
}

/** The Score-P of this machine, as it describes itself. */
export interface OfferedScorep {
  /** Absolute path of the instrumenter. */
  readonly path: string;
  readonly version: string;
  /** Flags that `scorep --help` lists, without values. */
  readonly flags: readonly string[];
  /** Values of `--mpp`, `--thread` and `--io` that it has; empty: not known. */
  readonly paradigms: readonly string[];
  /** Variables that `scorep-info config-vars` lists, each with the values that it names (none: any). Empty: not known. */
  readonly variables: Readonly<Record<string, readonly string[]>>;
}

/** All that a view needs to offer Score-P's options. */
export interface ScorepCatalogue {
  readonly options: readonly ScorepOption[];
  readonly advice: readonly AdviceRule[];
}

/** Holds when all of its conditions do. */
export interface AdviceRule {
  /** The option at which it is shown. */
  readonly option: string;
  readonly severity: 'warning' | 'info';
  readonly when: readonly AdviceCondition[];
  readonly text: string;
  /** A value of the option that would settle it. */
  readonly fix?: string;
}

export type AdviceCondition =
  | { readonly option: string; readonly is: readonly string[] }
  | { readonly option: string; readonly isNot: readonly string[] }
  | { readonly fact: Exclude<keyof SourceFacts, 'files'>; readonly is: boolean };

/** `scorep` of a target in `kymo.json`. */
export interface ScorepTargetSettings {
  readonly flags: readonly string[];
  readonly filtering: string;
  readonly environment: Readonly<Record<string, string>>;
}
