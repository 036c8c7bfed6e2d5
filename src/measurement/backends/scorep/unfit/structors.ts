import { structorFamily } from '../../../symbols/mangledNames';

/** Constructors and destructors: each is one function of the source and several symbols. */
export function isStructor(mangledName: string): boolean {
  return structorFamily(mangledName) !== mangledName;
}
