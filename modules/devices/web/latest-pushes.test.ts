import { expect, it } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import { pushText, readPushText, taskText, taskTitle } from '../domain/push.ts'
import { latestPushes } from './latest-pushes.ts'

it('shows the last push to each target, the latest first', () => {
  const task = (id: number, gatewayId: number, deviceId = 0) => ({
    id,
    gatewayId: asId(gatewayId),
    deviceId: asId(deviceId),
  })
  const tasks = [task(9, 1), task(8, 2, 5), task(7, 1), task(6, 2), task(5, 2, 5)]
  expect(latestPushes(tasks).map(({ id }) => id)).toEqual([9, 8, 6])
})

it('a push is read as it was written', () => {
  const push = { action: 'kernel', name: 'v2.kernel', directory: 'C:\\a|b' } as const
  expect(readPushText(pushText(push))).toEqual(push)
  expect(readPushText('/opt/run.sh')).toBeUndefined()
})

it('a task is called by what it does', () => {
  const cmdData = pushText({ action: 'kernel', name: 'v2.kernel', directory: '/opt/kernel' })
  const kernel = { cmdType: 'pushFile', cmdData } as const
  expect([taskTitle(kernel), taskText(kernel)]).toEqual(['推送内核', 'v2.kernel → /opt/kernel'])
  const shell = { cmdType: 'runShell', cmdData: 'ls | wc' } as const
  expect([taskTitle(shell), taskText(shell)]).toEqual(['执行命令', 'ls | wc'])
})
