/** Role of an OpenMP construct (`SCOREP_RegionRole`) by its name, as Score-P names it: `!$omp for @heat.c:12`. */
export function openmpRole(name: string): string {
  const [, construct = 'function'] = /^(?:!\$)?omp (.*?)(?: @|$)/.exec(name) ?? [];
  return roles[construct] ?? construct;
}

/** Where the role is not the construct's name. */
const roles: Readonly<Record<string, string>> = {
  for: 'loop',
  do: 'loop',
  taskloop: 'loop',
  distribute: 'loop',
  taskwait: 'task wait',
  taskgroup: 'region',
  'create task': 'task create',
  scope: 'region',
};
