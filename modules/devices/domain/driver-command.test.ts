import { expect, it } from 'vitest'
import { codeOf } from '#kit/contract/field.ts'
import { remoteCommand } from '../contract/choices.ts'
import { actionTimeoutMs, commandsOf, driverCommandFault } from './driver-command.ts'
import { taskText, taskTitle } from './push.ts'

it('a command that its driver declares is refused with arguments that it does not take', () => {
  const fault = (action: string, data?: Record<string, unknown>) =>
    driverCommandFault('simulator', action, data)
  expect([fault('open'), fault('open', { seconds: 5 }), fault('status')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(fault('open', { seconds: 'five' })).toBe('保持开启应为整数')
  expect(fault('open', { seconds: 0 })).toBe('保持开启应为 1 至 600秒')
  expect(fault('open', { second: 5 })).toBe('「远程开门」没有参数 second')
  expect(fault('makeRecords')).toBe('请填写条数')
  expect(fault('fault', { level: '9' })).toBe('等级不在可选范围内')
  expect(fault('setLine', { isUp: 'no' })).toBe('线路接通应为是或否')
  expect(fault('melt')).toMatch(/^设备没有「melt」指令，可用：远程开门、/)
})

it('a driver that declares nothing is sent what is typed', () => {
  for (const driver of [undefined, 'other', 'constructor']) {
    expect([commandsOf(driver), driverCommandFault(driver, 'any', { a: 1 })]).toEqual([undefined, undefined])
  }
})

it('a task names the command of a device in Chinese', () => {
  const task = (cmdData: string) => ({ cmdType: 'device', cmdData }) as const
  expect(codeOf(remoteCommand, 'device')).toBeGreaterThan(0)
  expect(taskTitle(task('{"action":"open","data":{"seconds":5}}'))).toBe('远程开门')
  expect(taskText(task('{"action":"open","data":{"seconds":5}}'))).toBe('保持开启 5 秒')
  expect(taskText(task('{"action":"setLine","data":{"isUp":false,"forMs":10}}'))).toBe(
    '线路接通 否，持续 10 毫秒',
  )
  expect(taskText(task('{"action":"melt","data":{"a":1}}'))).toBe('{"a":1}')
  expect([taskTitle(task('status')), taskText(task('status'))]).toEqual(['查询状态', ''])
  expect(taskTitle(task('{"action":"melt"}'))).toBe('melt')
})

it('RMT-1 a door that was to be opened now is not opened a while later', () => {
  expect([actionTimeoutMs('open'), actionTimeoutMs('status')]).toEqual([15_000, undefined])
})
