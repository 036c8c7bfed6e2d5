import { csvText } from '../../core/csv';
import { modelText, type FormulaStyle } from '../../core/modeling/formulaText';
import type { Formula, Segment } from '../../core/modeling/formula';
import type { ModelCosts } from '../../core/modeling/model';

export const modelExports = ['csv', 'python', 'latex', 'javascript'] as const;
export type ModelExport = (typeof modelExports)[number];

/** A model that is exported. */
export interface ExportedModel extends ModelCosts {
  readonly callPath: string;
  readonly metric: string;
  readonly formula: Formula;
  readonly segments?: readonly Segment[];
  readonly verdict?: { readonly kind: string };
}

/** Models in a format that other programs read. */
export function modelExport(
  models: readonly ExportedModel[],
  parameters: readonly string[],
  format: ModelExport,
): string {
  switch (format) {
    case 'csv':
      return csvText([
        ['call path', 'metric', 'formula', 'SMAPE in %', 'RSS', 'adjusted R²', 'relative error', 'verdict'],
        ...models.map((model) => [
          model.callPath,
          model.metric,
          modelText(model, parameters, 'text'),
          model.smape,
          model.rss,
          model.ar2,
          model.re,
          model.verdict?.kind ?? '',
        ]),
      ]);
    case 'python':
      return `from math import log2\n\nmodels = {\n${entries(models, parameters, 'python', (name, text, names) => `    ${name}: lambda ${names}: ${text},\n`)}}\n`;
    case 'javascript':
      return `export const models = {\n${entries(models, parameters, 'javascript', (name, text, names) => `  ${name}: (${names}) => ${text},\n`)}};\n`;
    case 'latex':
      return models
        .map(
          (model) =>
            `\\item \\verb${verbatim(`${model.callPath} ${model.metric}`)} ${modelText(model, parameters, 'latex')}\n`,
        )
        .join('');
  }
}

function entries(
  models: readonly ExportedModel[],
  parameters: readonly string[],
  style: FormulaStyle,
  entry: (name: string, text: string, names: string) => string,
): string {
  const names = identifiers(parameters);
  return models
    .map((model) =>
      entry(
        JSON.stringify(`${model.callPath} ${model.metric}`),
        modelText(model, names, style),
        names.join(', '),
      ),
    )
    .join('');
}

/** Different names for different parameters, of letters, digits and underscores. */
function identifiers(parameters: readonly string[]): readonly string[] {
  const used = new Set<string>([
    'log2',
    'models',
    'lambda',
    'if',
    'else',
    'for',
    'in',
    'is',
    'or',
    'and',
    'not',
  ]);
  return parameters.map((parameter) => {
    const word = parameter.replaceAll(/\W/g, '_').replace(/^(?=\d|$)/, '_');
    let name = word;
    for (let count = 2; used.has(name); count++) name = `${word}_${count}`;
    used.add(name);
    return name;
  });
}

/** A text between two characters that it does not contain; what LaTeX cannot print stands as a question mark. */
function verbatim(text: string): string {
  const printable = text.replaceAll(/[^ -~]/g, '?');
  const delimiter = Array.from('|!+/;"').find((character) => !printable.includes(character));
  return delimiter === undefined
    ? `|${printable.replaceAll('|', '?')}|`
    : `${delimiter}${printable}${delimiter}`;
}
