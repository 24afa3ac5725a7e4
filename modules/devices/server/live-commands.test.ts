import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { objectOf, textOf } from '#kit/contract/fixtures.ts'
import { defined } from '#kit/domain/defined.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { golden } from '#db/golden/golden-data.ts'
import { getRemoteTask, sendRemoteTask } from '../contract/remote-task.ts'
import { DeviceServers, type Clerk, type PairedGateway } from './device-servers.fixtures.ts'
import type { AgentClient } from './fixtures/agent-client.ts'

interface LiveMessage {
  readonly kind: string
  readonly data: Readonly<Record<string, unknown>>
}

/** A browser's live connection. */
class Browser {
  readonly heard: LiveMessage[] = []
  readonly #socket: WebSocket

  constructor(origin: string) {
    this.#socket = new WebSocket(`${origin.replace(/^http/, 'ws')}/api/live`)
    this.#socket.addEventListener('message', event => {
      const { kind, data } = objectOf(JSON.parse(String(event.data)))
      this.heard.push({ kind: textOf(kind), data: data === undefined ? {} : objectOf(data) })
    })
  }

  static async open(origin: string, token: string): Promise<Browser> {
    const browser = new Browser(origin)
    await new Promise(resolve => browser.#socket.addEventListener('open', resolve, { once: true }))
    browser.say({ token })
    await browser.hear('ready')
    return browser
  }

  say(message: object): void {
    this.#socket.send(JSON.stringify(message))
  }

  of(kind: string): LiveMessage[] {
    return this.heard.filter(message => message.kind === kind)
  }

  async hear(
    kind: string,
    fits: (data: LiveMessage['data']) => boolean = () => true,
  ): Promise<LiveMessage['data']> {
    const deadline = performance.now() + 5000
    while (!this.of(kind).some(message => fits(message.data))) {
      if (performance.now() > deadline) throw new Error(`no ${kind} heard`)
      await pause(10)
    }
    return defined(this.of(kind).find(message => fits(message.data))).data
  }

  close(): void {
    this.#socket.close()
  }
}

let s: DeviceServers
let me: Clerk
let site: PairedGateway
let agent: AgentClient
let ownBrowser: Browser
let others: Browser

beforeAll(async () => {
  s = await DeviceServers.open()
  me = await s.signIn()
  site = await s.pairedGateway(me)
  // The agent is connected to one process, the browsers to the other.
  agent = await s.connect(site.identity, 1)
  ownBrowser = await Browser.open(s.origin(0), me.token)
  others = await Browser.open(s.origin(0), (await s.signIn(golden.first.ofRole('manager'))).token)
})

afterAll(() => s?.close())

const toGateway = (): object => ({ devid: site.gateway.id, devtype: 'gateway', devno: site.gateway.gateNo })

const answer = async (task: Id, result: object): Promise<void> => {
  await agent.waitFor('command', command => command.taskId === task)
  agent.sendText(JSON.stringify({ kind: 'result', taskId: task, outcome: 'done', ...result }))
}

const taskIdOf = (envelope: LiveMessage['data']): Id => {
  const rows = envelope.Data
  const [first] = Array.isArray(rows) ? rows : []
  return parseId(objectOf(first).ID)
}

it('0§7 a command in the specified message is answered with TASK_RESULT to its sender alone (RMT-3)', async () => {
  ownBrowser.say({
    ...toGateway(),
    hostno: '',
    operation: 'TASK',
    cmdtype: 2072,
    cmddata: '',
    taskNo: '1001',
    identity: '',
  })
  const accepted = await ownBrowser.hear('TASK', data => data.taskNo === '1001')
  expect(accepted).toMatchObject({ Code: 10000, cmdtype: 2072 })
  await answer(taskIdOf(accepted), { data: [{ pid: 7, name: 'java' }] })
  expect(await ownBrowser.hear('TASK_RESULT', data => data.taskNo === '1001')).toMatchObject({
    operation: 'TASK_RESULT',
    cmdtype: 2072,
    cmddata: '[{"pid":7,"name":"java"}]',
    devid: site.gateway.id,
    devtype: 'gateway',
    state: 30,
    message: '任务执行成功',
  })
  expect(others.of('TASK_RESULT')).toEqual([])
})

