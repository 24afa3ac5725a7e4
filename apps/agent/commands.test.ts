import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { maxOutputBytes } from '#modules/devices/contract/agent-protocol.ts'
import { cleanUp, connectAgent, isAlive, makeFolder, type AgentProcess } from './fixtures/agent-process.ts'
import { ProtocolServer } from './fixtures/protocol-server.ts'
import { agentCommands } from './local-permissions.ts'

// Real processes, on machines that may be busy.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

let server: ProtocolServer
let agent: AgentProcess
let files: string
let lastTaskId = 100

const run = (
  command: string,
  input: object = {},
  overrides: { timeoutMs?: number; deviceId?: number } = {},
) => server.run(++lastTaskId, command, input, overrides)

/** Allows everything on this folder. */
const allow = (...folders: string[]): void =>
  agent.writeList({ commands: agentCommands, folders, bufferMegabytes: 16 })

/** Stands in for systemctl, as a program on the path that writes what it was asked. */
const fakeSystemctl = `#!/bin/sh
echo "$@" >> "$(dirname "$0")/asked"
case "$1" in
  list-units)
    echo 'nginx.service loaded active running A web server'
    echo 'cups.service loaded inactive dead Printers'
    echo 'meter.service loaded failed failed Meters' ;;
  stop) echo 'Failed to stop: Access denied' >&2; exit 4 ;;
  reboot) exit 0 ;;
esac
`
let programs: string

beforeAll(async () => {
  server = await new ProtocolServer().listen()
  programs = makeFolder()
  writeFileSync(join(programs, 'systemctl'), fakeSystemctl, { mode: 0o755 })
  agent = await connectAgent(server, { env: { PATH: `${programs}:${process.env.PATH}` } })
  files = join(agent.dataDir, 'files')
})
afterAll(async () => {
  await cleanUp()
  await server.close()
})

const asked = (): string[] => readFileSync(join(programs, 'asked'), 'utf8').trim().split('\n')

it('a machine that allows no shell says so, and what to do', async () => {
  const refused = await run('runShell', { commandLine: 'echo hello' })
  expect(refused.outcome).toBe('failed')
  expect(refused.reason).toContain('此机器不允许执行命令')
  expect(refused.reason).toContain('--allow-shell')
})

it('a change of the local list counts from the next command on, and a broken one allows nothing', async () => {
  allow(files)
  // Programs of older systems write GBK.
  expect(await run('runShell', { commandLine: String.raw`printf '\262\342\312\324'` })).toMatchObject({
    output: '测试',
  })
  expect(await run('runShell', { commandLine: 'echo hello; echo there >&2' })).toMatchObject({
    outcome: 'done',
    output: 'hello\nthere\n',
  })
  agent.writeList({ commands: ['listProcesses'], folders: [files] })
  expect((await run('killProcess', { pid: 4_000_000 })).reason).toContain('此机器不允许结束进程')
  writeFileSync(join(agent.dataDir, 'agent.json'), '{ "commands": ')
  const broken = await run('listProcesses')
  expect(broken.outcome).toBe('failed')
  expect(broken.reason).toContain('agent.json')
  allow(files)
})

it('processes are listed with their owner, memory and start, and ended', async () => {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' })
  const ended = new Promise(resolve => child.on('exit', resolve))
  const listed = await run('listProcesses')
  const rows: { pid: number; name: string; startedAt: string; memoryBytes: number; user: string }[] =
    JSON.parse(JSON.stringify(listed.data))
  const row = rows.find(({ pid }) => pid === child.pid)
  expect(row).toMatchObject({ name: 'sleep 600' })
  expect(row?.user).not.toBe('')
  expect(row?.memoryBytes).toBeGreaterThan(0)
  expect(Math.abs(Date.parse(row?.startedAt ?? '') - Date.now())).toBeLessThan(60_000)
  const other = await run('killProcess', { pid: child.pid, startedAt: '2020-01-01T00:00:00.000Z' })
  expect(other.reason).toContain('已变化')
  expect(isAlive(child.pid ?? 0)).toBe(true)
  expect(await run('killProcess', { pid: child.pid, startedAt: row?.startedAt })).toMatchObject({
    outcome: 'done',
  })
  await ended
  expect((await run('killProcess', { pid: child.pid })).reason).toContain('不存在')
  expect((await run('killProcess', { pid: 99_999_999_999 })).reason).toContain('不存在')
  expect((await run('killProcess', { pid: agent.programPid() })).reason).toContain('不能结束')
  expect((await run('killProcess', { pid: 1 })).reason).toContain('不能结束')
})

