import { expect, it } from 'vitest'
import { ServerClock } from './server-clock.ts'

/** The server's clock is so far ahead. */
const ahead = 500_000

/** A line over which a question takes so long to arrive, and its answer so long to come back. */
function lineOf(clock: { now: number }) {
  const server = new ServerClock(() => clock.now)
  const exchange = (outMs: number, backMs: number): void => {
    server.ask()
    clock.now += outMs
    const sentMs = clock.now + ahead
    clock.now += backMs
    server.answer(sentMs)
  }
  return { server, exchange }
}

it('the age of a message is known to the time that the best exchange took', () => {
  const clock = { now: 1000 }
  const { server, exchange } = lineOf(clock)
  expect(server.ageOf(clock.now + ahead)).toBeUndefined()
  exchange(300, 4000)
  exchange(10, 20)
  exchange(5000, 5000)
  const sentMs = clock.now + ahead
  clock.now += 15_000
  expect(server.ageOf(sentMs)).toBeGreaterThanOrEqual(15_000)
  expect(server.ageOf(sentMs)).toBeLessThanOrEqual(15_030)
})

it('on a line whose every message is slow, the age counts against the message', () => {
  const clock = { now: 0 }
  const { server, exchange } = lineOf(clock)
  exchange(20_000, 20_000)
  const sentMs = clock.now + ahead
  clock.now += 20_000
  expect(server.ageOf(sentMs)).toBeGreaterThanOrEqual(20_000)
})

it('an old reading gives way to a newer one, as the clocks drift apart', () => {
  const clock = { now: 0 }
  const { server, exchange } = lineOf(clock)
  exchange(10, 10)
  clock.now += 7 * 86_400_000
  const before = clock.now
  exchange(30, 30)
  expect(server.ageOf(before + 30 + ahead)).toBeLessThanOrEqual(60)
})

it('a server that does not tell when it sent is not doubted', () => {
  const clock = { now: 0 }
  const { server, exchange } = lineOf(clock)
  exchange(1, 1)
  expect(server.ageOf(undefined)).toBeUndefined()
  server.ask()
  server.answer(undefined)
  expect(server.ageOf(clock.now + ahead)).toBeLessThanOrEqual(2)
})
