import { expect, it } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import { readPushPayload } from '../domain/push.ts'
import { joinPath, readEntries, readProcesses, readServices } from './listing-rows.ts'
import { commandMessage, decodeBase64, encodePush, nextTaskNo, readTaskResult } from './remote-message.ts'

const gateway = { id: asId(7), gateNo: 'GW1', name: '东门机房' }
const device = {
  id: asId(9),
  devNo: 'D9',
  devType: 'access',
  hostNo: 'H1',
  identity: 'AA:01',
  name: '大堂门禁',
}

it('0§7: a command carries the nine members of the specification, for a computer and for a device', () => {
  expect(commandMessage({ gateway, command: 'killProcess', data: '42', isConfirmed: true }, '1001')).toEqual({
    devid: 7,
    devno: 'GW1',
    devtype: 'gateway',
    hostno: '',
    operation: 'TASK',
    cmdtype: 2064,
    cmddata: '42',
    taskNo: '1001',
    identity: '',
    confirm: true,
  })
  expect(
    commandMessage({ gateway, device, command: 'device', data: '{"action":"open"}' }, '1002'),
  ).toMatchObject({
    devid: 9,
    devno: 'D9',
    devtype: 'access',
    hostno: 'H1',
    identity: 'AA:01',
    cmdtype: 2098,
  })
})

it('0§7: a pushed file is sent by name, as action, link, name and directory joined and encoded', () => {
  const push = {
    action: 'kernel',
    link: '/api/file?Key=ab',
    name: '门禁.kernel',
    directory: '/opt/门禁',
  } as const
  const message = commandMessage({ gateway, device, command: 'pushFile', push }, '1003')
  expect(message).toMatchObject({ cmdtype: 'PUSHFILE', cmddata: encodePush(push) })
  expect(readPushPayload(decodeBase64(encodePush(push)))).toEqual(push)
})

it('0§4: task numbers come from a timestamp and are never given twice', () => {
  const numbers = Array.from({ length: 50 }, () => nextTaskNo(1_780_000_000_000))
  expect(new Set(numbers).size).toBe(50)
  expect(numbers[0]).toMatch(/^178\d{13}$/)
})

it('0§4: the text of a result of type 2080 is decoded, any other is taken as it is', () => {
  const encoded = btoa(String.fromCodePoint(...new TextEncoder().encode('磁盘 80%')))
  expect(readTaskResult({ taskNo: '1', state: 30, cmdtype: 2080, cmddata: encoded })).toEqual({
    taskNo: '1',
    state: 'done',
    reason: undefined,
    output: '磁盘 80%',
    isText: true,
  })
  expect(
    readTaskResult({ taskNo: '2', state: '40', cmdtype: 2064, cmddata: '', message: '进程不存在' }),
  ).toMatchObject({ state: 'failed', reason: '进程不存在', isText: false })
  expect(readTaskResult({ taskNo: '3', state: 99 })).toBeUndefined()
})

it('rows of a site are read as what they are; what cannot be read is none', () => {
  expect(readProcesses('[{"pid":4,"name":"node","memoryBytes":"x"}]')).toEqual([
    { pid: 4, name: 'node', user: '', memoryBytes: 0, cpuPercent: 0, startedAt: '' },
  ])
  expect(readServices('[{"name":"ssh","state":"dancing"}]')[0]?.state).toBe('other')
  expect(readEntries('{"no":"list"}')).toEqual([])
  expect(readEntries('[1,')).toEqual([])
  expect(readEntries(undefined)).toEqual([])
})

it('paths are joined in the writing of the site', () => {
  expect(joinPath('', 'C:\\door')).toBe('C:\\door')
  expect(joinPath('C:\\door', 'log')).toBe('C:\\door\\log')
  expect(joinPath('/opt', 'door')).toBe('/opt/door')
  expect(joinPath('/', 'opt')).toBe('/opt')
})
