import type { ProbeStyle } from '../../../core/probes/probeText';
import type { CompilerIdentity } from '../../compilers/compilerIdentity';

/** The probe code for a compiler; undefined if Kymo has none for its processor. */
export function probeStyle(identity: CompilerIdentity): ProbeStyle | undefined {
  if (identity.architecture === 'other') return undefined;
  return {
    architecture: identity.architecture,
    asmInline: identity.family === 'gcc' && Number.parseInt(identity.version, 10) >= 9,
  };
}
