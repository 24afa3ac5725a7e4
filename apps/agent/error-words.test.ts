import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { errorWords } from './error-words.ts'

const errorOf = (run: () => unknown): unknown => {
  try {
    return run()
  } catch (error) {
    return error
  }
}

it('what the system reports by code is reported in Chinese, with its path', () => {
  expect(errorWords(errorOf(() => gunzipSync(Buffer.from('no package'))))).toBe('压缩文件已损坏或格式不正确')
  expect(errorWords(errorOf(() => readFileSync('/absent/file')))).toBe('文件或目录不存在：/absent/file')
  expect(errorWords(new Error('设备无应答'))).toBe('设备无应答')
})