it('0§4 the text of 2095 comes as 2080 in base64, however long it is', async () => {
  ownBrowser.say({ ...toGateway(), cmdtype: '2095', cmddata: 'dir', taskNo: '1002', confirm: true })
  const accepted = await ownBrowser.hear('TASK', data => data.taskNo === '1002')
  const output = '目录\n'.repeat(15_000)
  await answer(taskIdOf(accepted), { output })
  const result = await ownBrowser.hear('TASK_RESULT', data => data.taskNo === '1002')
  expect(result.cmdtype).toBe(2080)
  expect(Buffer.from(textOf(result.cmddata), 'base64').toString('utf8')).toBe(output)
})

it('RMT-2 without the second word it is refused with a message, on the same connection', async () => {
  ownBrowser.say({ ...toGateway(), cmdtype: 2076, taskNo: '1003' })
  expect(await ownBrowser.hear('TASK', data => data.taskNo === '1003')).toMatchObject({
    Code: 10001,
    Message: '该指令需要再次确认后执行',
  })
  ownBrowser.say({ ...toGateway(), cmdtype: 4711, taskNo: '1004' })
  expect(await ownBrowser.hear('TASK', data => data.taskNo === '1004')).toMatchObject({ Code: 10001 })
})

it('the same number in the same session is the same task', async () => {
  const message = { ...toGateway(), cmdtype: 2073, cmddata: '', taskNo: '1005' }
  ownBrowser.say(message)
  ownBrowser.say(message)
  await expect.poll(() => ownBrowser.of('TASK').filter(each => each.data.taskNo === '1005').length).toBe(2)
  const ids = ownBrowser
    .of('TASK')
    .filter(each => each.data.taskNo === '1005')
    .map(each => taskIdOf(each.data))
  expect(new Set(ids).size).toBe(1)
  await answer(defined(ids[0]), { data: [] })
})

it('RMT-1 what is not sent, and what is sent again after its end, is answered with TASK_RESULT', async () => {
  const { id, gateNo } = await s.addGateway(me)
  ownBrowser.say({ devid: id, devno: gateNo, devtype: 'gateway', cmdtype: 2073, cmddata: '', taskNo: '1020' })
  expect(await ownBrowser.hear('TASK_RESULT', data => data.taskNo === '1020')).toMatchObject({
    state: 40,
    message: expect.stringContaining('网关未配对，未下发'),
  })
  const message = { ...toGateway(), cmdtype: 2073, cmddata: '', taskNo: '1021' }
  const results = () => ownBrowser.of('TASK_RESULT').filter(each => each.data.taskNo === '1021')
  ownBrowser.say(message)
  await answer(taskIdOf(await ownBrowser.hear('TASK', data => data.taskNo === '1021')), { data: [] })
  await expect.poll(() => results().length).toBe(1)
  ownBrowser.say(message)
  await expect.poll(() => results().length).toBe(2)
  expect(defined(results()[1]).data).toEqual(defined(results()[0]).data)
})

it('RMT-4 a push without a folder is refused before anything is sent', async () => {
  const { link } = await addFile('nowhere.txt', 0)
  const cmddata = Buffer.from(`file|${link}|nowhere.txt| `).toString('base64')
  ownBrowser.say({ ...toGateway(), cmdtype: 'PUSHFILE', cmddata, taskNo: '1022' })
  const refused = await ownBrowser.hear('TASK', data => data.taskNo === '1022')
  expect(refused.Code).toBe(10001)
  expect(JSON.stringify(refused)).toContain('请选择目标目录')
})

