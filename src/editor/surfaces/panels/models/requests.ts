import { bytes, nothing, oneOf, record, text, type Guard } from '../../../../protocol/guards';
import { maximumPictureBytes } from '../../../../protocol/hotSpots';
import {
  maximumModelRows,
  maximumParameters,
  modelFileFormats,
  type ModelsExport,
  type ModelsRequests,
} from '../../../../protocol/models';
import type { ModelsInput } from '../../../state/models/modelsSession';

type Parameters<Name extends keyof ModelsRequests> = ModelsRequests[Name]['parameters'];

function numberBelow(end: number): Guard<number> {
  return (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value < end ? value : undefined;
}

const position = numberBelow(2 ** 32);
const id = text(200);
/** Values of parameters; models are made for numbers from 0 on. */
const point: Guard<readonly number[]> = (value) => {
  if (!Array.isArray(value) || value.length > maximumParameters) return undefined;
  const given: readonly unknown[] = value;
  const isCoordinate = (one: unknown): one is number =>
    typeof one === 'number' && Number.isFinite(one) && one >= 0;
  return given.every(isCoordinate) ? [...given] : undefined;
};
const piece = { id, first: position, count: numberBelow(maximumModelRows + 1) };
const model = { id, row: position, point };

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
  detail: record(model),
  curve: record({ ...model, parameter: numberBelow(maximumParameters) }),
  openSource: record({ id, row: position }),
  make: nothing,
  cancel: nothing,
  save: saved,
  chooseInput: nothing,
};

const mostPaths = 4096;

/** Identifies a panel in the state that its webview stores. */
export function panelName({ paths }: ModelsInput): string {
  return JSON.stringify(paths);
}

/** The input that a panel showed before a reload. A forged name is harmless, because files are only read and shown. */
export function shownBefore(state: unknown): ModelsInput | undefined {
  if (typeof state !== 'object' || state === null || !('panel' in state)) return undefined;
  if (typeof state.panel !== 'string') return undefined;
  try {
    const paths = JSON.parse(state.panel) as unknown;
    if (!Array.isArray(paths) || paths.length === 0 || paths.length > mostPaths) return undefined;
    const all: readonly unknown[] = paths;
    return all.every(isPath) ? { paths: all } : undefined;
  } catch {
    return undefined;
  }
}

function isPath(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('/') && value.length <= 8192;
}
