import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { exitCodes } from '#apps/agent/exit-codes.ts'
import { AgentProcess, cleanUp, makeFolder } from '#apps/agent/fixtures/agent-process.ts'
import type { Call } from '#kit/contract/call.ts'
import { envelopeOf } from '#kit/contract/fixtures.ts'
import { decodeResponse, encodeRequest } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { portOf } from '#kit/server/fixtures/port.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openTestDatabase, type TestDatabase } from '#kit/server/fixtures/test-database.ts'
import { login } from '#modules/accounts/contract/sign-in.ts'
import { listDeviceEvents } from '#modules/devices/contract/device-event.ts'
import { addDeviceModel } from '#modules/devices/contract/device-model.ts'
import { addDevice, getDevice } from '#modules/devices/contract/device.ts'
import {
  addGateway,
  createPairingCode,
  getGateway,
  revokeGateway,
} from '#modules/devices/contract/gateway.ts'
import { getRemoteTask, sendRemoteTask } from '#modules/devices/contract/remote-task.ts'
import { uploadToFolder } from '#modules/files/contract/transfer.ts'
import { golden, password } from '#db/golden/golden-data.ts'
import { openKillableServer, type KillableServer } from '#db/golden/killable-server.ts'
import { makeAgentPackage } from './agent-package.ts'

const projectCode = 'GOLD0001'

let database: TestDatabase
let dataDir: string
let server: KillableServer
let line: Line
let as: CallOptions
let agent: AgentProcess
let gatewayId: Id
let deviceId: Id

/** The one address under which the agent knows the server, whichever process answers there. */
class Line {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  constructor(target: () => string) {
    this.#server = createServer(socket => {
      const { hostname, port } = new URL(target())
      const onward = connect(Number(port), hostname)
      for (const [from, to] of [
        [socket, onward],
        [onward, socket],
      ] as const) {
        this.#sockets.add(from)
        from.pipe(to)
        from.on('error', () => to.destroy())
        from.on('close', () => {
          this.#sockets.delete(from)
          to.destroy()
        })
      }
    })
  }

  async open(): Promise<this> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve))
    return this
  }

  get address(): string {
    return `http://127.0.0.1:${portOf(this.#server)}`
  }

  cut(): void {
    for (const socket of this.#sockets) {
      socket.destroy()
    }
  }

  close(): void {
    this.#server.close()
    this.cut()
  }
}

async function send<I, O>(call: Call<I, O>, input: I): Promise<O> {
  return defined(await server.send(call, input, as)).decode()
}

async function until<T>(find: () => Promise<T | undefined | false>, what: string): Promise<T> {
  const deadline = Date.now() + 45_000
  for (;;) {
    const found = await find()
    if (found !== undefined && found !== false) return found
    if (Date.now() > deadline) throw new Error(`timed out waiting for ${what}`)
    await sleep(200)
  }
}

type TaskInput = NonNullable<typeof sendRemoteTask.input.T>

/** Sends a command from the screen's side; the task's number. */
async function start(cmdType: TaskInput['cmdType'], overrides: Partial<TaskInput> = {}): Promise<Id> {
  const target =
    cmdType === 'device' ? { deviceIds: [String(deviceId)] } : { gatewayIds: [String(gatewayId)] }
  const sent = await send(sendRemoteTask, { ...target, cmdType, confirm: true, ...overrides })
  return defined(sent[0]).id
}

const endOf = (id: Id) =>
  until(async () => {
    const task = await send(getRemoteTask, { id })
    return task.endTime !== undefined && task
  }, `the end of task ${id}`)

const run = async (cmdType: TaskInput['cmdType'], overrides: Partial<TaskInput> = {}) =>
  endOf(await start(cmdType, overrides))

async function uploadFile(name: string, bytes: Buffer): Promise<Id> {
  const { token = '', ...sender } = as
  const { path, body = '' } = encodeRequest(uploadToFolder, { projectCode }, sender)
  const form = new FormData()
  new URLSearchParams(body).forEach((value, key) => form.append(key, value))
  form.append('file', new Blob([new Uint8Array(bytes)]), name)
  const response = await fetch(`${server.address}/api/${path}`, {
    method: 'POST',
    headers: { token },
    body: form,
  })
  return decodeResponse(uploadToFolder, envelopeOf(await response.json())).id
}

const isOnline = async (): Promise<boolean> => (await send(getGateway, { id: gatewayId })).isOnline

async function restartServer(): Promise<void> {
  await server.kill()
  server = await openKillableServer(database.url, dataDir)
}