/** A file of the project, as the file manager links it. */
async function addFile(name: string, type: number): Promise<{ id: Id; link: string; sha256: string }> {
  const bytes = Buffer.from(`content of ${name}`)
  const { files, database } = s.app
  const key = await files.save(s.ownerId, 0, { name, type: 'application/octet-stream', bytes })
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return database.tx(s.ownerId, async tx => {
    const dir = await tx.one<{ id: Id }>(sql`
      insert into file_dir (owner_id, project_code, name, sort_name, name_key, directory_type)
      values (${s.ownerId}, 'GOLD0001', ${name}, ${name}, ${name}, ${type})
      returning id
    `)
    const file = await tx.one<{ id: Id }>(sql`
      insert into file_info (owner_id, project_code, dir_id, name, sort_name, name_key, file_key, file_size, sha256)
      values (${s.ownerId}, 'GOLD0001', ${defined(dir).id}, ${name}, ${name}, ${name}, ${key}, ${bytes.length}, ${sha256})
      returning id
    `)
    return { id: defined(file).id, link: files.signedUrl(s.ownerId, key), sha256 }
  })
}

it('RMT-4 PUSHFILE sends a stored file by a link that opens, with its size and hash', async () => {
  const file = await addFile('v2.kernel', 20)
  const payload = Buffer.from(`kernel|${file.link}|v2.kernel|/opt/kernel`).toString('base64')
  ownBrowser.say({ ...toGateway(), cmdtype: 'PUSHFILE', cmddata: payload, taskNo: '1006' })
  const task = taskIdOf(await ownBrowser.hear('TASK', data => data.taskNo === '1006'))
  const command = await agent.waitFor('command', each => each.taskId === task)
  expect(command).toMatchObject({
    command: 'pushFile',
    input: { action: 'kernel', name: 'v2.kernel', sha256: file.sha256, directory: '/opt/kernel' },
  })
  expect(command.timeoutMs).toBeGreaterThan(29 * 60_000)
  const response = await fetch(`${s.origin(1)}${textOf(command.input.link)}`, {
    headers: { range: 'bytes=0-6' },
  })
  expect([response.status, await response.text()]).toEqual([206, 'content'])
  agent.send({ kind: 'progress', taskId: task, done: 5, total: 10 })
  expect(await ownBrowser.hear('TASK_PROGRESS')).toMatchObject({ taskNo: '1006', done: 5, total: 10 })
  await answer(task, {})
  expect(await ownBrowser.hear('TASK_RESULT', data => data.taskNo === '1006')).toMatchObject({
    cmdtype: 2096,
    state: 30,
  })
})

it('RMT-4 a way of pushing that is none is refused as that', async () => {
  const payload = Buffer.from('firmware|/api/file/open?ID=1|v2.kernel|/opt').toString('base64')
  ownBrowser.say({ ...toGateway(), cmdtype: 'PUSHFILE', cmddata: payload, taskNo: '1007' })
  const refused = await ownBrowser.hear('TASK', data => data.taskNo === '1007')
  expect(JSON.stringify(refused)).not.toContain('请选择要推送的文件')
  expect(JSON.stringify(refused)).toMatch(/Action|推送/)
})

it('RMT-4 a kernel only from a kernel folder, a package only as zip, nothing from outside', async () => {
  const plain = await addFile('plain.kernel', 0)
  const kernel = await addFile('v3.kernel', 20)
  const push = (fileId: Id, action: 'file' | 'kernel' | 'package') =>
    s.callRaw(
      sendRemoteTask,
      { gatewayIds: [String(site.gateway.id)], cmdType: 'pushFile', fileId, action, directory: '/opt' },
      me,
    )
  expect((await push(plain.id, 'kernel')).Message).toBe('推送内核须选择内核目录中名称含 .kernel 的文件')
  expect((await push(plain.id, 'package')).Message).toBe('推送接口包须选择名称含 .zip 的文件')
  expect((await push((await addFile('x.kernel.zip', 20)).id, 'kernel')).Code).toBe(10000)
  expect((await push(kernel.id, 'file')).Message).toMatch(/^内核目录中的文件/)
  const payload = Buffer.from('file|https://example.com/x?Key=1|x|/tmp').toString('base64')
  ownBrowser.say({ ...toGateway(), cmdtype: 2096, cmddata: payload, taskNo: '1007' })
  expect(await ownBrowser.hear('TASK', data => data.taskNo === '1007')).toMatchObject({ Code: 10001 })
  const stranger = await s.signIn(golden.second.owner)
  const foreign = await s.callRaw(
    sendRemoteTask,
    { gatewayIds: [String(site.gateway.id)], cmdType: 'pushFile', fileId: kernel.id },
    stranger,
  )
  expect(foreign.Code).toBe(10004)
})

