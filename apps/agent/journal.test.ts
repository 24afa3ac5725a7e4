import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import { EventJournal, isDiskFull, openDatabase, recordedNow, type NewEvent } from './journal.ts'
import { limitResult } from './result-limit.ts'
import { TaskJournal } from './task-journal.ts'
import type { CommandMessage } from './server-message.ts'

let folder: string
let db: DatabaseSync
const reopen = (): void => {
  db.close()
  db = openDatabase(join(folder, 'journal.sqlite'))
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'))
  db = openDatabase(join(folder, 'journal.sqlite'))
})
afterEach(() => {
  db.close()
  rmSync(folder, { recursive: true })
})

const event = (n: number, overrides: Partial<NewEvent> = {}): NewEvent => ({
  deviceId: asId(5),
  at: '2026-11-24T00:00:00.000Z',
  type: 'opened',
  data: { n },
  isCritical: false,
  ...overrides,
})
const all = (journal: EventJournal) => journal.oldest(100_000, 1e9)
const countTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1)

it('events are numbered over the life of the file, also after all were stored', () => {
  const journal = new EventJournal(db, 1e6)
  journal.append(countTo(3).map(n => event(n)))
  journal.acknowledge(3)
  expect(journal.count).toBe(0)
  reopen()
  const again = new EventJournal(db, 1e6)
  again.append([event(4)])
  expect(all(again).map(e => e.seq)).toEqual([4])
  expect(again.lastSeq).toBe(4)
})

it('an event tells how long ago it came in, though the clock was set and the program started again since', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('1970-01-01T00:05:00.000Z') })
  const journal = new EventJournal(db, 1e6)
  const recorded = recordedNow()
  const { stamp } = recorded
  const hourBefore = {
    ...stamp,
    monotonicMs: stamp.monotonicMs - 3_600_000,
    uptimeMs: stamp.uptimeMs - 3_600_000,
  }
  journal.append([
    event(1, { recorded: { ...recorded, stamp: hourBefore } }),
    event(2),
    event(3, { recorded: { ...recorded, stamp: { ...stamp, boot: 'another' } } }),
  ])
  vi.useRealTimers()
  reopen()
  const [aged, early, otherBoot] = all(new EventJournal(db, 1e6))
  expect(aged?.recordedAt).toBe('1970-01-01T00:05:00.000Z')
  expect(Math.abs((aged?.ageMs ?? 0) - 3_600_000)).toBeLessThan(60_000)
  // Of an earlier version's buffer, and of another start of the machine, nothing is known.
  expect([early, otherBoot].map(each => [each?.ageMs, each?.recordedAt])).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ])
})

it('an event that a device brings again counts once', () => {
  const journal = new EventJournal(db, 1e6)
  journal.append([event(1, { key: '1' }), event(1, { key: '1' }), event(2, { key: '2' })])
  journal.acknowledge(2)
  journal.append([event(2, { key: '2' }), event(1, { key: '1', deviceId: asId(6) })])
  expect(all(journal).map(e => e.deviceId)).toEqual([6])
})

it('a full buffer drops the oldest that are not critical, and says which', () => {
  const journal = new EventJournal(db, 10_000)
  journal.append([event(0, { type: 'alarm', isCritical: true })])
  for (const n of countTo(300)) {
    journal.append([event(n)])
  }
  const kept = all(journal)
  expect(kept.reduce((sum, e) => sum + JSON.stringify(e).length, 0)).toBeLessThan(16_000)
  expect(kept.some(e => e.type === 'alarm')).toBe(true)
  expect(kept.findLast(e => e.type === 'opened')?.data.n).toBe(300)
  const dropped = kept.filter(e => e.type === 'eventsDropped').map(e => Number(e.data.count))
  const opened = kept.filter(e => e.type === 'opened').length
  expect(dropped.reduce((sum, n) => sum + n, 0) + opened).toBe(300)
})

it('what is too large for a message is reported without its content', () => {
  const journal = new EventJournal(db, 1e9)
  journal.append([event(1, { data: { picture: 'x'.repeat(1_500_000) } })])
  expect(Object.keys(all(journal)[0]?.data ?? {})).toEqual(['omittedBytes'])
})

