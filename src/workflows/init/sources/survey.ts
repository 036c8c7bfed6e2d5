import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { turn, type Cancellable } from '../../running/turn';

export type Language = 'C' | 'C++' | 'Fortran';

/** Contents of a source folder, judged by its files. Paths are relative to it, with "/". */
export interface Survey {
  readonly sources: readonly SourceFile[];
  readonly languages: ReadonlySet<Language>;
  readonly usesMpi: boolean;
  readonly usesOpenMp: boolean;
  /** Makes threads itself, by pthread_create or the C++ library. */
  readonly usesPthreads: boolean;
  /** Has regions of Score-P's own macros. */
  readonly usesScorepMacros: boolean;
}

export interface SourceFile {
  readonly path: string;
  readonly language: Language;
  readonly hasMain: boolean;
  /** Fortran modules that it defines and uses, in lower case. */
  readonly defines: readonly string[];
  readonly uses: readonly string[];
}

const languages: Readonly<Record<string, Language>> = {
  '.c': 'C',
  '.cc': 'C++',
  '.cpp': 'C++',
  '.cxx': 'C++',
  '.C': 'C++',
  '.f': 'Fortran',
  '.for': 'Fortran',
  '.f90': 'Fortran',
  '.f95': 'Fortran',
  '.f03': 'Fortran',
  '.f08': 'Fortran',
  '.F': 'Fortran',
  '.F90': 'Fortran',
};

/** Limits of a survey, which must stay quick in a huge tree: depth and number of files. */
const limits = { depth: 6, files: 1000, bytesPerFile: 16 << 20, bytes: 64 << 20, beyond: 64 << 10 } as const;
const skipped = /^(\.|node_modules$|build|_build|CMakeFiles$|third_?party$|external$|extern$)/i;

/** The headers and modules of MPI, and its start, which sources call that include MPI through a header of their own. */
const mpiSource =
  /#\s*include\s*[<"]mpi\.h[>"]|^[ \t]*use(?:[ \t]*,[ \t]*\w+)?[ \t]*(?:::|[ \t])[ \t]*mpi(_f08)?\b|^[ \t]*include\s+['"]mpif\.h['"]|\bMPI_Init(_thread)?\s*\(/im;

/** Reads the source files of a folder, without unreadable ones. */
export async function survey(folder: string, context: Cancellable = {}): Promise<Survey> {
  const sources: SourceFile[] = [];
  let usesMpi = false;
  let usesOpenMp = false;
  let usesPthreads = false;
  let usesScorepMacros = false;
  let bytes = 0;
  for (const file of await sourceFiles(folder, context)) {
    await turn(context);
    const most = bytes < limits.bytes ? limits.bytesPerFile : limits.beyond;
    const text = await beginning(path.join(folder, file), most);
    bytes += text?.length ?? 0;
    const language = languages[path.extname(file)];
    if (text === undefined || language === undefined) continue;
    usesMpi ||= mpiSource.test(text);
    usesOpenMp ||= /#\s*pragma\s+omp\b|^\s*[!cC*]\$omp\b/im.test(text);
    usesPthreads ||= /\bpthread_create\s*\(|\bstd::j?thread\b|\bstd::async\b/.test(text);
    usesScorepMacros ||= /\bSCOREP_USER_\w+/.test(text);
    sources.push(describe(file, language, text));
  }
  return {
    sources,
    languages: new Set(sources.map((source) => source.language)),
    usesMpi,
    usesOpenMp,
    usesPthreads,
    usesScorepMacros,
  };
}

function describe(file: string, language: Language, text: string): SourceFile {
  if (language !== 'Fortran') return { path: file, language, hasMain: hasCMain(text), defines: [], uses: [] };
  const names = (pattern: RegExp): readonly string[] =>
    [...text.matchAll(pattern)].flatMap(([, name]) => (name === undefined ? [] : [name.toLowerCase()]));
  return {
    path: file,
    language,
    hasMain: /^[ \t]*program[ \t]+[a-z]\w*[ \t]*(!.*)?$/im.test(text),
    defines: names(/^[ \t]*module[ \t]+(?!procedure\b)([a-z]\w*)[ \t]*(?:!.*)?$/gim),
    uses: names(/^[ \t]*use\b[^:!\n]*?(?:::)?[ \t]*([a-z]\w*)/gim),
  };
}

function hasCMain(text: string): boolean {
  if (!text.includes('main')) return false;
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"/g, ' ');
  // A macro may stand before the name, as in `int SQLITE_CDECL main(`. What ends in a semicolon declares only.
  return /(\b(int|void|auto)\s+(?:[A-Z_][A-Z0-9_]*\s+)?|^)main\s*\([^;{}()]*(?:\([^;{}()]*\)[^;{}()]*)*\)(?!\s*;)/m.test(
    code,
  );
}

async function sourceFiles(root: string, context: Cancellable): Promise<readonly string[]> {
  const files: string[] = [];
  const queue: { readonly folder: string; readonly depth: number }[] = [{ folder: '', depth: 0 }];
  for (let next = queue.shift(); next !== undefined && files.length < limits.files; next = queue.shift()) {
    await turn(context);
    const { folder, depth } = next;
    const entries = await readdir(path.join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && depth < limits.depth && !skipped.test(entry.name))
        queue.push({ folder: name, depth: depth + 1 });
      else if (entry.isFile() && Object.hasOwn(languages, path.extname(entry.name))) files.push(name);
    }
  }
  return files.slice(0, limits.files);
}

async function beginning(file: string, most: number): Promise<string | undefined> {
  try {
    const handle = await open(file, 'r');
    try {
      const { size } = await handle.stat();
      const buffer = Buffer.alloc(Math.min(size, most));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}