beforeAll(async () => {
  database = await openTestDatabase()
  dataDir = makeFolder()
  server = await openKillableServer(database.url, dataDir)
  line = await new Line(() => server.address).open()
  const signedIn = await server.send(login, { loginCode: golden.first.owner, password }, {})
  as = { token: defined(signedIn).decode().token, projectCode }
  const gateway = await send(addGateway, { projectCode, name: '东门网关' })
  gatewayId = gateway.id
  const { code } = await send(createPairingCode, { id: gatewayId })
  agent = new AgentProcess().start('--server', line.address, '--code', code, '--allow-shell')
  const model = await send(addDeviceModel, {
    name: '模拟门禁',
    systemType: 'security',
    devType: 'SIM',
    driver: 'simulator',
    state: 'on',
  })
  deviceId = (
    await send(addDevice, {
      projectCode,
      name: '东门',
      modelId: model.id,
      gatewayId,
      state: 'normal',
      settings: [{ key: 'capacity', value: '10' }],
    })
  ).id
  await until(isOnline, 'the gateway')
  await until(async () => (await send(getDevice, { id: deviceId })).isOnline, 'the device')
}, 180_000)

afterAll(async () => {
  await cleanUp()
  line.close()
  await server.kill()
  await database.drop()
}, 60_000)

it('commands of the screen run on site, and their rows and output come back', async () => {
  const listed = await run('listProcesses')
  expect(listed.state).toBe('done')
  expect(listed.rows).toContain('apps/agent/program.ts')
  expect(await run('runShell', { cmdData: 'echo 你好' })).toMatchObject({ state: 'done', output: '你好' })
  const refused = await run('listDirectory', { cmdData: '/etc' })
  expect(refused).toMatchObject({ state: 'failed', reason: expect.stringContaining('允许的文件夹') })
  const folders = await run('listDirectory', { cmdData: join(agent.dataDir, 'files') })
  expect(folders).toMatchObject({ state: 'done', rows: '[]' })
}, 120_000)

it('a device opens, and its record is stored once', async () => {
  expect((await run('device', { cmdData: '{"action":"open"}' })).state).toBe('done')
  const events = async () =>
    (await send(listDeviceEvents, { deviceId: [String(deviceId)], type: 'opened' })).rows
  await until(async () => (await events()).length > 0, 'the event')
  expect(await events()).toHaveLength(1)
}, 120_000)

it('a pushed file arrives whole although the line is cut', async () => {
  const content = randomBytes(15_000_000)
  const fileId = await uploadFile('门禁说明.bin', content)
  const directory = join(agent.dataDir, 'files')
  const task = await start('pushFile', { fileId, directory, action: 'file' })
  await sleep(30)
  line.cut()
  expect(await endOf(task)).toMatchObject({ state: 'done' })
  expect(readFileSync(join(directory, '门禁说明.bin')).equals(content)).toBe(true)
}, 120_000)

it('a command whose server is killed runs once and its result is stored', async () => {
  const counter = join(agent.dataDir, 'files/counter')
  const task = await start('runShell', { cmdData: `echo run >> ${counter}; sleep 2; echo end` })
  await until(async () => existsSync(counter), 'its start')
  await restartServer()
  expect(await endOf(task)).toMatchObject({ state: 'done', output: 'end' })
  expect(readFileSync(counter, 'utf8')).toBe('run\n')
}, 120_000)

it('2,000 events that came while the server was away are stored once', async () => {
  expect((await run('device', { cmdData: '{"action":"makeRecords","data":{"count":2000}}' })).state).toBe(
    'done',
  )
  await restartServer()
  const count = async () =>
    (await send(listDeviceEvents, { deviceId: [String(deviceId)], type: 'opened' })).total
  await until(async () => (await count()) >= 2001, 'the events')
  await sleep(1000)
  expect(await count()).toBe(2001)
}, 120_000)

it('an update that the installation has signed is installed', async () => {
  const fileId = await uploadFile('agent.package', makeAgentPackage('9.9.9').bytes)
  expect(await run('updateAgent', { fileId })).toMatchObject({ state: 'done' })
  await until(async () => (await send(getGateway, { id: gatewayId })).agentVersion === '9.9.9', 'the version')
}, 120_000)

it('a revoked gateway ends its program', async () => {
  await send(revokeGateway, { id: gatewayId, reason: '设备更换' })
  expect(await agent.exit).toBe(exitCodes.refused)
  expect(agent.output).toContain('服务器不承认此机器的密钥')
}, 60_000)