it('services are listed and controlled through systemctl; what it refuses is reported', async () => {
  expect((await run('listServices')).data).toEqual([
    { name: 'nginx', title: 'A web server', state: 'running' },
    { name: 'cups', title: 'Printers', state: 'stopped' },
    { name: 'meter', title: 'Meters', state: 'failed' },
  ])
  expect((await run('restartService', { name: 'nginx' })).outcome).toBe('done')
  expect(asked().at(-1)).toBe('restart -- nginx.service')
  expect(await run('stopService', { name: 'nginx' })).toMatchObject({
    outcome: 'failed',
    reason: 'Failed to stop: Access denied',
  })
  for (const name of ['--now', 'a;b', 'a\0b', '', 'a/b']) {
    expect((await run('startService', { name })).outcome).toBe('failed')
  }
  expect(asked().filter(line => line.startsWith('start'))).toEqual([])
})

it('a machine that does not restart after its restart was accepted is reported', async () => {
  const result = await run('restartMachine', {}, { timeoutMs: 1000 })
  expect(asked().at(-1)).toBe('reboot')
  expect(result.outcome).toBe('timedOut')
})

it('folders are listed, folders first; an empty path lists what is allowed', async () => {
  mkdirSync(join(files, '甲'))
  for (const name of ['b10.txt', 'b2.txt']) {
    writeFileSync(join(files, name), 'twelve bytes')
  }
  expect((await run('listDirectory', { path: '' })).data).toMatchObject([{ name: files, type: 'drive' }])
  expect((await run('listDirectory', { path: files })).data).toMatchObject([
    { name: '甲', type: 'folder' },
    { name: 'b2.txt', type: 'file', size: 12 },
    { name: 'b10.txt', type: 'file' },
  ])
  expect((await run('listDirectory', { path: join(files, '甲') })).data).toEqual([])
  expect((await run('listDirectory', { path: join(files, 'none') })).reason).toContain('不存在')
})

it('DEV-1 what is not there, not allowed or not to be had as asked is an answer, no failure', async () => {
  const script = join(files, 'fails.sh')
  writeFileSync(script, '#!/bin/sh\nexit 3\n', { mode: 0o755 })
  const answers: readonly (readonly [string, object])[] = [
    ['listDirectory', { path: join(files, 'mistyped') }],
    ['listDirectory', { path: 'mistyped' }],
    ['listDirectory', { path: script }],
    ['listDirectory', { path: '/etc' }],
    ['deleteFile', { path: join(files, 'mistyped') }],
    ['runFile', { path: join(files, 'mistyped') }],
    ['runFile', { path: script }],
    ['runShell', { commandLine: 'exit 3' }],
    ['runShell', { commandLine: ' ' }],
    ['killProcess', { pid: 4_000_000 }],
    ['killProcess', { pid: 'all' }],
    ['stopService', { name: 'nginx' }],
    ['startService', { name: 'a;b' }],
    ['formatDisk', {}],
    ['device', { action: 'open' }],
  ]
  for (const [command, input] of answers) {
    expect(await run(command, input), command).toMatchObject({ outcome: 'failed', isRefused: true })
  }
  const late = await run('runShell', { commandLine: 'sleep 9' }, { timeoutMs: 300 })
  expect([late.outcome, late.isRefused]).toEqual(['timedOut', undefined])
})

it('a folder of 20,000 entries is listed as far as a message goes, and says so', async () => {
  const many = join(files, 'many')
  mkdirSync(many)
  // In steps: the server of this process has to answer in between.
  for (let i = 0; i < 20_000; i += 500) {
    const names = Array.from({ length: 500 }, (_, k) => `a file with a rather long name ${i + k}`)
    await Promise.all(names.map(name => writeFile(join(many, name), '')))
  }
  const listed = await run('listDirectory', { path: many })
  expect(listed.outcome).toBe('done')
  expect(listed.output).toMatch(/共 20000 项，只返回前 \d+ 项/)
  expect(server.isConnected).toBe(true)
})

