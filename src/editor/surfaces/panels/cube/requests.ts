import { bytes, nothing, oneOf, record, text, type Guard, numberBelow } from '../../../../protocol/guards';
import {
  cubeActions,
  maximumCallPaths,
  maximumNames,
  maximumPlaces,
  maximumSelected,
  type CubeRequests,
} from '../../../../protocol/cube';
import { maximumPictureBytes } from '../../../../protocol/hotSpots';

type Parameters<Name extends keyof CubeRequests> = CubeRequests[Name]['parameters'];

function typed<Values extends Uint8Array | Uint32Array>(
  kind: abstract new (...parameters: never[]) => Values,
  most: number,
): Guard<Values> {
  return (value) => (value instanceof kind && value.length <= most ? value : undefined);
}

/** Call paths, regions and metrics have 32-bit numbers. */
const position = numberBelow(2 ** 32);
const id = text(200);
const callPaths = record({ id, first: position, count: numberBelow(maximumCallPaths + 1) });
const names = record({ id, first: position, count: numberBelow(maximumNames + 1) });
const values = record({ id, first: position, count: numberBelow(maximumCallPaths + 1), metric: position });
const locations = record({
  id,
  metric: position,
  minus: typed(Uint32Array, maximumSelected),
  callPaths: typed(Uint32Array, maximumSelected),
  exclusive: typed(Uint8Array, maximumSelected),
});
const converted = record({ kind: oneOf('csv', 'json', 'speedscope') });
const picture = record({ kind: oneOf('png'), content: bytes(maximumPictureBytes) });

/** Checks of the parameters of the webview's requests. */
export const cubeGuards: { readonly [Name in keyof CubeRequests]: Guard<Parameters<Name>> } = {
  open: nothing,
  callPaths,
  regions: names,
  system: names,
  topology: record({ id, first: position, count: numberBelow(maximumPlaces + 1), topology: position }),
  values,
  total: record({ id, metric: position }),
  locations,
  openSource: record({ id, region: position }),
  save: (value) => converted(value) ?? picture(value),
  act: record({ action: oneOf(...cubeActions) }),
};
