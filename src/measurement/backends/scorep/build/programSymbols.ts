import path from 'node:path';
import { ElfFile } from '../../../../formats/elf/elfFile';
import { functionSymbols } from '../../../../formats/elf/symbolTable';
import { demangle } from '../../../symbols/demangle';
import { withFileSource } from '../../../files/fileSource';
import { findLinkedObjects } from '../../../symbols/linkedObjects';
import { fortranName, isPartOfFunction, withoutCloneSuffix } from '../../../symbols/mangledNames';
import type { FunctionSymbol } from '../../../symbols/objectSymbols';
import { readObject } from '../../../symbols/readObject';

/** Start code of the C library and the compiler, which is linked into every program. */
const startFiles =
  /^(_start|_init|_fini|_dl_relocate_static_pie|deregister_tm_clones|register_tm_clones|__do_global_dtors_aux|frame_dummy|__libc_csu_\w+)$/;

/** Libraries that a build made, below the folder of the build. */
export async function ownLibraries(executable: string, folder: string): Promise<readonly string[]> {
  const below = (file: string): boolean => {
    const relative = path.relative(folder, file);
    return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
  };
  const objects = await findLinkedObjects(executable, { folders: [folder], wanted: below });
  return objects.slice(1);
}

/**
 * The functions of a program that was built without sites: those of its debug information, and those of the symbol table that it does not
 * have. The address of the code stands for the patchable entry, so that the functions count as measurable.
 */
export async function programSymbols(objects: readonly string[]): Promise<readonly FunctionSymbol[]> {
  return (await Promise.all(objects.map((object) => symbolsOf(object)))).flat();
}

async function symbolsOf(object: string): Promise<readonly FunctionSymbol[]> {
  const { functions } = await readObject(object);
  const debugNames = new Set(functions.map(({ mangledName }) => mangledName));
  const table = await withFileSource(object, (source) => functionSymbols(ElfFile.open(source)).symbols);
  const addresses = new Map<string, number>();
  for (const { name, address } of table) {
    const bare = withoutCloneSuffix(name);
    if (!debugNames.has(bare) && !isPartOfFunction(name) && !addresses.has(bare))
      addresses.set(bare, address);
  }
  const shown = await demangle(addresses.keys());
  const named = [...addresses].map(([mangledName, address]): FunctionSymbol => {
    const name = fortranName(mangledName) ?? shown.get(mangledName) ?? mangledName;
    const simpleName = name.replace(/\(.*$/s, '').replace(/^.*::/s, '');
    return { mangledName, name, simpleName, address, inlinedCopies: 0 };
  });
  return [...functions, ...named]
    .filter(({ mangledName }) => !startFiles.test(mangledName))
    .map((f) => (f.address === undefined ? f : { ...f, entry: f.address }));
}
