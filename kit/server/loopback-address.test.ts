import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createTestFolder } from './fixtures/test-database.ts'
import { readLoopbackAddress, writeLoopbackAddress } from './loopback-address.ts'

it('an address belongs to its folder and its process: a copy has none', () => {
  const top = createTestFolder()
  const [folder, copy] = [join(top, 'a'), join(top, 'b')]
  mkdirSync(folder)
  expect(readLoopbackAddress(folder)).toBe('')
  writeLoopbackAddress(folder, 'http://127.0.0.1:5')
  expect(readLoopbackAddress(folder)).toBe('http://127.0.0.1:5')
  cpSync(folder, copy, { recursive: true })
  expect(readLoopbackAddress(copy)).toBe('')
  writeLoopbackAddress(folder, 'http://192.0.2.1:5')
  expect(readLoopbackAddress(folder)).toBe('')
  rmSync(top, { recursive: true })
})
