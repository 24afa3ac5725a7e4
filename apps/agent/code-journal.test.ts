import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import { CodeJournal } from './code-journal.ts'
import { codeCount } from './fixtures/code-count.ts'

let db: DatabaseSync
let journal: CodeJournal

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-29T10:00:00+08:00') })
  db = new DatabaseSync(':memory:')
  journal = new CodeJournal(db)
})

afterEach(() => {
  vi.useRealTimers()
  db.close()
})

const [north, south] = [asId(5), asId(6)]
const reading = (recordKey: string) => ({ key: 'qr:1', recordKey, waitsUntil: 0 })
it('VIS-2 an entrance counts once, at whichever gate, and a reading that comes again is the same', () => {
  expect(journal.decide(north, reading('a'), codeCount())).toBe('opens')
  expect(journal.decide(north, reading('a'), codeCount())).toBe('opens')
  expect(journal.decide(south, reading('b'), codeCount())).toBe('usedUp')
  journal = new CodeJournal(db)
  expect(journal.decide(south, reading('c'), codeCount())).toBe('usedUp')
  journal.giveBack(north, 'a')
  expect(journal.decide(south, reading('d'), codeCount())).toBe('opens')
})

it('VIS-2 what the server has counted and what was counted here come to the same number', () => {
  journal.note(north, reading('a'), 1)
  expect(journal.decide(south, reading('b'), codeCount())).toBe('usedUp')
  expect(journal.decide(south, reading('c'), codeCount({ maxTimes: 2 }))).toBe('opens')
  expect(journal.decide(north, reading('d'), codeCount({ maxTimes: 3, usedTimes: 2 }))).toBe('justOpened')
  vi.advanceTimersByTime(4000)
  expect(journal.decide(north, reading('d'), codeCount({ maxTimes: 3, usedTimes: 2 }))).toBe('opens')
})

it('VIS-2 who is inside passes the doors of buildings, and uses up nothing', () => {
  const inner = codeCount({ isInner: true })
  expect(journal.decide(south, reading('a'), inner)).toBe('opens')
  expect(journal.decide(north, reading('b'), codeCount())).toBe('usedUp')
  expect(journal.decide(north, reading('c'), inner)).toBe('opens')
})

it('the gateway that it is stays known without a line', () => {
  expect(journal.gatewayId).toBe(0)
  journal.setGateway(asId(7))
  expect(new CodeJournal(db).gatewayId).toBe(7)
})
