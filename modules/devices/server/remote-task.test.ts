import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { resultCode } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { golden } from '#db/golden/golden-data.ts'
import { saveDataDomain } from '#modules/accounts/contract/data-domain.ts'
import { listManagers } from '#modules/accounts/contract/manager.ts'
import { expiredReason } from '../contract/agent-protocol.ts'
import { listCommandAudit, listCommandHolders } from '../contract/device-security.ts'
import { listDeviceFaults } from '../contract/device-health.ts'
import { revokeGateway } from '../contract/gateway.ts'
import {
  cancelRemoteTasks,
  getRemoteTask,
  listRemoteTasks,
  sendRemoteTask,
  type RemoteTask,
} from '../contract/remote-task.ts'
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

type SendInput = Parameters<typeof s.call<typeof sendRemoteTask.input.T, readonly RemoteTask[]>>[1]

const send = async (input: Partial<NonNullable<SendInput>>, clerk = me): Promise<RemoteTask> => {
  const rows = await s.call(
    sendRemoteTask,
    { gatewayIds: [String(site.gateway.id)], cmdType: 'listProcesses', ...input },
    clerk,
  )
  return defined(rows[0])
}

const taskOf = (id: Id, clerk = me) => s.call(getRemoteTask, { id }, clerk)
const stateOf = async (id: Id): Promise<string> => (await taskOf(id)).state
const commandOf = (task: RemoteTask) => agent.waitFor('command', command => command.taskId === task.id)

it('RMT-1 a command reaches the agent of another process; received and result move its state', async () => {
  const task = await send({ taskNo: '1732432432123' })
  expect(task.taskNo).toMatch(/^1732432432123-[0-9a-f]{10}$/)
  const command = await commandOf(task)
  expect(command).toMatchObject({ command: 'listProcesses', deviceId: 0, input: {} })
  agent.send({ kind: 'received', taskId: task.id })
  await expect.poll(() => stateOf(task.id)).toBe('received')
  agent.send({ kind: 'result', taskId: task.id, outcome: 'done', data: [{ pid: 1, name: 'init' }] })
  await agent.waitFor('resultAck', ack => ack.taskId === task.id)
  const ended = await taskOf(task.id)
  expect([ended.state, ended.rows]).toEqual(['done', '[{"pid":1,"name":"init"}]'])
})

it('RMT-1 a task that is answered at once was received, reported as such before or not', async () => {
  const task = await send({})
  await commandOf(task)
  agent.send({ kind: 'received', taskId: task.id })
  agent.send({ kind: 'result', taskId: task.id, outcome: 'done', data: [] })
  await agent.waitFor('resultAck', ack => ack.taskId === task.id)
  const { receiveTime, sendTime, endTime } = await taskOf(task.id)
  expect(defined(receiveTime) >= sendTime && defined(receiveTime) <= defined(endTime)).toBe(true)
  const late = await send({})
  await s.call(cancelRemoteTasks, { ids: [String(late.id)] }, me)
  expect((await taskOf(late.id)).receiveTime).toBeUndefined()
  await commandOf(late)
  agent.send({ kind: 'result', taskId: late.id, outcome: 'failed' })
})

it('DEV-1 what was cancelled, refused on site or never sent is no failure of its target', async () => {
  const own = await s.pairedGateway(me)
  const gatewayIds = [String(own.gateway.id)]
  await send({ gatewayIds })
  const ownAgent = await s.connect(own.identity, 1)
  const end = async (outcome: 'done' | 'failed', members: object = {}): Promise<void> => {
    const { id } = await send({ gatewayIds })
    await ownAgent.waitFor('command', command => command.taskId === id)
    ownAgent.send({ kind: 'result', taskId: id, outcome, ...members })
    await ownAgent.waitFor('resultAck', ack => ack.taskId === id)
  }
  const faults = async () =>
    (await s.call(listDeviceFaults, { gatewayId: gatewayIds, kind: ['command'] }, me)).rows.map(
      row => row.state,
    )
  await end('failed', { reason: '已取消' })
  await end('failed', { reason: '此机器不允许查看进程', isRefused: true })
  await end('failed', { reason: '此机器不允许查看进程', isRefused: true })
  await end('failed')
  await end('failed')
  expect(await faults()).toEqual([])
  await end('failed', { isRefused: true })
  await end('failed')
  expect(await faults()).toEqual(['open'])
  await end('done')
  expect(await faults()).toEqual(['recovered'])
  ownAgent.close()
})

