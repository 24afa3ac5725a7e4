import { defined } from '#kit/domain/defined.ts'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

export const root = normalize(join(import.meta.dirname, '..'))

/** Files below a folder of the repository, as paths from its root. */
export const filesUnder = (folder: string, ending: RegExp): string[] =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .map(f => `${folder}/${f.replaceAll('\\', '/')}`)
        .filter(f => ending.test(f))
    : []

export const readSource = (file: string): string => readFileSync(join(root, file), 'utf8')

/** What a source file imports, as it is written; type-only imports and lazy ones count. */
function importSpecifiers(file: string): string[] {
  const code = readSource(file).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  const imports = /(?:^(?:import|export)\b[^'"`]*?from\s*|\bimport\s*\(\s*|^import\s+)['"]([^'"]+)['"]/gm
  return [...code.matchAll(imports)].map(match => defined(match[1]))
}

const isOurs = (specifier: string): boolean => /^[#.]/.test(specifier)

/** The files of the repository that a source file imports, as paths from the root. */
export const importsOf = (file: string): string[] =>
  importSpecifiers(file)
    .filter(isOurs)
    .map(specifier =>
      specifier.startsWith('#')
        ? specifier.slice(1)
        : normalize(join(dirname(file), specifier)).replaceAll('\\', '/'),
    )

/** The packages that a source file imports, by their names as written. */
export const packagesOf = (file: string): string[] =>
  importSpecifiers(file).filter(specifier => !isOurs(specifier) && !specifier.startsWith('virtual:'))