it('files run with their arguments; without the right to run, and when they fail, it is reported', async () => {
  const script = join(files, 'run.sh')
  writeFileSync(script, '#!/bin/sh\necho "got $1 and $2"\nexit $3\n')
  expect((await run('runFile', { path: script })).reason).toContain('无执行权限')
  chmodSync(script, 0o755)
  expect(await run('runFile', { path: script, arguments: ['$(id)', 'a b', '0'] })).toMatchObject({
    outcome: 'done',
    output: 'got $(id) and a b\n',
  })
  expect(await run('runFile', { path: script, arguments: ['1', '2', '7'] })).toMatchObject({
    outcome: 'failed',
    output: 'got 1 and 2\n',
    reason: expect.stringContaining('7'),
  })
})

it('files are deleted; folders are not', async () => {
  const file = join(files, 'b2.txt')
  expect((await run('deleteFile', { path: file })).outcome).toBe('done')
  expect(existsSync(file)).toBe(false)
  expect((await run('deleteFile', { path: file })).reason).toContain('不存在')
  expect((await run('deleteFile', { path: join(files, '甲') })).reason).toContain('是文件夹')
  expect((await run('deleteFile', { path: files })).reason).toContain('允许的文件夹本身')
})

it('no path leads out of the allowed folders: not by dots, not by links, not into the agent itself', async () => {
  const outside = join(makeFolder(), 'secret')
  writeFileSync(outside, 'secret', { mode: 0o755 })
  symlinkSync(outside, join(files, 'link'))
  symlinkSync(join(outside, '..'), join(files, 'folder-link'))
  const hostile = [
    outside,
    `${files}/../identity.json`,
    join(files, 'link'),
    join(files, 'folder-link/secret'),
    join(agent.dataDir, 'agent.json'),
    'relative',
    `${files}/a\0b`,
    '/etc/passwd',
    '/'.repeat(5000),
  ]
  for (const path of hostile) {
    expect((await run('runFile', { path })).outcome, path).toBe('failed')
    expect((await run('listDirectory', { path })).outcome, path).toBe('failed')
  }
  // A link of its own may be deleted; what it leads to stays.
  expect((await run('deleteFile', { path: join(files, 'folder-link/secret') })).reason).toContain(
    '不在此机器允许',
  )
  expect((await run('deleteFile', { path: join(files, 'link') })).outcome).toBe('done')
  expect(readFileSync(outside, 'utf8')).toBe('secret')
  // However wide the list is, the agent's own files are closed.
  allow('/')
  expect((await run('deleteFile', { path: join(agent.dataDir, 'agent.json') })).reason).toContain(
    '网关程序自己的',
  )
  expect((await run('listDirectory', { path: agent.dataDir })).reason).toContain('网关程序自己的')
  expect((await run('listDirectory', { path: join(outside, '..') })).outcome).toBe('done')
  allow(files)
})

it('at the time-out and at a cancellation the program is ended with all that it started', async () => {
  const pidFile = join(files, 'pids')
  const line = `sleep 600 & echo $! > ${pidFile}; echo begun; sleep 600`
  const late = await run('runShell', { commandLine: line }, { timeoutMs: 1200 })
  expect(late).toMatchObject({ outcome: 'timedOut', output: 'begun\n', reason: '执行超时（1 秒），已停止' })
  expect(isAlive(Number(readFileSync(pidFile, 'utf8')))).toBe(false)

  const stubborn = `trap '' TERM; echo $$ > ${pidFile}.2; while :; do sleep 1; done`
  server.command(++lastTaskId, 'runShell', { commandLine: stubborn })
  await server.until(
    () => existsSync(`${pidFile}.2`) && readFileSync(`${pidFile}.2`, 'utf8') !== '',
    'a start',
  )
  server.sendRaw(JSON.stringify({ kind: 'cancel', taskId: lastTaskId }))
  expect(await server.result(lastTaskId)).toMatchObject({ outcome: 'failed', reason: '已取消' })
  expect(isAlive(Number(readFileSync(`${pidFile}.2`, 'utf8')))).toBe(false)
})

