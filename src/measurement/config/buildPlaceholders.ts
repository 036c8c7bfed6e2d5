import { nearestName } from '../../core/nearest';
import { placeholders } from './substitute';

/** What a build command has for the measuring compilers. */
const compilers = ['cc', 'cxx', 'fc'];

/**
 * The first `${name}` of a build command that nothing gives a value, with the compiler that was probably intended. Others belong to the shell: what
 * the command sets itself, what is in the environment, and names in capitals, which the environment of another machine may have.
 */
export function unknownPlaceholder(
  command: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): { readonly name: string; readonly intended?: string } | undefined {
  for (const name of placeholders(command)) {
    if (compilers.includes(name) || environment[name] !== undefined || isSetBy(command, name)) continue;
    if (name === name.toUpperCase()) continue;
    const intended = nearestName(name, compilers);
    return intended === undefined ? { name } : { name, intended };
  }
  return undefined;
}

/** `name=…`, `for name in …`, `read name` */
function isSetBy(command: string, name: string): boolean {
  return new RegExp(`(^|[\\s;&|({"'])(${name}=|(for|read|export|local)\\s([^;&|]*\\s)?${name}\\b)`).test(
    command,
  );
}
