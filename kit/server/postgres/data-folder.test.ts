import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createTestFolder } from '../fixtures/test-database.ts'
import { assertWritableFolder } from './data-folder.ts'

const folder = createTestFolder()

afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('makes a missing folder with those above it', () => {
  const inner = join(folder, 'a', 'b')
  assertWritableFolder(inner)
  expect(existsSync(inner)).toBe(true)
})

it('says why a folder cannot be written', () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  expect(() => assertWritableFolder(file)).toThrow(/不能写入：路径的一部分是文件/)
  expect(() => assertWritableFolder(join(file, 'below'))).toThrow(/不能写入：路径的一部分是文件/)
})

it.runIf(process.platform === 'linux')('says so at once where no folder can be made', () => {
  expect(() => assertWritableFolder('/proc/anju')).toThrow(/不能写入：该位置不能建立文件夹/)
})
