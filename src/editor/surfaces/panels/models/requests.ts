import { measures } from '../../../../core/modeling/measurements';
import { scalings } from '../../../../core/modeling/profilesAsMeasurements';
import { present } from '../../../../core/present';
import {
  bytes,
  nothing,
  oneOf,
  record,
  text,
  type Guard,
  numberBelow,
  absolutePath,
  finiteNumber,
  flag,
  listOf,
  optional,
} from '../../../../protocol/guards';
import { maximumPictureBytes } from '../../../../protocol/hotSpots';
import {
  maximumModelRows,
  maximumParameters,
  modelFileFormats,
  modelModes,
  modelsActions,
  type ModelsExport,
  type ModelsRequests,
} from '../../../../protocol/models';
import type { ModelsInput } from '../../../state/models/modelsSession';
import { inputBefore } from '../panelInput';

export { panelName } from '../panelInput';

type Parameters<Name extends keyof ModelsRequests> = ModelsRequests[Name]['parameters'];

const position = numberBelow(2 ** 32);
const id = text(200);
/** Values of parameters; models are made for numbers from 0 on. */
const point = listOf((value) => {
  const given = finiteNumber(value);
  return given !== undefined && given >= 0 ? given : undefined;
}, maximumParameters);
const piece = { id, first: position, count: numberBelow(maximumModelRows + 1) };
const model = { id, row: position, point };
const parameter = numberBelow(maximumParameters);
const settings = record({
  mode: oneOf(...modelModes),
  measure: oneOf(...measures),
  scaling: oneOf('default', ...scalings),
});

const drawn = record({
  kind: oneOf('png', 'svg', 'table'),
  name: text(200),
  content: bytes(maximumPictureBytes),
});
const models = record({ kind: oneOf('models'), id, format: oneOf(...modelFileFormats), point });
const saved: Guard<ModelsExport> = (value) => drawn(value) ?? models(value);

/** Checks of the parameters of the webview's requests. */
export const modelsGuards: { readonly [Name in keyof ModelsRequests]: Guard<Parameters<Name>> } = {
  open: nothing,
  rows: record(piece),
  predictions: record({ ...piece, point }),
  detail: record({ ...model, isCompared: flag }),
  curve: record({ ...model, isCompared: flag, parameter }),
  plane: record({ ...model, parameters: pair(parameter), logarithmic: pair(flag) }),
  openSource: record({ id, row: position }),
  make: record({ settings }),
  cancel: nothing,
  measureNext: record({ id }),
  save: saved,
  act: record({ action: oneOf(...modelsActions) }),
};

function pair<Value>(guard: Guard<Value>): Guard<readonly [Value, Value]> {
  return (value) => {
    const [one, other, ...more] = listOf(guard, 2)(value) ?? [];
    return one === undefined || other === undefined || more.length > 0 ? undefined : [one, other];
  };
}

const paths: Guard<readonly string[]> = (value) => {
  const given = listOf(absolutePath, 4096)(value);
  return given !== undefined && given.length > 0 ? given : undefined;
};
const input = record({ paths, compared: optional(paths), settings: optional(settings) });

/** The input that a panel showed before a reload. */
export const shownBefore = inputBefore((value): ModelsInput | undefined => {
  const given = input(value);
  return (
    given && {
      paths: given.paths,
      ...present({ compared: given.compared.given, settings: given.settings.given }),
    }
  );
});
