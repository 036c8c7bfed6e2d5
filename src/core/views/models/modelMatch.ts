import { KymoError } from '../../errors';
import type { ComparedInput, Unmatched } from './modelPieces';

interface Matched {
  readonly parameters: readonly string[];
  /** Parameters that are the same at all points. */
  readonly constants: readonly (readonly [name: string, value: number | string])[];
  readonly models: readonly { readonly callPath: string; readonly metric: string }[];
}

/** Call paths that are named of those that only one side has. */
const mostExamples = 3;

/** Which models of other measurements describe the same: those of the same metric and call path, at the same values of parameters. */
export class ModelMatch {
  private readonly rows: ReadonlyMap<string, number>;
  /** Of each parameter of the others its position here, or the value that it always has here. */
  private readonly sources: readonly ({ readonly position: number } | { readonly value: number })[];

  /** @throws KymoError `usage` if the other models have a parameter whose value here is not known */
  constructor(
    private readonly here: Matched,
    private readonly there: Matched,
  ) {
    this.rows = new Map(there.models.map((model, row) => [keyOf(model), row]));
    const constants = new Map(here.constants);
    this.sources = there.parameters.map((name) => {
      const position = here.parameters.indexOf(name);
      const value = constants.get(name);
      if (position >= 0) return { position };
      if (typeof value === 'number') return { value };
      throw new KymoError(
        'usage',
        `The other measurements have several values of ${name}, which these do not have. Compare measurements of the same parameters (here: ${here.parameters.join(', ')}).`,
      );
    });
  }

  rowThere(row: number): number | undefined {
    const model = this.here.models[row];
    return model && this.rows.get(keyOf(model));
  }

  pointThere(point: readonly number[]): readonly number[] {
    return this.sources.map((source) => ('value' in source ? source.value : (point[source.position] ?? NaN)));
  }

  /** Negative if the others have only one value of it. */
  parameterThere(parameter: number): number {
    return this.sources.findIndex((source) => 'position' in source && source.position === parameter);
  }

  facts(): Pick<ComparedInput, 'parameters' | 'onlyHere' | 'onlyThere'> {
    const known = new Set(this.here.models.map(keyOf));
    return {
      parameters: this.here.parameters.flatMap((_, position) =>
        this.parameterThere(position) < 0 ? [] : [position],
      ),
      onlyHere: unmatched(this.here.models.filter((model) => !this.rows.has(keyOf(model)))),
      onlyThere: unmatched(this.there.models.filter((model) => !known.has(keyOf(model)))),
    };
  }
}

function keyOf({ metric, callPath }: Matched['models'][number]): string {
  return `${metric}\n${callPath}`;
}

function unmatched(models: Matched['models']): Unmatched {
  const paths = [...new Set(models.map(({ callPath }) => callPath))];
  return { count: models.length, examples: paths.slice(0, mostExamples) };
}
