import fastify from 'fastify'
import { afterAll, expect, it } from 'vitest'
import { canReadMetrics } from './metrics-access.ts'

const servers: ReturnType<typeof fastify>[] = []
afterAll(() => Promise.all(servers.map(server => server.close())))

/** The status that `/metrics` of a server with this token answers. */
async function statusFor(
  metricsToken: string | undefined,
  remoteAddress: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const server = fastify()
  servers.push(server)
  server.get('/metrics', (req, reply) => reply.code(canReadMetrics(req, metricsToken) ? 200 : 404).send(''))
  return (await server.inject({ method: 'GET', url: '/metrics', remoteAddress, headers })).statusCode
}

const elsewhere = '192.0.2.7'
const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` })

it('another machine reads the metrics with the right token alone', async () => {
  expect(await statusFor('s3cret', elsewhere, bearer('s3cret'))).toBe(200)
  expect(await statusFor('s3cret', elsewhere, { authorization: 'bearer s3cret' })).toBe(200)
  for (const wrong of ['s3cre', 'S3CRET', 's3cret0', 's3crets3cret', 'x']) {
    expect(await statusFor('s3cret', elsewhere, bearer(wrong)), wrong).toBe(404)
  }
  expect(await statusFor('s3cret', elsewhere, { authorization: 's3cret' })).toBe(404)
  expect(await statusFor('s3cret', elsewhere, { authorization: 'Basic s3cret' })).toBe(404)
  expect(await statusFor('s3cret', elsewhere)).toBe(404)
})

it('without a token set no token opens the metrics', async () => {
  for (const token of ['undefined', 'null', 's3cret']) {
    expect(await statusFor(undefined, elsewhere, bearer(token)), token).toBe(404)
  }
  expect(await statusFor('', elsewhere, bearer('x'))).toBe(404)
})

it('this machine needs none, unless a proxy on it passes the request on or a wrong one is given', async () => {
  for (const address of ['127.0.0.1', '127.8.0.1', '::1', '::ffff:127.0.0.1']) {
    expect(await statusFor('s3cret', address), address).toBe(200)
  }
  expect(await statusFor(undefined, '127.0.0.1')).toBe(200)
  expect(await statusFor('s3cret', '127.0.0.1', { 'x-forwarded-for': elsewhere })).toBe(404)
  expect(await statusFor('s3cret', '127.0.0.1', { 'x-forwarded-for': elsewhere, ...bearer('s3cret') })).toBe(
    200,
  )
  expect(await statusFor('s3cret', '127.0.0.1', bearer('wrong'))).toBe(404)
})
