import { expect, it } from 'vitest'
import { noteServerDate, serverNow } from './server-clock.ts'

it('the time is the server’s, whatever the clock of the telephone says; a reply without a date changes nothing', () => {
  const anHourAhead = Math.floor(Date.now() / 1000) * 1000 + 3_600_000
  noteServerDate(new Date(anHourAhead).toUTCString())
  noteServerDate(null)
  noteServerDate('no date')
  expect(Math.abs(serverNow() - anHourAhead)).toBeLessThan(1000)
})
