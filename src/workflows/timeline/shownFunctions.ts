import { present } from '../../core/present';
import { placeOf } from '../../core/profile/place';
import type { TimelineFunction } from '../../core/timeline/pieces';
import type { Definitions, Region } from '../../formats/otf2/definitions/model';

/** The functions of a trace, as its timeline names them, in the order of `TraceFunctions`. @param unknown those that are not defined */
export function shownFunctions(
  { regions }: Definitions,
  unknown: readonly string[],
): readonly TimelineFunction[] {
  return [
    ...[...regions.values()].map(shownRegion),
    ...unknown.map((name) => ({ name, place: { name }, paradigm: 'unknown' })),
  ];
}

function shownRegion({ name, file, firstLine, paradigm, role }: Region): TimelineFunction {
  const region = { name, paradigm: '', role, firstLine, ...present({ file }) };
  return { name, place: placeOf(region), paradigm: paradigmWords[paradigm] ?? paradigm };
}

const paradigmWords: Readonly<Partial<Record<string, string>>> = {
  COMPILER: 'user',
  USER: 'user',
  SAMPLING: 'user',
  NONE: 'user',
  OPENMP: 'OpenMP',
  PTHREAD: 'Pthreads',
  MEASUREMENT_SYSTEM: 'measurement',
  UNKNOWN: 'unknown',
};