it('what a command leaves behind ends with the command', async () => {
  const pidFile = join(files, 'left')
  const left = await run('runShell', { commandLine: `sleep 300 & echo $! > ${pidFile}; echo bg` })
  expect(left).toMatchObject({ outcome: 'done', output: 'bg\n' })
  await server.until(() => !isAlive(Number(readFileSync(pidFile, 'utf8'))), 'its end')
  // Neither a session of its own nor a closed output lets it stay.
  const line = `(setsid sh -c 'echo $$ > ${pidFile}.2; exec sleep 300' >/dev/null 2>&1 &); sleep 0.3; echo ok`
  expect(await run('runShell', { commandLine: line })).toMatchObject({ outcome: 'done', output: 'ok\n' })
  await server.until(
    () => !isAlive(Number(readFileSync(`${pidFile}.2`, 'utf8'))),
    'the end of the other session',
  )
})

const withoutMark = (pidFile: string): string =>
  `env -i setsid sh -c 'echo $$ > ${pidFile}; trap "" TERM; while :; do sleep 1; done' >/dev/null 2>&1 &`

const startedPid = (pidFile: string) =>
  server.until(() => existsSync(pidFile) && Number(readFileSync(pidFile, 'utf8')), 'a start')

it('what clears its environment and leaves its session ends with its command, however that ends', async () => {
  const pidFile = join(files, 'cleared')
  const done = await run('runShell', { commandLine: `${withoutMark(`${pidFile}.1`)} sleep 0.3; echo ok` })
  expect(done).toMatchObject({ outcome: 'done', output: 'ok\n' })
  // Its parent has ended before the command does.
  await run('runShell', { commandLine: `(${withoutMark(`${pidFile}.2`)}); sleep 0.3` })
  const late = await run(
    'runShell',
    { commandLine: `${withoutMark(`${pidFile}.3`)} sleep 60` },
    { timeoutMs: 900 },
  )
  expect(late.outcome).toBe('timedOut')
  const stubborn = `(${withoutMark(`${pidFile}.4`)}); trap '' TERM; while :; do sleep 1; done`
  server.command(++lastTaskId, 'runShell', { commandLine: stubborn })
  await startedPid(`${pidFile}.4`)
  server.sendRaw(JSON.stringify({ kind: 'cancel', taskId: lastTaskId }))
  expect((await server.result(lastTaskId)).outcome).toBe('failed')
  for (const n of [1, 2, 3, 4]) {
    const pid = await startedPid(`${pidFile}.${n}`)
    await server.until(() => !isAlive(pid), `the end of ${n}`, 5000)
  }
})

it('what is just being started when a command ends does not stay either', async () => {
  const pidFiles = Array.from({ length: 6 }, (_, i) => join(files, `nested-${i}`))
  for (const pidFile of pidFiles) {
    const line = `(setsid setsid sh -c 'echo $$ > ${pidFile}; exec sleep 300' >/dev/null 2>&1 &); echo ok`
    expect(await run('runShell', { commandLine: line })).toMatchObject({ outcome: 'done', output: 'ok\n' })
  }
  await sleep(1500)
  const isLeft = (file: string) => existsSync(file) && isAlive(Number(readFileSync(file, 'utf8')))
  expect(pidFiles.filter(isLeft)).toEqual([])
})

it('a task that is cancelled before it came is not run later', async () => {
  const taskId = ++lastTaskId
  server.sendRaw(JSON.stringify({ kind: 'cancel', taskId }))
  expect(await server.result(taskId)).toMatchObject({ outcome: 'failed', reason: '已取消' })
  server.command(taskId, 'runShell', { commandLine: `touch ${files}/late` })
  await run('listProcesses')
  expect(existsSync(join(files, 'late'))).toBe(false)
})

