import { readFileSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { objectOf, parseJson, textOf } from './json.ts'

/** The folder of the program's files: the repository, or an unpacked update. */
export const programRoot = normalize(join(import.meta.dirname, '../..'))

/** The version of a program folder. */
export function versionOf(root: string): string {
  const manifest = objectOf(parseJson(readFileSync(join(root, 'package.json'), 'utf8')), 'package.json')
  return textOf(manifest.version, 'version', 20)
}