it('a server that knows numbers which were never given here is gone on from', () => {
  const journal = new EventJournal(db, 1e6)
  journal.append(countTo(3).map(n => event(n)))
  journal.continueAfter(500)
  expect(all(journal).map(e => [e.seq, e.data.n])).toEqual([
    [501, 1],
    [502, 2],
    [503, 3],
  ])
  journal.append([event(4)])
  expect(journal.lastSeq).toBe(504)
  const empty = new EventJournal(openDatabase(join(folder, 'other.sqlite')), 1e6)
  empty.continueAfter(7)
  empty.append([event(1)])
  expect(all(empty).map(e => e.seq)).toEqual([8])
})

it('nothing of a batch stays when it cannot be written whole', () => {
  const journal = new EventJournal(db, 1e6)
  const wrong = event(2)
  Object.defineProperty(wrong, 'type', { get: () => expect.unreachable() })
  expect(() => journal.append([event(1), wrong])).toThrow()
  expect(journal.count).toBe(0)
  expect(all(journal)).toEqual([])
  // A full disk, as SQLite meets it.
  const { page_count: pages } = db.prepare('pragma page_count').get() ?? {}
  db.exec(`pragma max_page_count = ${Number(pages)}`)
  const fill = (): void =>
    countTo(100).forEach(n => journal.append([event(n, { data: { text: 'x'.repeat(5000) } })]))
  expect(fill).toThrow(expect.toSatisfy(isDiskFull))
  const { count } = journal
  expect(all(journal)).toHaveLength(count)
  db.exec('pragma max_page_count = 100000')
  journal.append([event(7)])
  expect(journal.count).toBe(count + 1)
})

it('a file that another process has open is not opened', () => {
  const script = `import { openDatabase } from './journal.ts'; openDatabase(process.argv[1])`
  const open = (): Buffer =>
    execFileSync(process.execPath, ['--input-type=module', '-e', script, join(folder, 'journal.sqlite')], {
      cwd: import.meta.dirname,
      stdio: 'pipe',
    })
  expect(open).toThrow('数据目录正被另一个网关程序使用')
}, 30_000)

const command = (taskId: number): CommandMessage => ({
  kind: 'command',
  taskId: asId(taskId),
  command: 'listProcesses',
  deviceId: 0,
  input: { a: 1 },
  timeoutMs: 1000,
})

it('a task keeps its first result until that is stored, and its id afterwards', () => {
  const journal = new TaskJournal(db)
  journal.insert(command(1), 'boot', 'received')
  journal.insert(command(2), 'boot', 'received')
  journal.start(asId(1))
  expect(journal.unfinished().map(task => [task.command.taskId, task.state])).toEqual([
    [1, 'running'],
    [2, 'received'],
  ])
  journal.finish({ taskId: asId(1), outcome: 'done', data: [1] })
  journal.finish({ taskId: asId(1), outcome: 'failed', reason: 'later' })
  journal.release([asId(2)])
  reopen()
  const again = new TaskJournal(db)
  expect(again.unreportedIds()).toEqual([1])
  expect(again.resultOf(asId(1))).toEqual({ taskId: 1, outcome: 'done', data: [1] })
  expect(again.unfinished()[0]).toMatchObject({ command: command(2), bootId: 'boot' })
  again.release([asId(1)])
  expect(again.stateOf(asId(1))).toBe('stored')
  expect(again.resultOf(asId(1))).toBeUndefined()
})

it('a result fits its message whatever it holds', () => {
  const size = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))
  const results = [
    { data: Array.from({ length: 50_000 }, (_, i) => ({ name: `名称 ${i}`, size: i })) },
    { output: '\u0001'.repeat(256_000), data: { text: '字'.repeat(500_000) } },
    { output: '字'.repeat(900_000), reason: 'failed' },
    { data: ['x'.repeat(2_000_000)] },
    { output: 'o', reason: 'r'.repeat(5000) },
  ]
  for (const result of results) {
    const limited = limitResult({ taskId: asId(1), outcome: 'done', ...result })
    expect(size(limited)).toBeLessThan(1_000_000)
    expect(limited.output).not.toBe('')
    expect(limited.reason?.length ?? 0).toBeLessThan(2000)
  }
  const small = { taskId: asId(1), outcome: 'done', data: [1, 2] } as const
  expect(limitResult(small)).toBe(small)
})
