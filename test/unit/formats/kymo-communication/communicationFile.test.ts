import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { communicationMatrix } from '../../../../src/core/communication/communicationMatrix';
import {
  parseCommunication,
  writeCommunication,
} from '../../../../src/formats/kymo-communication/communicationFile';

const ranks = 12;
const rank = fc.nat(ranks - 1);
const amount = fc.nat(1_000_000);
const entry = fc.record({ from: rank, to: rank, messages: amount, bytes: amount, seconds: amount });

it('is read as it was written, whatever the processes exchanged', () => {
  fc.assert(
    fc.property(fc.array(entry), (entries) => {
      const matrix = communicationMatrix(ranks, entries);
      expect(parseCommunication(writeCommunication(matrix), 'communication.json')).toEqual(matrix);
    }),
  );
});

it.each([
  ['no JSON', '{'],
  ['something else', '{"kymoSources":1}'],
  [
    'a rank that the run has not',
    '{"kymoCommunication":1,"ranks":2,"from":[2],"to":[0],"messages":[1],"bytes":[1]}',
  ],
  [
    'columns of different lengths',
    '{"kymoCommunication":1,"ranks":2,"from":[1],"to":[],"messages":[1],"bytes":[1]}',
  ],
  ['negative amounts', '{"kymoCommunication":1,"ranks":2,"from":[1],"to":[0],"messages":[-1],"bytes":[1]}'],
])('with %s is refused, and the message names the file', (_, text) => {
  expect(() => parseCommunication(text, 'a/communication.json')).toThrow(/a\/communication\.json/);
});
