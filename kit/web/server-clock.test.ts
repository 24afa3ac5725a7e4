import { expect, it, vi } from 'vitest'
import { noteServerDate, serverNow } from './server-clock.ts'

it('the time is the server’s, whatever the clock of the phone says; a reply without a date changes nothing', () => {
  const anHourAhead = Math.floor(Date.now() / 1000) * 1000 + 3_600_000
  noteServerDate(new Date(anHourAhead).toUTCString())
  noteServerDate(null)
  noteServerDate('no date')
  expect(Math.abs(serverNow() - anHourAhead)).toBeLessThan(1000)
})

it('a page that opens without a network goes by the difference of the last time', async () => {
  vi.resetModules()
  const { saveStored } = await import('./browser-store.ts')
  const { serverNow: now } = await import('./server-clock.ts')
  expect(Math.abs(now() - Date.now())).toBeLessThan(1000)
  saveStored('server-ahead', -1_200_000)
  expect(Math.abs(now() - (Date.now() - 1_200_000))).toBeLessThan(1000)
})

it('a difference worth it is kept for the next page, the way of an answer is not', async () => {
  vi.resetModules()
  const { readStored } = await import('./browser-store.ts')
  const { noteServerDate: note } = await import('./server-clock.ts')
  note(new Date(Date.now() - 20_000).toUTCString())
  expect(readStored('server-ahead', 0)).toBe(0)
  note(new Date(Date.now() - 1_200_000).toUTCString())
  expect(Math.abs(readStored('server-ahead', 0) + 1_200_000)).toBeLessThan(2000)
})
