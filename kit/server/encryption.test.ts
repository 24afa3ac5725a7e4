import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEncryption, encryptionOf } from './encryption.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'anju-encryption-'))
})

afterAll(() => rm(folder, { recursive: true }))

it('reads back what it wrote, for the same subject alone, and notices every change', () => {
  const { encrypt, decrypt } = createEncryption(randomBytes(32))
  for (const text of ['', '指纹模板', 'x'.repeat(20_000)]) {
    const bytes = encrypt(text, 'a:1')
    expect(decrypt(bytes, 'a:1')).toBe(text)
    expect(() => decrypt(bytes, 'a:2')).toThrow()
    for (const at of [0, 1, 13, bytes.length - 1]) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
      expect(() => decrypt(changed, 'a:1')).toThrow()
    }
  }
  expect(encrypt('same', 'a')).not.toEqual(encrypt('same', 'a'))
  expect(() => createEncryption(randomBytes(32)).decrypt(encrypt('x', 'a'), 'a')).toThrow()
  expect(() => createEncryption(randomBytes(16))).toThrow('16 bytes')
})

it('makes one key for all processes of an installation, which only its user can read', async () => {
  const [first, second] = await Promise.all([
    encryptionOf({ dataDir: folder }),
    encryptionOf({ dataDir: `${folder}/.` }),
  ])
  expect(second.decrypt(first.encrypt('x', 'a'), 'a')).toBe('x')
  const path = join(folder, 'data.key')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(Buffer.from(await readFile(path, 'utf8'), 'base64').length).toBe(32)
})

it('refuses a damaged key instead of making a new one', async () => {
  const damaged = await mkdtemp(join(tmpdir(), 'anju-encryption-'))
  await writeFile(join(damaged, 'data.key'), 'short')
  await expect(encryptionOf({ dataDir: damaged })).rejects.toThrow('不是 32 字节的 Base64 密钥')
  await rm(damaged, { recursive: true })
})
