import type { CallGraph } from '../../../../core/callgraph/callGraph';
import type { Unit } from '../../../../core/source/unit';

/** Keys of functions that make long jumps, and of those that are their targets. */
export interface Jumps {
  readonly from: ReadonlySet<string>;
  readonly into: ReadonlySet<string>;
}

const jumping = /^(_?longjmp|siglongjmp|__longjmp_chk|__builtin_longjmp)$/;
/** `setjmp` is a macro. */
const landing = /^(_?setjmp|__?sigsetjmp|__builtin_setjmp)$/;

/** Finds long jumps in the calls of the units: a call graph of C has no node for functions of the C library. */
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
