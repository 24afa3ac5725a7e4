import { createServer, type Server } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { portOf } from '../fixtures/port.ts'
import { openEarlyServer, takeOver } from './early-server.ts'
import { isPublicHost } from './public-host.ts'
import { StartupProgress } from './startup-progress.ts'

const open: Server[] = []

afterEach(() => {
  for (const server of open.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

const createProgress = () =>
  new StartupProgress({
    database: { title: '启动数据库', weight: 1 },
    demo: { title: '放入演示数据', weight: 3 },
  })

async function openTested(progress = createProgress()): Promise<{ early: Server; address: string }> {
  const early = await openEarlyServer({ port: 0, host: '127.0.0.1' }, () => progress.state())
  open.push(early)
  return { early, address: `http://127.0.0.1:${portOf(early)}` }
}

it('lives, is not ready, shows a page for people and tells clients to come again', async () => {
  const { address } = await openTested()
  const get = (path: string) => fetch(`${address}${path}`)
  expect((await get('/healthz')).status).toBe(200)
  const ready = await get('/readyz')
  expect([ready.status, await ready.json()]).toEqual([503, { ok: false, why: 'starting' }])
  const call = await get('/api/Room/Get?x=1')
  expect([call.status, call.headers.get('retry-after')]).toEqual([503, '2'])
  expect(await call.json()).toMatchObject({ Message: '系统正在启动，请稍后重试', Data: null })
  const page = await get('/bill/list')
  expect(page.headers.get('content-type')).toContain('text/html')
  expect(await page.text()).toContain('正在启动')
})

it('the bar counts each step by its weight and shows the step under way', async () => {
  const progress = createProgress()
  const { address } = await openTested(progress)
  await progress.run('database', async () => {})
  await progress.run('demo', async report => {
    report(0.5, '账单与收款')
    expect(await (await fetch(`${address}/preparation.json`)).json()).toEqual({
      share: (1 + 3 * 0.5) / 4,
      steps: [
        { title: '启动数据库', share: 1, detail: '', state: 'done' },
        { title: '放入演示数据', share: 0.5, detail: '账单与收款', state: 'running' },
      ],
    })
  })
  expect(progress.state().share).toBe(1)
})

it('the product takes the port over without refusing a connection', async () => {
  const { early, address } = await openTested()
  const successor = createServer((_, res) => res.end('product'))
  open.push(successor)
  const answers: string[] = []
  const asking = (async () => {
    while (answers.filter(text => text === 'product').length < 20) {
      answers.push(await (await fetch(`${address}/healthz`)).text())
    }
  })()
  while (answers.length < 20) {
    await new Promise(resolve => setImmediate(resolve))
  }
  await takeOver(early, successor)
  await asking
  expect(new Set(answers)).toEqual(new Set(['{"ok":true}', 'product']))
  // In order: once the product has the port, nobody meets the page of preparation again.
  expect(answers.lastIndexOf('{"ok":true}')).toBeLessThan(answers.indexOf('product') + 1)
  expect(portOf(successor)).toBe(portOf(early))
})

it('a port in use is refused at once', async () => {
  const { early } = await openTested()
  await expect(openTestedOn(portOf(early))).rejects.toThrow('EADDRINUSE')
})

const openTestedOn = (port: number) =>
  openEarlyServer({ port, host: '127.0.0.1' }, () => createProgress().state())

it.each([
  ['127.0.0.1', false],
  ['127.8.0.1', false],
  ['localhost', false],
  ['::1', false],
  ['0.0.0.0', true],
  ['::', true],
  ['192.168.1.2', true],
  ['anju.example', true],
])('a server on %s is public: %s', (host, isPublic) => expect(isPublicHost(host)).toBe(isPublic))
