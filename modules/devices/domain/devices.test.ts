import { expect, it } from 'vitest'
import { itemRetryMs, nextVersion, type KnownItem } from './device-item.ts'
import { beatFaults, faultWeights } from './health.ts'
import { pairingCodeOf, readPairingCode } from './pairing-code.ts'
import { pushFault, readPushPayload } from './push.ts'
import { parseCommandData } from './remote-input.ts'
import { commandOf, taskResultMessage } from './remote-message.ts'
import { isTaskOpen, taskStates } from './task-state.ts'
import { decideWatchdog } from './watchdog.ts'

it('RMT-1 a task ends once, whatever ends it', () => {
  expect(taskStates.canTransition('sent', 'received')).toBe(true)
  expect(taskStates.canTransition('received', 'sent')).toBe(false)
  expect((['sent', 'received', 'done', 'failed', 'timedOut'] as const).filter(isTaskOpen)).toEqual([
    'sent',
    'received',
  ])
})

it('0§7 commands are called by their codes, PUSHFILE by its name too', () => {
  expect([2072, '2095', 'PUSHFILE', 2096].map(commandOf)).toEqual([
    'listProcesses',
    'runShell',
    'pushFile',
    'pushFile',
  ])
  expect([1, 'x', null, undefined, {}].map(commandOf)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

it('a command’s input is its JSON or its main value, and what is missing is reported', () => {
  expect(parseCommandData('killProcess', '42')).toEqual({ input: { pid: 42 } })
  expect(parseCommandData('killProcess', '{"pid":42,"startedAt":"x"}')).toEqual({
    input: { pid: 42, startedAt: 'x' },
  })
  expect(parseCommandData('killProcess', '-1')).toEqual({ fault: '请填写进程号' })
  expect(parseCommandData('startService', ' nginx ')).toEqual({ input: { name: 'nginx' } })
  expect(parseCommandData('listDirectory', '')).toEqual({ input: { path: '' } })
  expect(parseCommandData('deleteFile', '')).toEqual({ fault: '请填写路径' })
  expect(parseCommandData('runFile', '{"path":"/a","arguments":["-x"]}')).toEqual({
    input: { path: '/a', arguments: ['-x'] },
  })
  expect(parseCommandData('runFile', '{"path":"/a","arguments":[1]}')).toEqual({
    fault: '运行参数格式不正确',
  })
  expect(parseCommandData('runShell', 'echo {a}')).toEqual({ input: { commandLine: 'echo {a}' } })
  expect(parseCommandData('device', '{"action":"open","data":[]}')).toEqual({
    fault: '设备指令的参数格式不正确',
  })
})

it('RMT-4 what may be pushed in which way', () => {
  expect(pushFault('kernel', { name: 'a.kernel', directoryType: 'kernel' })).toBeUndefined()
  expect(pushFault('kernel', { name: 'a.kernel', directoryType: 'push' })).toBeDefined()
  expect(pushFault('kernel', { name: 'x.kernel.zip', directoryType: 'kernel' })).toBeUndefined()
  expect(pushFault('kernel', { name: 'kernel.txt', directoryType: 'kernel' })).toBeDefined()
  expect(pushFault('package', { name: 'a.ZIP', directoryType: 'ordinary' })).toBeUndefined()
  expect(pushFault('file', { name: 'a.txt', directoryType: 'kernel' })).toBeDefined()
  expect(readPushPayload('file|/api/File/Get?Key=1|a|b|/opt/x|y')).toEqual({
    action: 'file',
    link: '/api/File/Get?Key=1',
    name: 'a',
    directory: 'b|/opt/x|y',
  })
  expect(readPushPayload('run|x|y|z')).toBeUndefined()
})

it('ACS-3 what is held already is not sent again; what was never there is not removed', () => {
  const known: KnownItem = { version: 3, action: 'put', state: 'done', data: { name: '甲', card: { no: 1 } } }
  expect(nextVersion(undefined, { key: 'a', action: 'put' })).toBe(1)
  expect(nextVersion(undefined, { key: 'a', action: 'remove' })).toBeUndefined()
  expect(
    nextVersion(known, { key: 'a', action: 'put', data: { card: { no: 1 }, name: '甲' } }),
  ).toBeUndefined()
  expect(nextVersion(known, { key: 'a', action: 'put', data: { card: { no: 2 }, name: '甲' } })).toBe(4)
  expect(nextVersion(known, { key: 'a', action: 'remove' })).toBe(4)
  expect([1, 2, 3, 8, 50].map(itemRetryMs)).toEqual([30_000, 60_000, 120_000, 3_600_000, 3_600_000])
})

it('DEV-1 what a beat tells, and what a fault weighs', () => {
  const well = { clockOffset: 1000, bufferedEvents: 0, freeBytes: 10 ** 10 }
  expect(Object.values(beatFaults(well)).filter(Boolean)).toEqual([])
  expect(beatFaults({ ...well, clockOffset: -400_000 }).clock?.title).toBe('网关时钟与服务器相差 7 分钟')
  expect(beatFaults({ ...well, freeBytes: 100 * 2 ** 20 }).disk?.title).toBe('网关磁盘剩余 100 MB')
  expect(beatFaults({ ...well, bufferedEvents: 1001 }).backlog).toBeDefined()
  expect(faultWeights.critical).toBeGreaterThan(faultWeights.major)
})

it('a pairing code is read as it is typed or read aloud', () => {
  const code = pairingCodeOf(new Uint8Array([0, 1, 2, 3, 4, 5, 30, 31, 99]))
  expect(code).toBe('234567YZ')
  expect(readPairingCode(' 2345-67yz ')).toBe(code)
  expect(['', '2345', '2345678O', '234567YZ2'].map(readPairingCode)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

it('a watchdog counts what is missed, restarts at the limit, and then waits', () => {
  const state = { missCount: 0, missLimit: 2, attempts: 0, sinceRestart: undefined, hasBeat: false }
  expect(decideWatchdog(state)).toMatchObject({ missCount: 1, shouldRestart: false })
  expect(decideWatchdog({ ...state, missCount: 1 })).toMatchObject({ missCount: 2, shouldRestart: true })
  expect(decideWatchdog({ ...state, missCount: 1, hasBeat: true })).toEqual({
    missCount: 0,
    attempts: 0,
    shouldRestart: false,
    message: '正常',
  })
  const restarted = { ...state, missCount: 2, attempts: 1 }
  expect(decideWatchdog({ ...restarted, sinceRestart: 299 })).toEqual({
    missCount: 3,
    attempts: 1,
    shouldRestart: false,
    message: '已下发重启指令 1 次，等待恢复，连续 3 次未收到心跳',
  })
  expect(decideWatchdog({ ...restarted, sinceRestart: 300 }).shouldRestart).toBe(true)
  expect(decideWatchdog({ ...restarted, attempts: 3, sinceRestart: 300 })).toMatchObject({
    shouldRestart: false,
    message: '已下发重启指令 3 次仍未恢复，请到现场处理',
  })
  expect(decideWatchdog({ ...restarted, sinceRestart: 20, hasBeat: true })).toMatchObject({
    attempts: 0,
    message: '已恢复',
  })
})

it('0§4 a text comes as 2080, a listing as JSON, under the number that the sender gave', () => {
  const task = { taskNo: '7-ab', clientNo: '7', deviceId: 3, state: 'done' } as const
  expect(
    taskResultMessage(9, { ...task, command: 'runShell', output: 'x' }, text => `<${text}>`),
  ).toMatchObject({
    cmdtype: 2080,
    cmddata: '<x>',
    taskNo: '7',
    state: 30,
    message: '任务执行成功',
  })
  expect(taskResultMessage(9, { ...task, command: 'listServices', data: [] }, String)).toMatchObject({
    cmdtype: 2073,
    cmddata: '[]',
  })
})
