import { expect, it } from 'vitest'
import { draftAudienceFaults, namedBuildings, namedProjects } from './audience.ts'
import { reminderDisabledReason } from './reminder.ts'
import {
  advances,
  editFault,
  expiryFault,
  publishedState,
  publishFault,
  topFault,
  withdrawnState,
} from './states.ts'

const states = ['draft', 'timed', 'published', 'withdrawn', 'expired'] as const
const now = '2026-11-21 09:00:00'

it('NOT-1: a notice is published now or waits for its time', () => {
  expect(publishedState({}, now)).toBe('published')
  expect(publishedState({ publishTime: '2026-11-21 08:00:00' }, now)).toBe('published')
  expect(publishedState({ publishTime: '2026-11-21 10:00:00' }, now)).toBe('timed')
  expect(expiryFault({ expireTime: now }, now)).toContain('晚于')
  expect(
    expiryFault({ publishTime: '2026-11-22 09:00:00', expireTime: '2026-11-21 10:00:00' }, now),
  ).toContain('晚于')
  expect(expiryFault({ expireTime: '2026-11-21 10:00:00' }, now)).toBeUndefined()
})

it('NOT-1: only drafts and published notices change, only drafts are published', () => {
  expect(states.map(state => editFault(state) === undefined)).toEqual([true, false, true, false, false])
  expect(states.map(state => publishFault(state) === undefined)).toEqual([true, false, false, false, false])
  expect([withdrawnState('timed'), withdrawnState('published')]).toEqual(['draft', 'withdrawn'])
})

it('nothing that has ended comes first', () => {
  expect(states.map(state => topFault(state) === undefined)).toEqual([true, true, true, false, false])
})

it('a receipt never goes back', () => {
  expect([advances('unread', 'read'), advances('read', 'read'), advances('confirmed', 'read')]).toEqual([
    true,
    false,
    false,
  ])
})

it('a lobby shows places alone, and messages need their text', () => {
  const base = { scopeType: 'tags', scopeJson: { tags: ['A'] }, channels: ['screen', 'sms'] } as const
  expect(draftAudienceFaults(base).map(({ Field }) => Field)).toEqual(['Channels', 'SmsText'])
  const places = {
    scopeType: 'buildings',
    scopeJson: { buildingCodes: ['P1/B1', 'P1/B2'] },
    channels: ['screen'],
  } as const
  expect(draftAudienceFaults(places)).toEqual([])
  expect(namedProjects(places)).toEqual(['P1'])
  expect(namedBuildings(places)).toEqual([
    ['P1', 'B1'],
    ['P1', 'B2'],
  ])
})

it.each([
  [{ reachable: 0, segments: 0, usableSms: 100 }, '无可送达的住户，不能发送'],
  [{ reachable: 0 }, '无可送达的住户，不能发送'],
  [{ reachable: 3, segments: 4, usableSms: 3 }, '短信余量不足，不能发送'],
  [{ reachable: 3, segments: 3, usableSms: 3 }, undefined],
  [{ reachable: 3 }, undefined],
])('NOT-1: a reminder that counts %j is offered unless: %s', (preview, reason) => {
  expect(reminderDisabledReason(preview)).toBe(reason)
})
