import { isObject } from '#kit/contract/wire/members.ts'
import { readSource } from './source-files.ts'

/** The version of this program, from package.json. */
export function readProductVersion(): string {
  const manifest: unknown = JSON.parse(readSource('package.json'))
  if (isObject(manifest) && typeof manifest.version === 'string') return manifest.version
  throw new Error('package.json has no version')
}
