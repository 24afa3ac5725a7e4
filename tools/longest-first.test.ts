import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { longFiles } from './longest-first.ts'
import { root } from './source-files.ts'

it('the test files that begin first are there', () => {
  expect(longFiles.filter(file => !existsSync(join(root, file)))).toEqual([])
})
