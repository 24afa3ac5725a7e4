import { createHash, randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { resultCode } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { removeProject } from '#kit/server/project-removal.ts'
import { systemScope } from '#kit/server/scope.ts'
import { uploadFolder } from '#kit/server/upload.ts'
import { golden } from '#db/golden/golden-data.ts'
import { maxPartBytes, maxWholeOutputBytes } from '../contract/agent-protocol.ts'
import { downloadAuditOutput, listCommandAudit } from '../contract/device-security.ts'
import { downloadTaskOutput, getRemoteTask, sendRemoteTask } from '../contract/remote-task.ts'
import { DeviceServers, type Clerk, type PairedGateway } from './device-servers.fixtures.ts'
import type { AgentClient } from './fixtures/agent-client.ts'

let s: DeviceServers
let me: Clerk
let site: PairedGateway
let agent: AgentClient

beforeAll(async () => {
  s = await DeviceServers.open()
  me = await s.signIn()
  site = await s.pairedGateway(me)
  // The agent is connected to the second process, the clerk to the first.
  agent = await s.connect(site.identity, 1)
})

afterAll(() => s?.close())

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

const sendShell = async (): Promise<Id> => {
  const input = {
    gatewayIds: [String(site.gateway.id)],
    cmdType: 'runShell',
    cmdData: 'log',
    confirm: true,
  } as const
  const { id } = defined((await s.call(sendRemoteTask, input, me))[0])
  await agent.waitFor('command', command => command.taskId === id)
  return id
}

const partsOf = (whole: Buffer): Buffer[] =>
  Array.from({ length: Math.ceil(whole.length / maxPartBytes) }, (_, i) =>
    whole.subarray(i * maxPartBytes, (i + 1) * maxPartBytes),
  )

/** Sends one part and returns whether it was taken. */
async function sendPart(
  client: AgentClient,
  name: { readonly taskId: Id; readonly attempt: string; readonly part: number },
  bytes: Buffer,
): Promise<boolean> {
  const before = client.of('outputPartAck').length
  client.send({ kind: 'outputPart', ...name, bytes: bytes.toString('base64') })
  const ack = await client.waitFor(
    'outputPartAck',
    each => client.of('outputPartAck').indexOf(each) >= before,
  )
  expect(ack).toMatchObject(name)
  return ack.isRefused !== true
}

interface Sent {
  readonly attempt: string
  readonly taken: readonly boolean[]
}

async function sendParts(client: AgentClient, taskId: Id, parts: readonly Buffer[]): Promise<Sent> {
  const attempt = randomUUID()
  const taken: boolean[] = []
  for (const [part, bytes] of parts.entries()) {
    taken.push(await sendPart(client, { taskId, attempt, part }, bytes))
  }
  return { attempt, taken }
}

async function sendResult(client: AgentClient, taskId: Id, attempt: string, whole: Buffer): Promise<void> {
  const before = client.of('resultAck').length
  client.send({
    kind: 'result',
    taskId,
    outcome: 'done',
    output: 'begin … end',
    whole: { attempt, parts: partsOf(whole).length, sha256: sha256Of(whole) },
  })
  await client.waitFor('resultAck', each => client.of('resultAck').indexOf(each) >= before)
}

const taskOf = (id: Id) => s.call(getRemoteTask, { id }, me)
const bytesOf = (call: typeof downloadTaskOutput | typeof downloadAuditOutput, id: Id) =>
  s.download(call, { id }, me)
const storedFiles = () =>
  s.app.database
    .reader(s.ownerId)
    .rows<{ name: string }>(
      sql`select name from file_store where owner_id = ${s.ownerId} and type = 'text/plain'`,
    )
const isGathered = () => readdirSync(uploadFolder(s.dataDir)).length > 0
/** Binary output: bytes of every value. */
const outputOf = (size: number): Buffer => Buffer.from(Array.from({ length: size }, (_, i) => (i * 31) % 256))

it.each([1_000_000, maxWholeOutputBytes])('RMT-2 an output of %i bytes is kept whole', async size => {
  const taskId = await sendShell()
  const whole = outputOf(size)
  const { attempt, taken } = await sendParts(agent, taskId, partsOf(whole))
  expect(taken.every(Boolean)).toBe(true)
  await sendResult(agent, taskId, attempt, whole)
  const task = await taskOf(taskId)
  expect(task).toMatchObject({ state: 'done', output: 'begin … end', outputSize: size })
  expect(task.outputSha256).toBe(sha256Of(whole))
  expect((await bytesOf(downloadTaskOutput, taskId)).equals(whole)).toBe(true)
  expect((await bytesOf(downloadAuditOutput, taskId)).equals(whole)).toBe(true)
  const audit = await s.call(listCommandAudit, { projectCode: me.projectCode }, me)
  expect(audit.rows.find(row => row.id === taskId)).toMatchObject({
    output: 'begin … end',
    outputSize: size,
    outputSha256: sha256Of(whole),
  })
  const [logged] = await s.app.database.reader(s.ownerId).rows<{ after: object }>(sql`
    select after
    from audit_log
    where owner_id = ${s.ownerId} and entity = 'remoteTask' and entity_id = ${taskId} and action = 'state'
  `)
  expect(logged?.after).toMatchObject({ outputSize: size, outputSha256: sha256Of(whole) })
  expect(JSON.stringify(logged)).not.toContain('fileKey')
  expect(isGathered()).toBe(false)
})

it('RMT-2 of more than the limit the rest is cut, and the result says where', async () => {
  const taskId = await sendShell()
  const whole = outputOf(maxWholeOutputBytes + 1)
  const { attempt, taken } = await sendParts(agent, taskId, partsOf(whole))
  expect([taken.at(-1), taken.slice(0, -1).every(Boolean)]).toEqual([false, true])
  await sendResult(agent, taskId, attempt, whole)
  const task = await taskOf(taskId)
  expect(task.output).toBe('begin … end\n（完整输出超过上限，第 8000000 字节之后未保存）')
  expect(task.outputSize).toBe(maxWholeOutputBytes)
  const kept = await bytesOf(downloadTaskOutput, taskId)
  expect(kept.equals(whole.subarray(0, maxWholeOutputBytes))).toBe(true)
  expect(task.outputSha256).toBe(sha256Of(kept))
})

it('RMT-2 what was cut off is sent again over another process: nothing is double, nothing missing', async () => {
  const taskId = await sendShell()
  const whole = outputOf(500_000)
  const started = await sendParts(agent, taskId, partsOf(whole).slice(0, 2))
  agent.close()
  await agent.closed
  await expect.poll(isGathered).toBe(false)
  agent = await s.connect(site.identity, 0)
  // What the earlier attempt would go on with is not taken, nor a part that comes too early or twice.
  const [first = whole, second = whole, third = whole] = partsOf(whole)
  expect(await sendPart(agent, { taskId, attempt: started.attempt, part: 2 }, third)).toBe(false)
  const attempt = randomUUID()
  expect(await sendPart(agent, { taskId, attempt, part: 0 }, first)).toBe(true)
  expect(await sendPart(agent, { taskId, attempt, part: 2 }, third)).toBe(false)
  expect(await sendPart(agent, { taskId, attempt: started.attempt, part: 1 }, second)).toBe(false)
  expect(await sendPart(agent, { taskId, attempt, part: 1 }, second)).toBe(true)
  expect(await sendPart(agent, { taskId, attempt, part: 1 }, second)).toBe(false)
  for (const [part, bytes] of partsOf(whole).entries()) {
    if (part >= 2) {
      expect(await sendPart(agent, { taskId, attempt, part }, bytes)).toBe(true)
    }
  }
  const before = await storedFiles()
  await sendResult(agent, taskId, attempt, whole)
  // The answer was lost: all of it comes again, and counts once.
  expect((await sendParts(agent, taskId, partsOf(whole).slice(0, 1))).taken).toEqual([false])
  await sendResult(agent, taskId, attempt, whole)
  expect((await bytesOf(downloadTaskOutput, taskId)).equals(whole)).toBe(true)
  expect(await storedFiles()).toHaveLength(before.length + 1)
})

it('RMT-2 a result whose parts are not all there says that the whole is not kept', async () => {
  const taskId = await sendShell()
  const whole = outputOf(300_000)
  const { attempt } = await sendParts(agent, taskId, partsOf(whole).slice(0, 2))
  await sendResult(agent, taskId, attempt, whole)
  const task = await taskOf(taskId)
  expect([task.state, task.output]).toEqual(['done', 'begin … end\n（完整输出未能保存）'])
  expect(task.outputSize).toBeUndefined()
  expect(isGathered()).toBe(false)
})

it('parts of a task that nobody asked for, or of another gateway, are refused', async () => {
  const taskId = await sendShell()
  const other = await s.pairedGateway(me)
  const stranger = await s.connect(other.identity, 1)
  const parts = [outputOf(10)]
  expect((await sendParts(stranger, taskId, parts)).taken).toEqual([false])
  expect((await sendParts(stranger, asId(999_999), parts)).taken).toEqual([false])
  expect(isGathered()).toBe(false)
  await sendResult(stranger, taskId, randomUUID(), outputOf(10))
  expect((await taskOf(taskId)).state).toBe('sent')
  const tooLarge = Buffer.alloc(maxPartBytes + 3).toString('base64')
  stranger.send({ kind: 'outputPart', taskId, attempt: 'a', part: 0, bytes: tooLarge })
  expect((await stranger.closed).code).toBe(4400)
})

it('RMT-1 a task is not timed out while its output comes', async () => {
  const taskId = await sendShell()
  const attempt = randomUUID()
  const whole = outputOf(200_000)
  for (const [part, bytes] of partsOf(whole).entries()) {
    s.turn(45_000)
    expect(await sendPart(agent, { taskId, attempt, part }, bytes)).toBe(true)
    await s.runIntervals(0, 'remote-task-timeouts')
  }
  await sendResult(agent, taskId, attempt, whole)
  expect(await taskOf(taskId)).toMatchObject({ state: 'done', outputSize: whole.length })
})

it('RMT-2 an output that comes after the time-out is kept with the task and audited, once', async () => {
  const taskId = await sendShell()
  s.turn(3_600_000)
  await s.runIntervals(0, 'remote-task-timeouts')
  expect(await taskOf(taskId)).toMatchObject({ state: 'timedOut' })
  const whole = outputOf(300_000)
  for (let time = 0; time < 2; time++) {
    const { attempt, taken } = await sendParts(agent, taskId, partsOf(whole))
    expect(taken.every(Boolean)).toBe(true)
    await sendResult(agent, taskId, attempt, whole)
  }
  expect(await taskOf(taskId)).toMatchObject({
    state: 'timedOut',
    reason: '超时后返回：执行成功',
    output: 'begin … end',
    outputSha256: sha256Of(whole),
  })
  expect((await bytesOf(downloadTaskOutput, taskId)).equals(whole)).toBe(true)
  const files = await storedFiles()
  expect(files.filter(file => file.name === `${taskId}.txt`)).toHaveLength(1)
})

it('RMT-2 what a site had written before its own time-out is kept, however late', async () => {
  const taskId = await sendShell()
  s.turn(3_600_000)
  await s.runIntervals(0, 'remote-task-timeouts')
  agent.send({
    kind: 'result',
    taskId,
    outcome: 'timedOut',
    reason: '执行超时（60 秒），已停止',
    output: '测试',
  })
  await agent.waitFor('resultAck', ack => ack.taskId === taskId)
  expect(await taskOf(taskId)).toMatchObject({
    state: 'timedOut',
    reason: '超时后返回：执行超时（60 秒），已停止',
    output: '测试',
  })
})

it('RMT-3 the whole output is for those who see the result, and for the audit', async () => {
  const taskId = await sendShell()
  const whole = outputOf(1000)
  const { attempt } = await sendParts(agent, taskId, partsOf(whole))
  await sendResult(agent, taskId, attempt, whole)
  const manager = await s.signIn(golden.first.ofRole('manager'))
  const answers = [
    await s.callRaw(downloadTaskOutput, { id: taskId }, manager),
    await s.callRaw(downloadAuditOutput, { id: taskId }, manager),
  ]
  expect(answers.map(({ Code }) => Code)).toEqual([resultCode.notFound, resultCode.forbidden])
  // A task without one, and one that was not dangerous.
  const list = { gatewayIds: [String(site.gateway.id)], cmdType: 'listProcesses' } as const
  const { id } = defined((await s.call(sendRemoteTask, list, me))[0])
  expect((await s.callRaw(downloadTaskOutput, { id }, me)).Code).toBe(resultCode.notFound)
  expect((await s.callRaw(downloadAuditOutput, { id }, me)).Code).toBe(resultCode.notFound)
})

it('whole outputs stay over a sweep, and go with the tasks of a removed project', async () => {
  const before = await storedFiles()
  expect(before.length).toBeGreaterThan(3)
  await s.app.files.sweep()
  expect(await storedFiles()).toEqual(before)
  const { database } = s.app
  const scope = systemScope(s.ownerId, new Date(s.now()).toISOString())
  await database.tx(s.ownerId, tx =>
    removeProject(tx, scope, { projectCode: me.projectCode, since: new Date(0) }),
  )
  s.turn(1000)
  await s.app.files.sweep()
  expect(await storedFiles()).toEqual([])
})
