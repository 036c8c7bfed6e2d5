/**
 * Whether a function is worth a probe. Without a loop a visit is as short as the text looks: what is inlined of such functions is in no interpreter or parser worth the two probes in each copy, and what is
 * not inlined has its patchable entry. With fewer probes wanted than usual (10), small loops of containers go first: they are inlined everywhere.
 */
export function wantsProbe(
  one: { readonly loops: number; readonly statements: number },
  minimum: number,
): boolean {
  return one.statements >= (one.loops > 0 ? minimum / 10 : minimum * 2);
}
