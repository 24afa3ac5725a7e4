import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { errorText } from './error-text.ts'

const errorOf = (run: () => unknown): unknown => {
  try {
    return run()
  } catch (error) {
    return error
  }
}

it('what the system reports by code is reported in Chinese, with its path', () => {
  expect(errorText(errorOf(() => gunzipSync(Buffer.from('no package'))))).toBe('压缩文件已损坏或格式不正确')
  expect(errorText(errorOf(() => readFileSync('/absent/file')))).toBe('文件或目录不存在：/absent/file')
  expect(errorText(new Error('设备无应答'))).toBe('设备无应答')
})

it('a message of a library is not for the operator', () => {
  expect(errorText(new TypeError('Cannot read properties of undefined'))).toBe('程序出错，详见现场机器的日志')
  expect(errorText(Object.assign(new Error('listen'), { code: 'EADDRINUSE' }))).toBe('系统错误（EADDRINUSE）')
  expect(errorText('timeout')).toBe('程序出错，详见现场机器的日志')
})