it('RMT-1 a number that comes again with another command is made unique', async () => {
  ownBrowser.say({ ...toGateway(), cmdtype: 2073, cmddata: '', taskNo: '1010' })
  const first = taskIdOf(await ownBrowser.hear('TASK', data => data.taskNo === '1010'))
  ownBrowser.say({ ...toGateway(), cmdtype: 2072, cmddata: '', taskNo: '1010' })
  const second = await ownBrowser.hear('TASK', data => data.taskNo === '1010' && data.cmdtype === 2072)
  expect(second).toMatchObject({ Code: 10000 })
  const tasks = await Promise.all([first, taskIdOf(second)].map(id => s.call(getRemoteTask, { id }, me)))
  expect(new Set(tasks.map(task => task.taskNo)).size).toBe(2)
  expect(tasks.map(task => task.taskNo.startsWith('1010-'))).toEqual([true, true])
})

it('FILE-2 RMT-4 PUSHFILE keeps the name that it gives, where a file may be called so', async () => {
  const { link } = await addFile('plan.txt', 0)
  const push = async (name: string, taskNo: string) => {
    const cmddata = Buffer.from(`file|${link}|${name}|/opt`).toString('base64')
    ownBrowser.say({ ...toGateway(), cmdtype: 'PUSHFILE', cmddata, taskNo })
    return ownBrowser.hear('TASK', data => data.taskNo === taskNo)
  }
  const task = taskIdOf(await push('计划 2.txt', '1011'))
  const command = await agent.waitFor('command', each => each.taskId === task)
  expect(command.input).toMatchObject({ name: '计划 2.txt', directory: '/opt' })
  expect(await push('../plan.txt', '1012')).toMatchObject({ Code: 10001 })
  expect(await push('a:b', '1013')).toMatchObject({ Code: 10001 })
})

it('RMT-4 a link that this server has not signed for the company pushes nothing', async () => {
  const { link } = await addFile('signed.txt', 0)
  const { until, signature } = s.app.files.sign(`file ${s.ownerId} 1 1 download`)
  const links = [
    link.replace(/Sign=./, 'Sign=_'),
    link.replace('/api', 'https://example.com/api'),
    link.replace('/api', '//example.com/api'),
    link.replace(/Owner=\d+/, `Owner=${s.ownerId + 1}`),
    link.replace(/Until=\d+/, 'Until=1'),
    `/api/other?${link.split('?')[1]}`,
    `/api/file/open?ID=2&Owner=${s.ownerId}&Operator=1&Mode=download&Until=${until}&Sign=${signature}`,
  ]
  const answers = await Promise.all(
    links.map(each =>
      s.callRaw(
        sendRemoteTask,
        { gatewayIds: [String(site.gateway.id)], cmdType: 'pushFile', link: each },
        me,
      ),
    ),
  )
  expect(answers.map(each => each.Message)).toEqual(
    links.map(() => '文件链接无效或已过期，请刷新页面后重新选择文件'),
  )
})

it('a browser that floods is cut off', async () => {
  const flood = await Browser.open(s.origin(0), me.token)
  for (let i = 0; i < 200; i++) {
    flood.say({ ...toGateway(), cmdtype: 2072, taskNo: `f${i}` })
  }
  await expect.poll(() => flood.of('TASK').length, { timeout: 3000 }).toBeLessThan(200)
  flood.close()
})