it('RMT-1 a command carries the time of sending, by a monotonic clock, and its time limit', async () => {
  const { sentMs: welcomedMs = Number.NaN } = await agent.waitFor('welcome')
  s.turn(1000)
  const task = await send({})
  const { sentMs = Number.NaN, timeoutMs } = await commandOf(task)
  await agent.beatHeard()
  const { sentMs: answeredMs = Number.NaN } = defined(agent.of('beatAck').at(-1))
  expect(welcomedMs <= sentMs && sentMs <= answeredMs && answeredMs < welcomedMs + 600_000).toBe(true)
  expect(timeoutMs).toBeGreaterThan(55_000)
  agent.send({ kind: 'result', taskId: task.id, outcome: 'timedOut', isRefused: true, reason: expiredReason })
  await agent.waitFor('resultAck', ack => ack.taskId === task.id)
  expect(await taskOf(task.id)).toMatchObject({ state: 'timedOut', reason: '已过期未执行' })
})

it('RMT-1 numbers of one session may repeat; the server makes each unique', async () => {
  const [one, two] = [await send({ taskNo: '7' }), await send({ taskNo: '7' })]
  expect(one.taskNo).not.toBe(two.taskNo)
  for (const task of [one, two]) {
    await commandOf(task)
    agent.send({ kind: 'result', taskId: task.id, outcome: 'done' })
  }
})

it('a request that is sent again with its uuid is one task', async () => {
  const input = { gatewayIds: [String(site.gateway.id)], cmdType: 'listServices' } as const
  const clerk = { ...me, uuid: 'send-once' }
  const answers = await Promise.all([0, 1, 0].map(i => s.call(sendRemoteTask, input, clerk, i === 0 ? 0 : 1)))
  expect(new Set(answers.map(rows => rows[0]?.id)).size).toBe(1)
  const id = defined(answers[0]?.[0]).id
  await agent.waitFor('command', command => command.taskId === id)
  expect(agent.of('command').filter(command => command.taskId === id)).toHaveLength(1)
  agent.send({ kind: 'result', taskId: id, outcome: 'done', data: [] })
})

it('a command under way is sent again over the next connection, and its result counts once', async () => {
  const task = await send({})
  await commandOf(task)
  agent.close()
  await agent.closed
  agent = await s.connect(site.identity, 0)
  await commandOf(task)
  for (let i = 0; i < 3; i++) {
    agent.send({ kind: 'result', taskId: task.id, outcome: i ? 'failed' : 'done', output: `answer ${i}` })
  }
  await expect.poll(() => agent.of('resultAck').filter(ack => ack.taskId === task.id).length).toBe(3)
  const ended = await taskOf(task.id)
  expect([ended.state, ended.output]).toEqual(['done', 'answer 0'])
  agent.close()
  agent = await s.connect(site.identity, 1)
  await agent.beatHeard()
})

it('a result that nobody asked for, and one of another gateway’s task, change nothing', async () => {
  const task = await send({})
  const other = await s.pairedGateway(me)
  const stranger = await s.connect(other.identity, 1)
  stranger.send({ kind: 'result', taskId: task.id, outcome: 'done', output: 'stolen' })
  await stranger.waitFor('resultAck')
  stranger.send({ kind: 'result', taskId: asId(999_999), outcome: 'done' })
  await stranger.waitFor('resultAck', ack => ack.taskId === 999_999)
  expect(await stateOf(task.id)).toBe('sent')
  await commandOf(task)
  agent.send({ kind: 'result', taskId: task.id, outcome: 'done' })
  stranger.close()
})

