import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { StartupError } from '#kit/server/postgres/startup-error.ts'
import { assertCanBuild } from './build-web.ts'

const folder = mkdtempSync(join(tmpdir(), 'build-web-'))
// A file in the place of the folder: unwritable for the superuser as well.
const blocked = join(folder, 'dist')
writeFileSync(blocked, '')

afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('says to build as another user where the program cannot write its folders', () => {
  expect(() => assertCanBuild(false, [folder, blocked])).toThrow(StartupError)
  expect(() => assertCanBuild(false, [blocked])).toThrow(
    /^页面尚未构建.*dist 不能写入[^]*先执行 npm run build/,
  )
  expect(() => assertCanBuild(true, [blocked])).toThrow(/^页面与程序的版本不一致[^]*先执行 npm run build/)
})

it('builds where both can be written', () => {
  expect(() => assertCanBuild(false, [folder, join(folder, 'new')])).not.toThrow()
})
