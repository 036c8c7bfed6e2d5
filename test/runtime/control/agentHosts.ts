// Several hosts on one machine: processes with a host name of their own, which only root may give.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
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

/** A stand-in for `ssh` with our arguments (-T -o BatchMode=yes -- HOST COMMAND), the first in PATH from now on. @param command shell text that gets HOST and COMMAND */
function standIn(folder: string, command: string): void {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'ssh');
  writeFileSync(
    file,
    `#!/bin/sh\n[ "$1 $2 $3 $4" = "-T -o BatchMode=yes --" ] || exit 99\nshift 4\n${command}\n`,
  );
  chmodSync(file, 0o700);
  process.env.PATH = `${folder}:${process.env.PATH ?? ''}`;
}

/** For hosts that are pretended. */
export function sshToPretended(folder: string): void {
  standIn(folder, `exec unshare --uts sh -c 'hostname "$0" && exec sh -c "$1"' "$@"`);
}

/** Whatever the host is, it is this one. */
export function sshToThisHost(folder: string): void {
  standIn(folder, 'exec sh -c "$2"');
}
