import Ajv, { type AnySchema, type ValidateFunction } from 'ajv';

/** A JSON schema that values are checked with. It is compiled for the first value, not when the program starts: that would slow down each command. */
export class JsonSchema<T> {
  private compiled: ValidateFunction<T> | undefined;

  constructor(private readonly schema: AnySchema) {}

  describes(value: unknown): value is T {
    // Schemas are our own: checking them as well would take most of the time.
    this.compiled ??= new Ajv({ validateSchema: false }).compile<T>(this.schema);
    return this.compiled(value);
  }

  /** Where the last value that was checked is wrong, as a JSON pointer ('' for all of it), and what has to hold there. */
  get mistake(): { readonly place: string; readonly rule: string } {
    const [error] = this.compiled?.errors ?? [];
    return { place: error?.instancePath ?? '', rule: error?.message ?? 'is wrong' };
  }
}
