import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { createTestFolder } from '#kit/server/fixtures/test-database.ts'
import { assertAgentPackage } from './agent-package.ts'

const check = async (bytes: Buffer, size = bytes.length): Promise<void> => {
  const path = join(createTestFolder(), 'package')
  writeFileSync(path, bytes)
  await assertAgentPackage(path, size)
}

const packed = (content: unknown): Buffer => gzipSync(JSON.stringify(content))
const good = { version: '1.2.3', files: { 'apps/agent/program.ts': '' } }

it('a package of the gateway program is sent; any other file is refused before', async () => {
  await check(packed(good))
  const whole = packed(good)
  for (const bytes of [
    Buffer.from('no package'),
    Buffer.alloc(0),
    whole.subarray(0, whole.length - 4),
    gzipSync('no JSON'),
    packed([]),
    packed({ ...good, version: 'x' }),
    packed({ ...good, files: {} }),
    gzipSync(Buffer.alloc(70_000_000)),
  ]) {
    await expect(check(bytes)).rejects.toMatchObject({
      data: [{ Field: 'FileID', Message: '所选文件不是网关程序更新包，请重新选择' }],
    })
  }
  await expect(check(whole, 10 ** 9)).rejects.toThrow()
})
