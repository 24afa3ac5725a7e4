import Fastify from 'fastify'
import { expect, it } from 'vitest'
import type { App } from './app.ts'
import { addRawEndpoints, type RawEndpoint } from './raw-endpoint.ts'

it('an endpoint gets the bytes of a body that is not UTF-8, and the text of one that is', async () => {
  const echo: RawEndpoint = {
    route: 'POST /api/echo',
    run: async ({ body, bytes }) => ({ body: `${body.length} ${bytes.toString('hex')}`, type: 'text/plain' }),
  }
  const http = Fastify()
  const app: App = Object.create(null)
  addRawEndpoints(http, [echo], app, () => {})
  const post = async (payload: Buffer | string) => {
    const headers = { 'content-type': 'application/json' }
    return (await http.inject({ method: 'POST', url: '/api/echo', headers, payload })).body
  }
  expect(await post(Buffer.from('d4c1', 'hex'))).toMatch(/ d4c1$/)
  expect(await post('粤B')).toBe('2 e7b2a442')
  expect((await http.inject({ method: 'POST', url: '/api/echo' })).body).toBe('0 ')
  await http.close()
})
