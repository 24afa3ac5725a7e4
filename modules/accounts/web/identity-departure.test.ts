import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakePage } from '#kit/web/fixtures.ts'
import { departTo, findDeparture, forgetDeparture } from './identity-departure.ts'

beforeEach(() => {
  fakePage('/parklogin?redirect=%2Fparking')
})
afterEach(() => vi.unstubAllGlobals())

it('a return is taken by the tab that departed, for the state that it departed with, until it is done', () => {
  expect(findDeparture('s1')).toBeUndefined()
  departTo({ address: 'https://login.example.com/auth', state: 's1', browserKey: 'k1' }, 'signIn')
  expect(location.assign).toHaveBeenCalledWith('https://login.example.com/auth')
  expect(findDeparture('another')).toBeUndefined()
  expect(findDeparture(null)).toBeUndefined()
  expect(findDeparture('s1')).toEqual({
    state: 's1',
    browserKey: 'k1',
    purpose: 'signIn',
    path: '/parklogin',
    search: '?redirect=%2Fparking',
  })
  forgetDeparture()
  expect(findDeparture('s1')).toBeUndefined()
})

it('what is in the store in another form is no departure', () => {
  sessionStorage.setItem('identity-departure', '{')
  expect(findDeparture('s1')).toBeUndefined()
})
