/**
 * The names under which a compiler may instrument one function. A constructor or destructor has several symbols (C1, C2, D0 …): gcc's
 * plug-in uses the base object's only, a symbol table may have others.
 */
export function symbolVariants(mangledName: string): readonly string[] {
  const structor = /([CD])[0-5](?=[EIv])/g;
  if (!mangledName.startsWith('_Z') || !structor.test(mangledName)) return [mangledName];
  const variants = ['1', '2', '4'].map((digit) => mangledName.replace(structor, `$1${digit}`));
  return [...new Set([mangledName, ...variants])];
}
