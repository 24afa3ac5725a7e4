import { beforeEach, expect, it, vi } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import { readStored, saveStored } from '../browser-store.ts'
import { fakePage } from '../fixtures.ts'
import { personalKey, signIn, signOut, type SignedInUser } from '../session.ts'
import { offlineAnswerPrefix } from './offline-names.ts'

const guard: SignedInUser = {
  token: 't1',
  nearestProjectCode: 'P1',
  manager: {
    id: asId(7),
    ownerId: asId(2),
    loginCode: 'walker',
    realName: '巡更员',
    companyName: '金一物业',
  },
}
const cleaner: SignedInUser = { ...guard, token: 't2', manager: { ...guard.manager, id: asId(8) } }
let cacheNames: string[]

const deleteCache = async (name: string): Promise<boolean> => {
  cacheNames = cacheNames.filter(other => other !== name)
  return true
}

beforeEach(() => {
  fakePage('/watchlist/walk')
  vi.stubGlobal('caches', { keys: async () => cacheNames, delete: deleteCache })
  signIn(guard)
  cacheNames = ['anju.offline/one', 'of another']
})

/** The last answer of the guard, and a sign that is not sent yet. */
function keepWork(): string {
  const key = `${offlineAnswerPrefix}${personalKey('patrol.rounds')}`
  saveStored(key, ['round'])
  saveStored('patrol.signs/7', ['sign'])
  return key
}

it('who signs out leaves neither pages nor answers, and loses nothing that is not sent', async () => {
  const key = keepWork()
  signOut()
  await vi.waitFor(() => expect(cacheNames).toEqual(['of another']))
  expect(readStored(key, undefined)).toBeUndefined()
  expect(readStored('patrol.signs/7', undefined)).toEqual(['sign'])
})

it('another person at the same phone finds nothing of the one before', async () => {
  const key = keepWork()
  signIn(cleaner)
  await vi.waitFor(() => expect(cacheNames).toEqual(['of another']))
  expect(readStored(key, undefined)).toBeUndefined()
  expect(personalKey('patrol.rounds')).not.toBe(key.replace(offlineAnswerPrefix, ''))
})

it('the same person signing in again keeps what is there', () => {
  const key = keepWork()
  signIn({ ...guard, token: 't3' })
  expect(readStored(key, undefined)).toEqual(['round'])
  expect(cacheNames).toContain('anju.offline/one')
})
