import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { call, everyone } from '#kit/contract/call.ts'
import { noData, shape } from '#kit/contract/shape.ts'
import { resultCode } from '#kit/contract/wire.ts'
import { recordWhenSent } from './call-runner.ts'

const download = call({
  route: 'GET probe/archive',
  title: '下载',
  needs: everyone,
  input: shape({}),
  output: noData,
})

/** The codes that a file counts as, sent as `send` has it. */
async function codesOf(send: (body: PassThrough) => void): Promise<readonly number[]> {
  const codes: number[] = []
  const body = new PassThrough()
  body.on('error', () => {})
  const metrics = { recordAnswer: (_: unknown, code: number) => void codes.push(code) }
  recordWhenSent(metrics, download, body, {
    log: { warn: () => {} },
    startedAt: performance.now(),
  })
  expect(codes).toEqual([])
  body.resume()
  const closed = once(body, 'close').catch(() => {})
  send(body)
  await closed
  return codes
}

it('a file counts as what became of it, and not as answered when it was started', async () => {
  expect(await codesOf(body => body.end('all of it'))).toEqual([resultCode.ok])
  expect(await codesOf(body => body.destroy())).toEqual([resultCode.ok])
  const [broken] = await codesOf(body => body.destroy(new Error('the bytes of file 7 are missing')))
  expect(broken).not.toBe(resultCode.ok)
})
