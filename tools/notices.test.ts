import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { noticesFile, renderNotices } from './notices.ts'
import { readSource } from './source-files.ts'

it('THIRD-PARTY-NOTICES.md lists what package-lock.json installs', () => {
  expect(existsSync(noticesFile)).toBe(true)
  expect(readSource('THIRD-PARTY-NOTICES.md') === renderNotices(), 'run: node tools/notices.ts').toBe(true)
})

it('every package of the product says its licence', () => {
  const unknown = renderNotices()
    .split('\n')
    .filter(line => line.includes('见包内文件'))
  expect(unknown).toEqual([])
})