it('RMT-1 what is not answered in a minute is timed out, by any process, also after all were down', async () => {
  const task = await send({})
  const received = await send({ cmdType: 'listServices' })
  await commandOf(received)
  agent.send({ kind: 'received', taskId: received.id })
  await expect.poll(() => stateOf(received.id)).toBe('received')
  s.turn(45_000)
  await s.runIntervals(0, 'remote-task-timeouts')
  expect(await stateOf(task.id)).toBe('sent')
  s.turn(3_600_000)
  await Promise.all([s.runIntervals(0, 'remote-task-timeouts'), s.runIntervals(1, 'remote-task-timeouts')])
  expect([(await taskOf(task.id)).reason, (await taskOf(received.id)).reason]).toEqual([
    '设备未响应',
    '设备已接收，未在规定时间内返回结果',
  ])
  // A result that comes too late is kept with the task, which stays timed out.
  agent.send({ kind: 'result', taskId: received.id, outcome: 'done' })
  await agent.waitFor('resultAck', ack => ack.taskId === received.id)
  expect(await taskOf(received.id)).toMatchObject({ state: 'timedOut', reason: '超时后返回：执行成功' })
  // It arrived too late and was not executed: the sender sees that.
  agent.send({
    kind: 'result',
    taskId: task.id,
    outcome: 'timedOut',
    isRefused: true,
    reason: expiredReason,
  })
  await agent.waitFor('resultAck', ack => ack.taskId === task.id)
  expect(await taskOf(task.id)).toMatchObject({ state: 'timedOut', reason: '已过期未执行' })
  await agent.beatHeard()
  await s.runIntervals(1, 'gateway-beats')
})

it('RMT-2 each command needs its own right, and a dangerous one a confirmation', async () => {
  const refused = await s.callRaw(
    sendRemoteTask,
    { gatewayIds: [String(site.gateway.id)], cmdType: 'runShell', cmdData: 'whoami' },
    me,
  )
  expect(refused).toMatchObject({ Code: resultCode.invalidInput, Message: '该指令需要再次确认后执行' })
  const engineer = await s.signIn(golden.first.ofRole('auditor'))
  const forbidden = await s.callRaw(
    sendRemoteTask,
    { gatewayIds: [String(site.gateway.id)], cmdType: 'restartMachine', confirm: true },
    engineer,
  )
  expect(forbidden.Code).toBe(resultCode.forbidden)
})

it('RMT-2 a machine that allows no commands reports it; its whole output is audited', async () => {
  const task = await send({ cmdType: 'runShell', cmdData: 'whoami', confirm: true })
  expect((await commandOf(task)).input).toEqual({ commandLine: 'whoami' })
  agent.send({ kind: 'result', taskId: task.id, outcome: 'failed', reason: '此机器不允许执行命令' })
  await agent.waitFor('resultAck', ack => ack.taskId === task.id)
  expect(await taskOf(task.id)).toMatchObject({ state: 'failed', reason: '此机器不允许执行命令' })
  const second = await send({ cmdType: 'runShell', cmdData: 'cat log', confirm: true })
  await commandOf(second)
  const output = '日志\n'.repeat(20_000)
  agent.send({ kind: 'result', taskId: second.id, outcome: 'done', output })
  await agent.waitFor('resultAck', ack => ack.taskId === second.id)
  const page = await s.call(listCommandAudit, { projectCode: me.projectCode }, me)
  expect(defined(page.rows.find(row => row.id === second.id)).output).toBe(output.trim())
  const [kept] = await s.app.database.reader(s.ownerId).rows<{ output: string }>(sql`
    select after ->> 'output' as output
    from audit_log
    where owner_id = ${s.ownerId} and entity = 'remoteTask' and entity_id = ${second.id} and action = 'state'
  `)
  expect(defined(kept).output).toBe(output)
})