it('RMT-2 of a long output the beginning and the end are kept, and it says what is left out', async () => {
  const result = await run('runShell', { commandLine: 'head -c 3000000 /dev/zero | tr "\\0" x; echo end' })
  expect(result.outcome).toBe('done')
  expect(result.output?.startsWith('x'.repeat(maxOutputBytes / 2))).toBe(true)
  expect(result.output?.endsWith(`${'x'.repeat(maxOutputBytes / 2 - 4)}end\n`)).toBe(true)
  expect(result.output).toContain(`输出共 3000004 字节，省略中间 ${3_000_004 - maxOutputBytes} 字节`)
  // Signs that JSON writes sixfold make a message too long even of what was kept.
  const escaped = await run('runShell', { commandLine: 'head -c 250000 /dev/zero; echo end' })
  expect(escaped.outcome).toBe('done')
  expect(escaped.output).toContain('输出过长，省略中间部分')
  expect(escaped.output?.endsWith('end\n')).toBe(true)
})

it('a task that comes twice runs once and is answered each time', async () => {
  const counter = join(files, 'counter')
  const input = { commandLine: `echo run >> ${counter}; sleep 0.3` }
  const taskId = ++lastTaskId
  server.acksResults = false
  server.command(taskId, 'runShell', input)
  server.command(taskId, 'runShell', input)
  await server.result(taskId)
  server.command(taskId, 'runShell', input)
  const answers = () => server.messages.filter(m => m.kind === 'result' && m.taskId === taskId)
  await server.until(() => answers().length === 2, 'the kept result')
  expect(answers()[1]).toEqual(answers()[0])
  server.dropConnection()
  await server.until(() => answers().length === 3, 'the result after the connection')
  server.acksResults = true
  server.sendRaw(JSON.stringify({ kind: 'resultAck', taskId }))
  await sleep(500)
  server.command(taskId, 'runShell', input)
  await server.until(() => answers().length === 4, 'an answer after it was stored')
  expect(answers()[3]).toMatchObject({ outcome: 'failed', reason: '此任务已执行，结果已上报' })
  expect(readFileSync(counter, 'utf8')).toBe('run\n')
})

it('what a server may not send ends the line, not the program', async () => {
  const before = server.connections
  const unknown = await run('formatDisk')
  expect(unknown.reason).toContain('请升级')
  expect((await run('killProcess', { pid: 'all' })).reason).toContain('命令内容有误')
  expect((await run('toString')).reason).toContain('请升级')
  server.sendRaw(JSON.stringify({ kind: 'aNewKind', of: 'message' }))
  expect((await run('listProcesses')).outcome).toBe('done')
  expect(server.connections).toBe(before)
  const hostile = [
    '{',
    'null',
    '[]',
    JSON.stringify({ kind: 'command', taskId: -1, command: 'listProcesses' }),
    JSON.stringify({ kind: 'welcome' }),
    JSON.stringify({ kind: 'desired', deviceId: 1, items: [{ key: 1 }] }),
    JSON.stringify({ kind: 'eventsAck', seq: 1e300 }),
    JSON.stringify({ kind: 'beatAck', clock: '', padding: 'x'.repeat(2_000_000) }),
  ]
  for (const text of hostile) {
    const connections = server.connections
    await server.until(() => server.isConnected, 'a connection')
    server.sendRaw(text)
    await server.until(
      () => server.connections > connections,
      `another connection after ${text.slice(0, 40)}`,
    )
  }
  expect((await run('listProcesses')).outcome).toBe('done')
})

it('a command for a device of nobody is refused', async () => {
  expect((await run('device', { action: 'open' }, { deviceId: 77 })).reason).toContain('设备不属于此网关')
  expect((await run('device', { action: 'open' })).reason).toContain('请选择设备')
})

it('a link is listed as one, wherever it leads', async () => {
  allow(files)
  writeFileSync(join(files, 'plain.txt'), 'x')
  symlinkSync('/etc/passwd', join(files, 'passwd-link'))
  symlinkSync('/', join(files, 'root-link'))
  const { data } = await run('listDirectory', { path: files })
  expect(data).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: 'passwd-link', type: 'link', size: 0 }),
      expect.objectContaining({ name: 'root-link', type: 'link', size: 0 }),
      expect.objectContaining({ name: 'plain.txt', type: 'file' }),
    ]),
  )
})
