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

/** What a source file imports of ours, as paths from the root; type-only imports and lazy ones count. */
export function importsOf(file: string): string[] {
  const code = readSource(file).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  const specifiers = [
    ...code.matchAll(
      /(?:^(?:import|export)\b[^'"]*?from\s*|\bimport\s*\(\s*|^import\s+)['"]([#.][^'"]+)['"]/gm,
    ),
  ].map(m => m[1]!)
  return specifiers.map(specifier =>
    specifier.startsWith('#')
      ? specifier.slice(1)
      : normalize(join(dirname(file), specifier)).replaceAll('\\', '/'),
  )
}
