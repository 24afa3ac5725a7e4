import { spawnSync } from 'node:child_process'
import { statSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { agentClose } from '#modules/devices/contract/agent-protocol.ts'
import { exitCodes } from './exit-codes.ts'
import { AgentProcess, cleanUp, connectAgent } from './fixtures/agent-process.ts'
import { ProtocolServer } from './fixtures/protocol-server.ts'

// Real processes, on machines that may be busy.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

let server: ProtocolServer
beforeAll(async () => {
  server = await new ProtocolServer().listen()
})
afterEach(cleanUp)
afterAll(() => server.close())

const pairWith = (code: string): AgentProcess =>
  new AgentProcess().start('--server', server.address, '--code', code)

it('an agent pairs by its code, keeps its key to itself and connects again without the code', async () => {
  const agent = await connectAgent(server)
  const identity = join(agent.dataDir, 'identity.json')
  expect(statSync(identity).mode & 0o777).toBe(0o600)
  expect(statSync(agent.dataDir).mode & 0o777).toBe(0o700)
  expect(readFileSync(identity, 'utf8')).toContain('PRIVATE KEY')
  const hello = server.messages.find(message => message.kind === 'hello')
  expect(hello?.allowed).not.toContain('runShell')
  expect(hello?.drivers).toContain('simulator')
  const beat = await server.until(() => server.messages.find(m => m.kind === 'beat'), 'a beat')
  expect(Math.abs(Date.parse(beat.clock) - Date.now())).toBeLessThan(60_000)
  expect(beat.freeBytes).toBeGreaterThan(0)
  agent.kill('SIGTERM')
  expect(await agent.exit).toBe(0)
  expect(server.isConnected).toBe(false)
  agent.start()
  await server.until(() => server.isConnected, 'a connection without the code')
})

it('a wrong code, an unknown server and a missing pairing end the program with a message', async () => {
  const wrong = pairWith('000000')
  expect(await wrong.exit).toBe(exitCodes.configuration)
  expect(wrong.output).toContain('配对码无效或已过期，请重新生成')
  const short = pairWith('?')
  expect(await short.exit).toBe(exitCodes.configuration)
  expect(short.output).toContain('配对码无效，请在「网关管理」生成')
  const nowhere = new AgentProcess().start('--server', 'http://127.0.0.1:9', '--code', '123456')
  expect(await nowhere.exit).toBe(exitCodes.configuration)
  expect(nowhere.output).toContain('无法连接 http://127.0.0.1:9')
  const unpaired = new AgentProcess().start()
  expect(await unpaired.exit).toBe(exitCodes.configuration)
  expect(unpaired.output).toContain('此机器尚未配对')
})

it('a revoked key ends the program with a message and its own exit code', async () => {
  const agent = await connectAgent(server)
  server.isRevoked = true
  server.closeConnection(agentClose.refused)
  expect(await agent.exit).toBe(exitCodes.refused)
  expect(agent.output).toContain('请在「网关管理」生成配对码')
  const again = new AgentProcess(agent.dataDir).start()
  expect(await again.exit).toBe(exitCodes.refused)
  server.isRevoked = false
})

it('a lost line, a silent server and a server that is away are tried again until they are back', async () => {
  const agent = await connectAgent(server)
  const before = server.connections
  server.dropConnection()
  await server.until(() => server.connections > before, 'a second connection')
  server.isUnresponsive = true
  server.dropConnection()
  await server.until(() => server.connections > before + 2, 'another attempt after the silence')
  server.isUnresponsive = false
  await server.until(() => agent.output.includes('服务器长时间没有消息') && server.isConnected, 'an answer')
  const { port } = new URL(server.address)
  await server.close()
  await new Promise(resolve => setTimeout(resolve, 500))
  const back = new ProtocolServer()
  back.takeOver(server)
  await back.listen(Number(port))
  server = back
  await server.until(() => server.isConnected, 'a connection to the server that is back')
})

it('a server that has moved is found under its new address without pairing again', async () => {
  const agent = await connectAgent(server)
  agent.kill('SIGTERM')
  await agent.exit
  const moved = new ProtocolServer()
  moved.takeOver(server)
  await moved.listen()
  agent.start('--server', moved.address)
  await moved.until(() => moved.isConnected, 'a connection')
  agent.kill('SIGTERM')
  await agent.exit
  agent.start()
  await moved.until(() => moved.isConnected, 'a connection to the new address')
  await moved.close()
})

it('a second program on the same folder ends and says why', async () => {
  const agent = await connectAgent(server)
  const second = new AgentProcess(agent.dataDir).start()
  expect(await second.exit).toBe(exitCodes.folderInUse)
  expect(second.output).toContain('数据目录正被另一个网关程序使用')
  expect(server.isConnected).toBe(true)
})

it('an old Node names the one that is needed', () => {
  const old = 'data:text/javascript,Object.defineProperty(process,"versions",{value:{node:"20.11.0"}})'
  const { status, stderr } = spawnSync(process.execPath, ['--import', old, 'apps/agent/start.mjs'], {
    encoding: 'utf8',
  })
  expect(status).toBe(exitCodes.configuration)
  expect(stderr).toMatch(/^网关程序需要 Node 24 或更高版本，此机器为 20\.11\.0（/)
})