it('an output that is too long is cut, with a note', async () => {
  const task = await send({ cmdType: 'runShell', cmdData: 'yes', confirm: true })
  await commandOf(task)
  agent.send({ kind: 'result', taskId: task.id, outcome: 'done', output: '数'.repeat(100_000) })
  await agent.waitFor('resultAck', ack => ack.taskId === task.id)
  const { output = '' } = await taskOf(task.id)
  expect(Buffer.byteLength(output)).toBeLessThan(256_100)
  expect(output).toMatch(/^数+\n……输出过长，省略中间部分……\n数+$/)
})

it('RMT-3 the result of another operator’s task is not shown to somebody who may only send', async () => {
  const task = await send({})
  await commandOf(task)
  agent.send({ kind: 'result', taskId: task.id, outcome: 'done', output: 'secret' })
  await agent.waitFor('resultAck', ack => ack.taskId === task.id)
  const manager = await s.signIn(golden.first.ofRole('manager'))
  const envelope = await s.callRaw(getRemoteTask, { id: task.id }, manager)
  expect(JSON.stringify(envelope)).not.toContain('secret')
})

it('a task that was started on site is cancelled there, and its outcome is reported', async () => {
  const task = await send({})
  await commandOf(task)
  await s.call(cancelRemoteTasks, { ids: [String(task.id)] }, me)
  await agent.waitFor('cancel', cancel => cancel.taskId === task.id)
  agent.send({ kind: 'result', taskId: task.id, outcome: 'failed', reason: '已取消' })
  await agent.waitFor('resultAck', ack => ack.taskId === task.id)
  expect(await taskOf(task.id)).toMatchObject({ state: 'failed', reason: '已取消' })
  expect((await s.callRaw(cancelRemoteTasks, { ids: ['987654321'] }, me)).Code).toBe(10004)
  const again = await s.callRaw(cancelRemoteTasks, { ids: [String(task.id)] }, me)
  expect(again.Message).toBe('任务已结束')
})

it('of other operators only a gateway manager cancels a task, and the sender sees who did', async () => {
  const task = await send({})
  await commandOf(task)
  const ids = [String(task.id)]
  const engineerLogin = golden.first.ofRole('engineer')
  const { rows } = await s.call(listManagers, { keyword: engineerLogin }, me)
  await s.call(saveDataDomain, { managerId: defined(rows[0]).id, allProject: true }, me)
  const engineer = await s.signIn(engineerLogin)
  const refused = await s.callRaw(cancelRemoteTasks, { ids }, engineer)
  expect(refused.Message).toBe('只有下发人或网关管理人员可以取消该任务')
  await s.call(cancelRemoteTasks, { ids }, await s.signIn(golden.first.ofRole('manager')))
  await agent.waitFor('cancel', cancel => cancel.taskId === task.id)
  agent.send({ kind: 'result', taskId: task.id, outcome: 'failed', reason: '已取消' })
  await agent.waitFor('resultAck', ack => ack.taskId === task.id)
  expect((await taskOf(task.id)).reason).toMatch(/^已取消（.+）$/)
})

it('several targets are several tasks; an offline target fails at once and gets nothing later', async () => {
  const offline = await s.pairedGateway(me)
  const rows = await s.call(
    sendRemoteTask,
    { gatewayIds: [String(site.gateway.id), String(offline.gateway.id)], cmdType: 'listServices' },
    me,
  )
  expect(rows.map(row => [row.state, row.reason ?? ''])).toEqual([
    ['sent', ''],
    ['failed', '网关离线，未下发'],
  ])
  const late = await s.connect(offline.identity, 0)
  await late.waitFor('welcome')
  await new Promise(resolve => setTimeout(resolve, 300))
  expect(late.of('command')).toEqual([])
  late.close()
  const first = defined(rows[0])
  await commandOf(first)
  agent.send({ kind: 'result', taskId: first.id, outcome: 'done', data: [] })
})

