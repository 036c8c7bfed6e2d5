import path from 'node:path';
import { toolFolder } from '../../files/toolFolder';

/**
 * The command line of this installation, for hosts that have it at the same place. In an editor, the executable of this process is a Node only with the
 * variable.
 */
export function toolCommand(): readonly [string, ...string[]] {
  return ['/usr/bin/env', 'ELECTRON_RUN_AS_NODE=1', process.execPath, path.join(toolFolder(), 'cli.js')];
}
