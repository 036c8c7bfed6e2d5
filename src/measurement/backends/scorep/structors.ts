import { structorFamily } from '../../symbols/mangledNames';

/** Constructors and destructors: each is one function of the source and several symbols. */
export function isStructor(mangledName: string): boolean {
  return structorFamily(mangledName) !== mangledName;
}

/** All names under which the compiler may instrument one function: gcc's plug-in sees a base constructor (C2), a linker complete ones (C1), too. */
export function symbolVariants(mangledName: string): readonly string[] {
  const family = structorFamily(mangledName);
  if (family === mangledName) return [mangledName];
  return ['1', '2', '4'].map((digit) => family.replaceAll('*', digit));
}
