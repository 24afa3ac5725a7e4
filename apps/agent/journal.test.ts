import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import {
  maxPartBytes,
  maxWholeOutputBytes,
  type AgentMessage,
} from '#modules/devices/contract/agent-protocol.ts'
import { EventJournal, isDiskFull, openDatabase, recordedNow, type NewEvent } from './journal.ts'
import { OutputSender } from './output-sender.ts'
import { limitResult, wholeOutputOf } from './result-limit.ts'
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

const longOutput = '输出'.repeat(100_000)
const keepLong = (journal: TaskJournal, taskId: number): void => {
  const result = { taskId: asId(taskId), outcome: 'done', output: longOutput } as const
  const limited = limitResult(result)
  journal.insert(command(taskId), 'boot', 'received')
  journal.finish(limited, wholeOutputOf(result, limited))
}

it('RMT-2 a long output is kept whole beside its result until that is stored, over a start', () => {
  keepLong(new TaskJournal(db), 1)
  reopen()
  const journal = new TaskJournal(db)
  const { whole, output = '' } = journal.resultOf(asId(1)) ?? {}
  expect(whole?.parts).toBe(Math.ceil(Buffer.byteLength(longOutput) / maxPartBytes))
  const parts = countTo(whole?.parts ?? 0).map(n => journal.outputPart(asId(1), n - 1))
  expect(Buffer.concat(parts).toString()).toBe(longOutput)
  expect(output).toMatch(/^[输出]+\n……输出共 600000 字节，省略中间 \d+ 字节……\n[输出]+$/)
  journal.release([asId(1)])
  expect(db.prepare('select count(*) as count from task_output').get()).toEqual({ count: 0 })
})

it('RMT-2 an output that is longer as text than the server keeps has one byte more than that', () => {
  const result = { taskId: asId(1), outcome: 'done', output: '\ufffd'.repeat(4_000_000) } as const
  expect(wholeOutputOf(result, limitResult(result))?.length).toBe(maxWholeOutputBytes + 1)
})

it('RMT-2 parts go one by one before their result; a lost line begins all over under another attempt', () => {
  const journal = new TaskJournal(db)
  const sent: AgentMessage[] = []
  const sender = new OutputSender(journal, message => sent.push(message))
  const take = () => {
    const last = sent.at(-1)
    if (last?.kind !== 'outputPart') throw new Error(`${last?.kind} instead of a part`)
    return last
  }
  const tellAll = (): void => {
    for (const taskId of journal.unreportedIds()) {
      const kept = journal.resultOf(taskId)
      if (kept) {
        sender.send(kept)
      }
    }
  }
  keepLong(journal, 1)
  keepLong(journal, 2)
  // An earlier server.
  sender.begin(false)
  tellAll()
  expect(sent.splice(0).map(message => [message.kind, 'whole' in message])).toEqual([
    ['result', false],
    ['result', false],
  ])
  sender.begin(true)
  tellAll()
  tellAll()
  expect(sent).toHaveLength(1)
  const first = take()
  sender.acknowledge(first)
  sender.acknowledge(first)
  expect(
    sent.splice(0).map(message => message.kind === 'outputPart' && [message.taskId, message.part]),
  ).toEqual([
    [1, 0],
    [1, 1],
  ])
  sender.begin(true)
  tellAll()
  const again = take()
  expect([again.part, again.attempt === first.attempt]).toEqual([0, false])
  sender.acknowledge({ ...first, part: 0 })
  expect(sent).toHaveLength(1)
  while (sent.at(-1)?.kind === 'outputPart' && take().taskId === 1) {
    sender.acknowledge(take())
  }
  const result = sent.find(message => message.kind === 'result')
  expect(result).toMatchObject({ taskId: 1, whole: { attempt: again.attempt, parts: 5 } })
  // The next one follows by itself; refused, its result comes at once.
  sender.acknowledge({ ...take(), isRefused: true })
  expect(sent.at(-1)).toMatchObject({ kind: 'result', taskId: 2 })
})
