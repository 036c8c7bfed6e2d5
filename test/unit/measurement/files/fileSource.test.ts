import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { resultsFile, withFileSource } from '../../../../src/measurement/files/fileSource';

const folder = mkdtempSync(path.join(os.tmpdir(), 'kymo-source-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('says for programs and for results what to do about a file that cannot be read', async () => {
  const nowhere = path.join(folder, 'nowhere');
  const nothing = (): undefined => undefined;
  await expect(withFileSource(nowhere, nothing)).rejects.toMatchObject({
    reason: 'unreadable-executable',
    message: expect.stringContaining('Build the program first') as string,
  });
  await expect(withFileSource(nowhere, nothing, resultsFile)).rejects.toMatchObject({
    reason: 'unreadable-result',
    message: expect.stringMatching(/cannot be read .*\. Measure again\.$/) as string,
  });
  await expect(withFileSource(folder, nothing, resultsFile)).rejects.toThrow('is not a file');
  const file = path.join(folder, 'node.kymo');
  writeFileSync(file, 'results');
  const shortened = withFileSource(
    file,
    (source) => {
      truncateSync(file, 3);
      return source.read(0, source.size);
    },
    resultsFile,
  );
  await expect(shortened).rejects.toMatchObject({ reason: 'unreadable-result' });
  await expect(shortened).rejects.toThrow('it is being written');
});
