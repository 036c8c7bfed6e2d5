import { KymoError } from '../../core/errors';
import { placeholders } from '../config/substitute';
import { findProgram } from '../launch/findProgram';
import type { PlainCompilers } from './buildTarget';

const languages: Readonly<Record<keyof PlainCompilers, readonly [name: string, packages: string]>> = {
  cc: ['C', 'apt install gcc; dnf install gcc; zypper install gcc'],
  cxx: ['C++', 'apt install g++; dnf install gcc-c++; zypper install gcc-c++'],
  fc: ['Fortran', 'apt install gfortran; dnf install gcc-gfortran; zypper install gcc-fortran'],
};

/**
 * Checks that the compilers behind the placeholders of a build command exist: build systems report a missing compiler like a failing
 * one.
 * @throws KymoError `no-compiler`
 */
export async function requireCompilers(
  command: string,
  plain: PlainCompilers,
  searchPath?: string,
): Promise<void> {
  const used = placeholders(command);
  for (const kind of ['cc', 'cxx', 'fc'] as const) {
    if (!used.includes(kind)) continue;
    // A compiler may have several words: "ccache gcc".
    const [program = ''] = plain[kind].split(/\s+/);
    if ((await findProgram(plain[kind], searchPath)) ?? (await findProgram(program, searchPath))) continue;
    const [language, packages] = languages[kind];
    throw new KymoError(
      'no-compiler',
      `The build command uses \${${kind}}, but there is no ${language} compiler “${plain[kind]}”. Install one (${packages}), or name yours in the environment variable ${kind.toUpperCase()}.`,
    );
  }
}
