import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { openHttp } from './http.ts'
import { sendFile } from './http-response.ts'

it('the log has a download that breaks off later', async () => {
  const lines: string[] = []
  const http = openHttp({ logger: { level: 'warn', stream: { write: line => lines.push(line) } } })
  http.get('/file', (req, reply) => {
    const body = Readable.from(
      (async function* () {
        yield Buffer.from('a')
        throw new Error('the bucket is away')
      })(),
    )
    return sendFile(req, reply, { name: '甲.bin', type: 'application/octet-stream', body })
  })
  await http.inject('/file').catch(() => {})
  expect(lines.join('')).toMatch(/the bucket is away.*download broken off/)
  await http.close()
})