it('a gateway or device of another company is not found, one of another project is refused', async () => {
  const stranger = await s.signIn(golden.second.owner)
  const input = { gatewayIds: [String(site.gateway.id)], cmdType: 'listProcesses' } as const
  expect((await s.callRaw(sendRemoteTask, input, stranger)).Code).toBe(resultCode.notFound)
  const device = await s.addDevice(me, site.gateway, await s.addModel(me))
  const toDevice = { deviceIds: [String(device.id)], cmdType: 'device', cmdData: 'open' } as const
  expect((await s.callRaw(sendRemoteTask, toDevice, stranger)).Code).toBe(resultCode.notFound)
  const byNo = { devNos: [device.devNo ?? ''], cmdType: 'device', cmdData: 'open' } as const
  expect((await s.callRaw(sendRemoteTask, byNo, stranger)).Message).toBe('设备不存在，请重新选择')
})

it('a device’s command goes to its gateway with the device’s number', async () => {
  const device = await s.addDevice(me, site.gateway, await s.addModel(me))
  const config = await agent.waitFor('devices', message =>
    message.devices.some(each => each.id === device.id),
  )
  expect(config.devices.find(each => each.id === device.id)).toMatchObject({
    driver: 'simulator',
    devNo: device.devNo,
  })
  const task = await send({
    gatewayIds: [],
    deviceIds: [String(device.id)],
    cmdType: 'device',
    cmdData: '{"action":"open","data":{"seconds":5}}',
  })
  expect(await commandOf(task)).toMatchObject({
    command: 'device',
    deviceId: device.id,
    input: { action: 'open', data: { seconds: 5 } },
  })
  agent.send({ kind: 'result', taskId: task.id, outcome: 'done', data: { opened: true } })
  await agent.waitFor('resultAck', ack => ack.taskId === task.id)
  const wrong = {
    deviceIds: [String(device.id)],
    cmdType: 'device',
    cmdData: '{"action":"open","data":{"seconds":"long"}}',
  } as const
  expect((await s.callRaw(sendRemoteTask, wrong, me)).Message).toBe('保持开启应为整数')
})

it.each([
  ['timedOut', '执行超时（59 秒），已停止'],
  ['failed', '执行超时（59 秒），已停止'],
] as const)('RMT-1 what the site stopped at its time limit is 超时, sent as %s', async (outcome, reason) => {
  const task = await send({})
  await commandOf(task)
  agent.send({ kind: 'result', taskId: task.id, outcome, reason })
  await agent.waitFor('resultAck', ack => ack.taskId === task.id)
  expect(await taskOf(task.id)).toMatchObject({ state: 'timedOut', reason })
  // The server gives up at the same moment: the second to say so adds nothing.
  agent.send({ kind: 'result', taskId: task.id, outcome, reason })
  await agent.waitFor('resultAck', ack => ack.taskId === task.id && agent.of('resultAck').at(-1) === ack)
  expect(await taskOf(task.id)).toMatchObject({ state: 'timedOut', reason })
})

it('lists are filtered by command, state and gateway; who may run what is listed', async () => {
  const page = await s.call(
    listRemoteTasks,
    {
      cmdType: ['runShell'],
      state: ['done'],
      gatewayId: [String(site.gateway.id)],
      projectCode: me.projectCode,
    },
    me,
  )
  expect(page.total).toBe(2)
  const holders = await s.call(listCommandHolders, undefined, me)
  const owner = defined(holders.find(holder => holder.isOwner))
  expect(owner.commands).toEqual(expect.arrayContaining(['send', 'runShell']))
})

it('revoking a gateway ends what is under way', async () => {
  const other = await s.pairedGateway(me)
  const own = await s.connect(other.identity, 1)
  const task = await send({ gatewayIds: [String(other.gateway.id)] })
  await own.waitFor('command')
  await s.call(revokeGateway, { id: other.gateway.id, reason: '更换电脑' }, me)
  expect(await taskOf(task.id)).toMatchObject({ state: 'failed', reason: '网关已吊销' })
  const later = await send({ gatewayIds: [String(other.gateway.id)] })
  expect(await taskOf(later.id)).toMatchObject({ state: 'failed', reason: '网关已吊销，未下发' })
})
