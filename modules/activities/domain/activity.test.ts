import { expect, it } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import { addMinutes } from '#kit/domain/moment.ts'
import type { Activity } from '../contract/activity.ts'
import {
  canCancelOwn,
  movesUp,
  checkInRefusal,
  numberFaults,
  publishFault,
  signUpRefusal,
  stageText,
  timeFaults,
} from './activity.ts'
import { isForHome } from './audience.ts'

const published: Activity = {
  id: asId(1),
  projectCode: 'P1',
  title: '亲子运动会',
  content: '<p>请穿运动鞋</p>',
  address: '中心广场',
  checkInCount: 0,
  topSort: 0,
  createTime: '2026-12-01 08:00:00',
  updateTime: '2026-12-01 08:00:00',
  version: 1,
  state: 'published',
  beginTime: '2026-12-10 09:00:00',
  endTime: '2026-12-10 12:00:00',
  signBegin: '2026-12-01 08:00:00',
  signEnd: '2026-12-09 18:00:00',
  quota: 30,
  maxPersons: 3,
  signCount: 10,
  waitCount: 0,
  hasWaiting: true,
}

const open = '2026-12-05 10:00:00'

it('ends sign-up before the activity ends (NOT-2)', () => {
  expect(timeFaults(published)).toEqual([])
  const faults = timeFaults({
    beginTime: '2026-12-10 09:00:00',
    endTime: '2026-12-10 09:00:00',
    signBegin: '2026-12-10 10:00:00',
    signEnd: '2026-12-10 10:00:00',
  })
  expect(faults.map(({ Field }) => Field)).toEqual(['EndTime', 'SignEnd', 'SignEnd'])
})

it('keeps a quota above what is taken, and the persons of one sign-up below it', () => {
  expect(numberFaults({ quota: 9, maxPersons: 1 }, { signCount: 10 })[0]?.Field).toBe('Quota')
  expect(numberFaults({ quota: 10, maxPersons: 10 }, { signCount: 10 })).toEqual([])
  expect(numberFaults({ quota: 2, maxPersons: 3 }, undefined)[0]?.Field).toBe('MaxPersons')
  expect(numberFaults({ quota: 0, maxPersons: 20 }, { signCount: 500 })).toEqual([])
})

it('lets residents sign up within the window, while there are places or a queue', () => {
  expect(signUpRefusal(published, 1, open)).toBeUndefined()
  expect(signUpRefusal(published, 1, '2026-12-01 07:59:59')).toBe('12-01 08:00 开始报名')
  expect(signUpRefusal(published, 1, '2026-12-09 18:00:00')).toBeUndefined()
  expect(signUpRefusal(published, 1, '2026-12-09 18:00:01')).toBe('报名已截止')
  expect(signUpRefusal({ ...published, state: 'cancelled' }, 1, open)).toBe('活动已取消')
  const full = { ...published, signCount: 29, hasWaiting: false }
  expect(signUpRefusal(full, 1, open)).toBeUndefined()
  expect(signUpRefusal(full, 2, open)).toBe('还剩 1 个名额，请减少人数')
  expect(signUpRefusal({ ...full, waitCount: 3 }, 1, open)).toBe('名额已满')
  expect(signUpRefusal({ ...full, signCount: 30 }, 1, open)).toBe('名额已满')
  expect(signUpRefusal({ ...full, quota: 0, signCount: 900 }, 9, open)).toBeUndefined()
})

it('describes to residents how far an activity is', () => {
  expect(stageText(published, open)).toBe('报名中，剩 20 个名额')
  expect(stageText({ ...published, quota: 0 }, open)).toBe('报名中')
  expect(stageText({ ...published, signCount: 30 }, open)).toBe('名额已满，可候补')
  const waited = { ...published, signCount: 29, waitCount: 2 }
  expect(stageText(waited, open)).toBe('余下名额按候补顺序递补，可候补')
  expect(stageText(published, '2026-12-10 10:00:00')).toBe('进行中')
  expect(stageText(published, '2026-12-10 12:00:00')).toBe('活动已结束')
})

it('lets a resident cancel until sign-up ends, not once they have come (NOT-2)', () => {
  expect(canCancelOwn({ state: 'signed' }, published, '2026-12-09 18:00:00')).toBe(true)
  expect(canCancelOwn({ state: 'waiting', waitNo: 1 }, published, open)).toBe(true)
  expect(canCancelOwn({ state: 'signed' }, published, '2026-12-09 18:00:01')).toBe(false)
  expect(canCancelOwn({ state: 'checkedIn', waitNo: 1 }, published, open)).toBe(false)
})

it('lets who waits, or waited, cancel as long as others move up: until it begins (NOT-2)', () => {
  const { beginTime } = published
  const before = addMinutes(beginTime, -1)
  expect(movesUp(published, before)).toBe(true)
  expect(canCancelOwn({ state: 'signed', waitNo: 3 }, published, before)).toBe(true)
  expect(canCancelOwn({ state: 'waiting', waitNo: 4 }, published, before)).toBe(true)
  expect(movesUp(published, beginTime)).toBe(false)
  expect(canCancelOwn({ state: 'signed', waitNo: 3 }, published, beginTime)).toBe(false)
  expect(movesUp({ ...published, state: 'cancelled' }, before)).toBe(false)
  // Sign-up goes on while it runs: until that ends, never after the activity has.
  const longer = { ...published, signEnd: published.endTime }
  expect(movesUp(longer, beginTime)).toBe(true)
  expect(movesUp(longer, addMinutes(published.endTime, -1))).toBe(true)
  expect(movesUp(longer, published.endTime)).toBe(false)
})

it('checks in from two hours before until the end', () => {
  expect(checkInRefusal(published, '2026-12-10 06:59:59')).toBe('12-10 07:00 开始签到')
  expect(checkInRefusal(published, '2026-12-10 07:00:00')).toBeUndefined()
  expect(checkInRefusal(published, '2026-12-10 12:00:00')).toBeUndefined()
  expect(checkInRefusal(published, '2026-12-10 12:00:01')).toBe('活动已结束，不能签到')
})

it('is published as a draft whose times are still to come', () => {
  const draft: Activity = { ...published, state: 'draft' }
  expect(publishFault(draft, open)).toBeUndefined()
  expect(publishFault(draft, '2026-12-09 19:00:00')).toContain('报名截止时间已过')
  expect(publishFault(published, open)).toBe('只有草稿可以发布')
})

it('is for the buildings and relations that it names, in its project alone', () => {
  const of = { projectCode: 'P1', buildCodes: ['B1'], relations: ['owner'] } as const
  const home = { projectCode: 'P1', buildingCode: 'B1', relation: 'owner' } as const
  expect(isForHome(of, home)).toBe(true)
  expect(isForHome(of, { ...home, buildingCode: 'B2' })).toBe(false)
  expect(isForHome(of, { ...home, relation: 'tenant' })).toBe(false)
  expect(isForHome(of, { ...home, projectCode: 'P2' })).toBe(false)
  expect(isForHome(of, { projectCode: 'P1' })).toBe(false)
  expect(isForHome({ projectCode: 'P1' }, { projectCode: 'P1' })).toBe(true)
})
