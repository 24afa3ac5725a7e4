import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { makeAgentPackage } from '#tools/agent-package.ts'
import { cleanUp, connectAgent, restartAgent } from './fixtures/agent-process.ts'
import { ProtocolServer } from './fixtures/protocol-server.ts'
import { programRoot, versionOf } from './version.ts'

// Real processes, on machines that may be busy.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

let server: ProtocolServer
beforeEach(async () => {
  server = await new ProtocolServer().listen()
})
afterEach(async () => {
  await cleanUp()
  await server.close()
})

const installed = versionOf(programRoot)
const versions = (): string[] =>
  server.messages.filter(message => message.kind === 'hello').map(message => message.version)

function offer(bytes: Buffer, path = '/files/package') {
  const offered = server.offer(path, bytes)
  return { ...offered, signature: server.signPackage(offered.sha256) }
}

/** A package that is signed and whole, with a program of this text. */
const packageOf = (program: string, version = '9.9.9', name = 'apps/agent/program.ts'): Buffer =>
  gzipSync(
    JSON.stringify({
      version,
      files: { 'package.json': JSON.stringify({ version, type: 'module' }), [name]: program },
    }),
  )

it('a signed package is installed; the new version connects and tells the result', async () => {
  const agent = await connectAgent(server)
  const result = await server.run(1, 'updateAgent', offer(makeAgentPackage('9.9.9').bytes))
  expect(result).toMatchObject({ outcome: 'done', data: { version: '9.9.9' } })
  expect(versions()).toEqual([installed, '9.9.9'])
  agent.killAll()
  await restartAgent(server, agent)
  expect(versions().at(-1)).toBe('9.9.9')
  expect(await server.run(2, 'updateAgent', offer(makeAgentPackage('9.9.9').bytes))).toMatchObject({
    outcome: 'done',
    output: '已是版本 9.9.9',
  })
  const next = await server.run(3, 'updateAgent', offer(makeAgentPackage('9.9.10').bytes, '/files/next'))
  expect(next).toMatchObject({ outcome: 'done', data: { version: '9.9.10' } })
})

it('a package that is not signed, not whole or not one is not installed', async () => {
  const agent = await connectAgent(server)
  const good = offer(packageOf(''))
  const other = server.signPackage(createHash('sha256').update('another').digest('hex'))
  expect((await server.run(1, 'updateAgent', { ...good, signature: other })).reason).toContain('签名不符')
  expect((await server.run(2, 'updateAgent', { ...good, signature: '' })).reason).toContain('签名不符')
  expect(server.ranges).toEqual([])
  server.files.set(good.link, Buffer.alloc(good.size))
  expect((await server.run(3, 'updateAgent', good)).reason).toContain('校验不符')
  const outside = offer(packageOf('', '9.9.9', '../../agent.json'), '/files/outside')
  expect((await server.run(4, 'updateAgent', outside)).reason).toContain('路径无效')
  const empty = offer(packageOf('', '9.9.9', 'apps/agent/other.ts'), '/files/empty')
  expect((await server.run(5, 'updateAgent', empty)).reason).toContain('缺少程序文件')
  expect((await server.run(6, 'updateAgent', offer(Buffer.from('no gzip'), '/files/no'))).outcome).toBe(
    'failed',
  )
  expect(versions()).toEqual([installed])
  expect(existsSync(join(agent.dataDir, 'releases.json'))).toBe(false)
})

it.each([
  ['does not connect', 'setInterval(() => {}, 1000)', '秒内未能连接服务器，已恢复原来的版本'],
  ['ends at once', 'process.exit(1)', '新版本启动后中断，已恢复原来的版本'],
  ['ends well but never connects', 'process.exit(0)', '新版本启动后中断，已恢复原来的版本'],
  ['is refused by its own words', 'process.exit(77)', '新版本启动后中断，已恢复原来的版本'],
])('the old version is started again when the new one %s', async (_, program, reason) => {
  const agent = await connectAgent(server, { candidateMs: 4000 })
  const result = await server.run(1, 'updateAgent', offer(packageOf(program)))
  expect(result.outcome).toBe('failed')
  expect(result.reason).toContain(reason)
  expect(versions()).toEqual([installed, installed])
  expect(readdirSync(join(agent.dataDir, 'releases'))).toEqual([])
})

it('killed at any step of an update, one whole version runs afterwards and the result is reported', async () => {
  const bytes = makeAgentPackage('9.9.9').bytes
  server.bytesPerSecond = 400_000
  for (const wait of [0, 60, 150, 220, 300, 450, 700, 1000]) {
    const agent = await connectAgent(server)
    server.results.clear()
    const input = offer(bytes)
    server.command(1, 'updateAgent', input)
    await sleep(wait)
    agent.killAll()
    await restartAgent(server, agent)
    server.command(1, 'updateAgent', input)
    const { outcome } = await server.result(1)
    const state: { current: string } = JSON.parse(readFileSync(join(agent.dataDir, 'releases.json'), 'utf8'))
    expect(outcome, `after ${wait} ms`).toBe('done')
    expect(state.current).toContain('9.9.9-')
    await server.until(() => server.isConnected, 'a connection')
    expect(versions().at(-1)).toBe('9.9.9')
    await agent.end()
  }
})
