/**
 * A namespace without a name, as people read it everywhere: gcc prints `{anonymous}` and Kymo's own reading of sources `(anonymous)`, where demanglers
 * and clang write this.
 */
export const anonymousNamespace = '(anonymous namespace)';

const spellings = /\{anonymous\}|\(anonymous\)/g;

export function spellAnonymous(name: string): string {
  return name.replace(spellings, anonymousNamespace);
}
