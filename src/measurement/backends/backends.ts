import type { Target } from '../config/config';
import type { Backend } from './common/backend';
import { kymoBackend } from './kymo/prepare';
import { scorepBackend } from './scorep/prepare';

/** The measurement system of a target: `auto` is Kymo's own. */
export function backendOf({ backend }: Target): Backend {
  return backend === 'scorep' ? scorepBackend : kymoBackend;
}
