import { pathToFileURL } from 'node:url';
import { type FilterClass, isFilterClass } from '../filters/filter';
import { OverlayError } from '../packets/overlayError';

/**
 * A filter from a module on the disk of this host.
 * @param module absolute path
 * @param name of the exported class
 * @throws whatever loading throws; OverlayError `filter` when there is no such class
 */
export async function loadFilterModule(module: string, name: string): Promise<FilterClass> {
  const loaded = (await import(pathToFileURL(module).href)) as Readonly<Record<string, unknown>>;
  // A CommonJS module has its exports in `default` too, where names that Node does not see are.
  const found = loaded[name] ?? (loaded.default as Readonly<Record<string, unknown>> | undefined)?.[name];
  if (!isFilterClass(found)) throw new OverlayError('filter', `${module} exports no filter class ${name}.`);
  return found;
}
