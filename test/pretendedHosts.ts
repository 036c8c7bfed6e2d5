import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A stand-in for `ssh [options] HOST COMMAND…` in a folder, for hosts that are pretended (only root may). @returns its path */
export function secureShell(folder: string): string {
  const file = path.join(folder, 'ssh');
  writeFileSync(
    file,
    `#!/bin/sh
while [ "\${1#-}" != "$1" ]; do
  case $1 in -o) shift ;; esac
  last=$1
  shift
  [ "$last" != -- ] || break
done
exec unshare --uts sh -c 'hostname "$0" && exec sh -c "$*"' "$@"
`,
  );
  chmodSync(file, 0o700);
  return file;
}
