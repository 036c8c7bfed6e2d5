import * as l10n from '@vscode/l10n';
/** A task of type `kymo`; `package.json` declares the same shape for `tasks.json`. */
export type KymoTask =
  | { readonly command: 'refine' | 'build' | 'study'; readonly target?: string }
  | {
      readonly command: 'measure';
      readonly target?: string;
      /** Score-P filter that selects the recorded functions, relative to the folder. */
      readonly filter?: string;
      readonly repetitions?: number;
      readonly parameters?: Readonly<Record<string, string>>;
    };

type Definition = Readonly<Record<string, unknown>>;

/** Reads a task of `tasks.json`. Returns a sentence if the definition is invalid. */
export function readTask(definition: Definition): KymoTask | string {
  const { command, target } = definition;
  if (command !== 'refine' && command !== 'measure' && command !== 'build' && command !== 'study')
    return l10n.t`"command" must be "refine", "measure", "build" or "study", found ${shown(command)}.`;
  if (target !== undefined && (typeof target !== 'string' || target === ''))
    return l10n.t`"target" must be the name of a target in kymo.json, found ${shown(target)}.`;
  const common = target === undefined ? {} : { target };
  if (command === 'measure') {
    const options = measureOptions(definition);
    return typeof options === 'string' ? options : { command, ...common, ...options };
  }
  const extra = ['filter', 'repetitions', 'parameters'].find((key) => definition[key] !== undefined);
  return extra === undefined
    ? { command, ...common }
    : l10n.t`"${extra}" is an option of "measure"; kymo.json defines it for "${command}".`;
}

type MeasureOptions = Pick<
  Extract<KymoTask, { readonly command: 'measure' }>,
  'filter' | 'repetitions' | 'parameters'
>;

function measureOptions({ filter, repetitions, parameters }: Definition): MeasureOptions | string {
  if (filter !== undefined && typeof filter !== 'string')
    return l10n.t`"filter" must be the path of a Score-P filter, found ${shown(filter)}.`;
  if (repetitions !== undefined && !isCount(repetitions))
    return l10n.t`"repetitions" must be a whole number of at least 1, found ${shown(repetitions)}.`;
  if (parameters !== undefined && !isTexts(parameters))
    return l10n.t`"parameters" must be an object of texts, found ${shown(parameters)}.`;
  return {
    ...(filter === undefined ? {} : { filter }),
    ...(repetitions === undefined ? {} : { repetitions }),
    ...(parameters === undefined ? {} : { parameters }),
  };
}

/** `refine nbody`: the name in the list of tasks. */
export function taskName({ command, target }: KymoTask): string {
  return target === undefined ? command : `${command} ${target}`;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((entry) => typeof entry === 'string')
  );
}

function shown(value: unknown): string {
  const text = (JSON.stringify(value) as string | undefined) ?? 'nothing';
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}
