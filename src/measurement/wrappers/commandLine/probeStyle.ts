import type { ProbeStyle } from '../../../core/probes/probeText';
import type { CompilerIdentity } from '../../compilers/compilerIdentity';

/** How probes are written for a compiler; undefined where no sites are known for its processor. */
export function probeStyle(identity: CompilerIdentity): ProbeStyle | undefined {
  if (identity.architecture === 'other') return undefined;
  return {
    architecture: identity.architecture,
    asmInline: identity.family === 'gcc' && Number.parseInt(identity.version, 10) >= 9,
  };
}
