import type { SeriesSource } from '../../core/series/series';
import type { ByteSource } from '../byteSource';
import { csvSeries } from './csv';
import { ndjsonSeries } from './ndjson';

/**
 * Opens a series file: NDJSON if its first character is `{`, CSV otherwise. The source must stay open while bursts are read.
 *
 * Throws `KymoError` (`SeriesFileReason`) with file, line and column, from here and from the bursts.
 */
export function openSeries(source: ByteSource, file: string): SeriesSource {
  const beginning = new TextDecoder().decode(source.read(0, 64)).trimStart();
  return beginning.startsWith('{') ? ndjsonSeries(source, file) : csvSeries(source, file);
}
