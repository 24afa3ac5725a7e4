import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import type { DeviceConfig } from '#modules/devices/contract/agent-protocol.ts'
import {
  cleanUp,
  connectAgent,
  isAlive,
  kill,
  restartAgent,
  type AgentProcess,
} from './fixtures/agent-process.ts'
import { ProtocolServer } from './fixtures/protocol-server.ts'

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
afterAll(cleanUp)

const simulatedId = 5
const simulated = (settings: Record<string, unknown> = {}): DeviceConfig => ({
  id: asId(simulatedId),
  devNo: 'D5',
  driver: 'simulator',
  address: 'sim',
  settings,
  version: 1,
})

async function connectWithShell(): Promise<AgentProcess> {
  return await connectAgent(server, { args: ['--allow-shell'] })
}

const numbersOf = (): unknown[] =>
  server.stored.filter(event => event.type === 'opened').map(event => event.data.no)
const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex')
const countTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1)

it('killed at any step of a command, it runs at most once and its result is reported', async () => {
  const agent = await connectWithShell()
  server.acksResults = false
  const counter = join(agent.dataDir, 'files/counter')
  const has = (kind: 'received' | 'result', taskId: number) => () =>
    server.messages.some(m => m.kind === kind && m.taskId === taskId)
  const steps: ((taskId: number) => Promise<unknown>)[] = [
    async () => {},
    () => sleep(3),
    () => sleep(10),
    taskId => server.until(has('received', taskId), 'the receipt'),
    () => server.until(() => existsSync(counter), 'the effect'),
    () => sleep(150),
    taskId => server.until(has('result', taskId), 'the result'),
  ]
  const outcomes: string[] = []
  for (const [i, reach] of steps.entries()) {
    const taskId = i + 1
    const input = { commandLine: `echo run >> ${counter}; sleep 0.2` }
    server.command(taskId, 'runShell', input)
    await reach(taskId)
    agent.killAll()
    await restartAgent(server, agent)
    // The server sends what has no result yet.
    server.command(taskId, 'runShell', input)
    const { outcome, reason } = await server.result(taskId)
    await sleep(250)
    const runs = existsSync(counter) ? readFileSync(counter, 'utf8').split('\n').length - 1 : 0
    expect(runs, `step ${i}`).toBeLessThanOrEqual(1)
    if (outcome === 'done') {
      expect(runs).toBe(1)
    } else {
      expect(reason).toBe('执行中断，结果未知')
    }
    outcomes.push(outcome)
    writeFileSync(counter, '')
    await server.until(() => server.isConnected, 'a connection')
    server.command(1000 + taskId, 'deleteFile', { path: counter })
    await server.result(1000 + taskId)
  }
  expect(outcomes.at(-1)).toBe('done')
  expect(outcomes).toContain('failed')
})

it('a program that a command runs ends with the agent, however that ends', async () => {
  const agent = await connectWithShell()
  const marks = join(agent.dataDir, 'files', 'marks')
  // Neither its own child nor one that it leaves behind goes on, of its session or another.
  const loop = `while :; do echo x >> ${marks}; sleep 0.1; done`
  server.command(
    1,
    'runShell',
    { commandLine: `(${loop}) & setsid sh -c '${loop}' & env -i setsid sh -c '${loop}' & ${loop}` },
    { timeoutMs: 60_000 },
  )
  const sizeOf = (): number => (existsSync(marks) ? readFileSync(marks).length : 0)
  await server.until(() => sizeOf() > 4, 'the program')
  agent.killAll()
  // What has left the group is looked for among all processes, on a machine that may be busy.
  await sleep(1000)
  const size = sizeOf()
  await sleep(600)
  expect(sizeOf()).toBe(size)
})

