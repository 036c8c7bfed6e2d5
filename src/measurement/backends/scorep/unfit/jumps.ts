import type { CallGraph } from '../../../../core/callgraph/callGraph';
import type { Unit } from '../../../../core/source/unit';

/** Keys of functions that jump away, and of those that are jumped into. */
export interface Jumps {
  readonly from: ReadonlySet<string>;
  readonly into: ReadonlySet<string>;
}

const jumping = /^(_?longjmp|siglongjmp|__longjmp_chk|__builtin_longjmp)$/;
/** `setjmp` is a macro. */
const landing = /^(_?setjmp|__?sigsetjmp|__builtin_setjmp)$/;

/** Long jumps as the texts of the units have them: a call graph of C has no node for what the C library defines. */
export function jumpsOf(units: readonly Unit[], { functions }: CallGraph): Jumps {
  const keys = new Map(
    functions.flatMap(({ key, definitions }) =>
      definitions.map(([unit, number]): [string, string] => [`${unit}:${number}`, key]),
    ),
  );
  const calling = (name: RegExp): ReadonlySet<string> =>
    new Set(
      units.flatMap(({ hash, functions: own }) =>
        own.flatMap(({ calls }, number) => {
          const key = keys.get(`${hash}:${number}`);
          return key !== undefined && calls.some((call) => name.test(call.name)) ? [key] : [];
        }),
      ),
    );
  return { from: calling(jumping), into: calling(landing) };
}
