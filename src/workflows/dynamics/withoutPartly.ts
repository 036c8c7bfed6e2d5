import type { IterationContext } from '../../formats/kymo-iterations/iterationsFile';
import type { IterationsFile } from '../../formats/kymo-iterations/read';

export interface WithoutPartly {
  readonly file: IterationsFile;
  /** By context, 1 for those that do not count; undefined: all do. */
  readonly isLeftOut: Uint8Array | undefined;
}

/**
 * The file as if functions that somebody switched in the run had never been recorded: what they call is called by their callers, which have their time in all
 * iterations alike. Their own series would begin or end with the recording, and those of their callers would change there.
 */
export function withoutPartly(file: IterationsFile): WithoutPartly {
  const { directory } = file;
  const partly = new Set(directory.partlyRecorded);
  if (partly.size === 0) return { file, isLeftOut: undefined };
  const isLeftOut = Uint8Array.from(directory.contexts, ({ region }) => (partly.has(region) ? 1 : 0));
  const contexts = directory.contexts.map(({ region, location, parent }): IterationContext => {
    let above = parent;
    while (above !== undefined && isLeftOut[above] === 1) above = directory.contexts[above]?.parent;
    return above === undefined ? { region, location } : { region, location, parent: above };
  });
  return { file: { ...file, directory: { ...directory, contexts } }, isLeftOut };
}