it('an agent that is a part of another process ends with it, by SIGKILL too', async () => {
  const agent = await connectAgent(server)
  await agent.end()
  const main = join(import.meta.dirname, 'main.ts')
  const starter = `
    const { spawn } = require('node:child_process')
    const args = [${JSON.stringify(main)}, '--data', ${JSON.stringify(agent.dataDir)}, '--end-with-input']
    console.log(spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'ignore'] }).pid)
    setInterval(() => {}, 1000)`
  const before = server.connections
  const parent = spawn(process.execPath, ['-e', starter], { stdio: ['ignore', 'pipe', 'inherit'] })
  const pid = Number(await new Promise(resolve => parent.stdout.once('data', resolve)))
  await server.until(() => server.connections > before, 'a connection')
  parent.kill('SIGKILL')
  await server.until(() => !isAlive(pid) && !server.isConnected, 'the end of the agent')
})

it('killed in the middle of a listing, it lists again and answers', async () => {
  const agent = await connectWithShell()
  const many = join(agent.dataDir, 'files')
  for (let i = 0; i < 3000; i++) {
    writeFileSync(join(many, `${i}`), '')
  }
  server.command(1, 'listDirectory', { path: many })
  await server.until(() => server.messages.some(m => m.kind === 'received'), 'the receipt')
  agent.killAll()
  await restartAgent(server, agent)
  expect((await server.result(1)).outcome).toBe('done')
})

it('each event is stored once and in order, whatever is killed while they are sent', async () => {
  server.devices = [simulated()]
  const agent = await connectAgent(server)
  await server.until(() => isDeviceOnline(), 'the door')
  await server.run(1, 'device', { action: 'makeRecords', data: { count: 3000 } }, { deviceId: simulatedId })
  const isDone = (): boolean => numbersOf().length >= 3000
  let kills = 0
  for (let round = 0; round < 5 && !isDone(); round++, kills++) {
    await sleep(20 + round * 15)
    if (round % 2 === 0) {
      agent.killAll()
      await restartAgent(server, agent)
    } else {
      // The program alone, then the driver alone: each is started again by the one above it.
      kill(agent.pids()[round === 1 ? 2 : 1])
      server.dropConnection()
    }
  }
  await server.until(isDone, 'all records', 60_000)
  await sleep(500)
  expect(kills).toBeGreaterThan(1)
  expect(numbersOf()).toEqual(countTo(3000))
  const seqs = server.stored.map(event => event.seq)
  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b))
})

function isDeviceOnline(): boolean {
  const beat = server.messages.findLast(message => message.kind === 'beat')
  return beat?.devices.some(device => device.isOnline) === true
}

it('20,000 events that came while the server was away are sent once, in order', async () => {
  server.devices = [simulated()]
  const agent = await connectAgent(server)
  await server.until(() => isDeviceOnline(), 'the door')
  server.acksEvents = false
  await server.run(1, 'device', { action: 'makeRecords', data: { count: 20_000 } }, { deviceId: simulatedId })
  const { port } = new URL(server.address)
  await server.close()
  await sleep(3000)
  agent.killAll()
  await agent.exit
  // Even with the server away the door is driven after a start.
  agent.start()
  await sleep(1500)
  const back = new ProtocolServer()
  back.takeOver(server)
  await back.listen(Number(port))
  server = back
  const startedAt = Date.now()
  await server.until(() => numbersOf().length >= 20_000, 'all events', 60_000)
  expect(numbersOf()).toEqual(countTo(20_000))
  expect(Date.now() - startedAt).toBeLessThan(30_000)
  await server.until(() => lastBeat()?.bufferedEvents === 0, 'an empty buffer')
})

it('an acknowledgement of more than was sent deletes nothing unsent', async () => {
  server.devices = [simulated()]
  server.acksEvents = false
  await connectAgent(server)
  await server.until(() => isDeviceOnline(), 'the door')
  await server.run(1, 'device', { action: 'makeRecords', data: { count: 1000 } }, { deviceId: simulatedId })
  await server.until(() => numbersOf().length > 0 && lastBeat()?.bufferedEvents === 1000, 'a full buffer')
  server.acksEvents = true
  server.send({ kind: 'eventsAck', seq: 1_000_000 })
  await server.until(() => numbersOf().length >= 1000, 'all events')
  expect(numbersOf()).toEqual(countTo(1000))
})

const lastBeat = () => server.messages.findLast(message => message.kind === 'beat')

