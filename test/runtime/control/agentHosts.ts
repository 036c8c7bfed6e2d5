// Several hosts on one machine: processes with a host name of their own, which only root may give.
import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const renamed = 'hostname "$0" && exec "$@"';

/** Words that start a program on a pretended host. */
export function onHost(host: string, words: readonly string[]): readonly [string, ...string[]] {
  return ['unshare', '--uts', 'sh', '-c', renamed, host, ...words];
}

/** Whether this machine lets us pretend. */
export const mayRename =
  spawnSync('unshare', ['--uts', 'sh', '-c', renamed, 'node1', 'hostname'], { encoding: 'utf8' }).stdout ===
  'node1\n';

/** A stand-in for `ssh` with our arguments (-T -o BatchMode=yes -- HOST COMMAND), for hosts that are pretended. */
export function standInForSsh(folder: string): string {
  const file = path.join(folder, 'ssh');
  writeFileSync(
    file,
    `#!/bin/sh\n[ "$1 $2 $3 $4" = "-T -o BatchMode=yes --" ] || exit 99\nexec unshare --uts sh -c 'hostname "$0" && exec sh -c "$1"' "$5" "$6"\n`,
  );
  chmodSync(file, 0o700);
  return file;
}
