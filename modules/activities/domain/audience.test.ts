import { expect, it } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import { refusalFor, residentRoomRefusal, stageFor } from './audience.ts'

const now = '2026-12-05 10:00:00'
const of = {
  state: 'published',
  fee: asFen(2000),
  quota: 10,
  signCount: 0,
  waitCount: 0,
  hasWaiting: true,
  signBegin: '2026-12-01 08:00:00',
  signEnd: '2026-12-09 18:00:00',
  beginTime: '2026-12-10 09:00:00',
  endTime: '2026-12-10 12:00:00',
} as const
const job = { projectCode: 'P1' }
const home = { projectCode: 'P1', roomId: asId(1) }

it('says to who has no room that what is charged is for homes, before they sign up (PAY-4)', () => {
  expect(refusalFor(of, home, now)).toBeUndefined()
  expect(refusalFor(of, job, now)).toBe(residentRoomRefusal)
  expect(refusalFor({ ...of, fee: asFen(0) }, job, now)).toBeUndefined()
  expect(refusalFor({ ...of, state: 'cancelled' }, job, now)).toBe('活动已取消')
  expect(stageFor(of, job, now)).toBe('限有房屋的住户报名')
  expect(stageFor(of, home, now)).toBe('报名中，剩 10 个名额')
  expect(stageFor(of, job, '2026-12-10 10:00:00')).toBe('进行中')
})