it('a push that is killed or cut goes on where it was, and replaces the old file only when whole', async () => {
  const agent = await connectAgent(server)
  const content = randomBytes(3_000_000)
  const directory = join(agent.dataDir, 'files')
  const target = join(directory, 'door.kernel')
  writeFileSync(target, 'the old kernel')
  const input = { action: 'kernel', name: 'door.kernel', directory, ...server.offer('/files/1', content) }
  server.bytesPerSecond = 3_000_000
  server.breakAfter.push(400_000)
  server.command(1, 'pushFile', input, { timeoutMs: 60_000 })
  await server.until(() => server.ranges.length === 2, 'the second attempt after the cut')
  for (const wait of [100, 300]) {
    await sleep(wait)
    agent.killAll()
    expect(readFileSync(target, 'utf8')).toBe('the old kernel')
    await restartAgent(server, agent)
  }
  expect((await server.result(1)).outcome).toBe('done')
  expect(readFileSync(target).equals(content)).toBe(true)
  const starts = server.ranges.map(range => Number(/\d+/.exec(range)?.[0] ?? 0))
  expect(starts.filter(start => start > 0).length).toBeGreaterThanOrEqual(2)
  expect(starts).toEqual(starts.toSorted((a, b) => a - b))
  expect(server.messages.some(m => m.kind === 'progress' && m.total === content.length)).toBe(true)
})

it('an agent that is a part of another process ends at its signal, its input still open', async () => {
  const agent = await connectAgent(server)
  await agent.end()
  const main = join(import.meta.dirname, 'main.ts')
  const before = server.connections
  const child = spawn(process.execPath, [main, '--data', agent.dataDir, '--end-with-input'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const exited = new Promise(resolve => child.on('exit', resolve))
  await server.until(() => server.connections > before, 'the agent')
  child.kill('SIGTERM')
  const ended = await Promise.race([exited, sleep(15_000, 'still running')])
  kill(child.pid)
  expect(ended).toBe(0)
})

it('RMT-2 killed amid the parts of an output, it sends all of them again and the result once they came', async () => {
  server.outputs.isOpen = true
  server.outputs.maxParts = 3
  const agent = await connectWithShell()
  const line = 'i=0; while [ $i -lt 100000 ]; do echo line $i; i=$((i+1)); done'
  server.command(1, 'runShell', { commandLine: line })
  await server.until(() => server.outputs.of(asId(1))?.parts.length === 4, 'some parts')
  const { attempt } = server.outputs.of(asId(1)) ?? {}
  agent.killAll()
  server.outputs.maxParts = Infinity
  await restartAgent(server, agent)
  const { outcome, whole, output = '' } = await server.result(1)
  const again = server.outputs.of(asId(1))
  const parts = again?.parts ?? []
  const text = Array.from({ length: 100_000 }, (_, i) => `line ${i}\n`).join('')
  expect(server.outputs.bytesOf(asId(1)).toString() === text).toBe(true)
  expect([outcome, again?.attempt === attempt, whole?.attempt === again?.attempt]).toEqual([
    'done',
    false,
    true,
  ])
  expect(whole).toMatchObject({ parts: parts.length, sha256: sha256Of(text) })
  expect(output.length).toBeLessThan(260_000)
  // A server that takes none gets the same result without them.
  server.outputs.isOpen = false
  server.dropConnection()
  await server.until(() => server.isConnected, 'a connection')
  expect(await server.run(2, 'runShell', { commandLine: line })).toMatchObject({ outcome: 'done', output })
  expect(server.results.get(asId(2))?.whole).toBeUndefined()
})

it('RMT-2 of an output above the limit it says which bytes are missing', async () => {
  server.outputs.isOpen = true
  await connectWithShell()
  const { output = '' } = await server.run(1, 'runShell', {
    commandLine: 'head -c 9000000 /dev/zero | tr "\\0" x; echo end',
  })
  const kept = server.outputs.bytesOf(asId(1)).toString()
  const note = '输出共 9000004 字节，第 3999501 至 5000504 字节超出上限，未保存'
  expect(kept.length).toBeLessThan(8_000_000)
  expect(kept.endsWith(`xend\n\n（${note}）`)).toBe(true)
  expect(output.endsWith(`（${note}）`)).toBe(true)
})
