import { defined } from '#kit/domain/defined.ts'
import { asId } from '#kit/domain/id.ts'
import fc from 'fast-check'
import { expect, it, assert } from 'vitest'
import { compare, sub, sum, type Decimal } from '#kit/domain/decimal.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import type { Meter } from '../contract/meter.ts'
import type { BookMeter, BookReading, ReadingBook } from './meter-history.ts'
import { applyEntry, removeReading } from './reading-changes.ts'
import { type EntryOptions } from './entry-validation.ts'

const createMeter = (overrides: Partial<Meter> = {}): Meter => ({
  id: asId(1),
  projectCode: 'P',
  meterNo: 'M1',
  meterKind: 'power',
  meterUse: 'household',
  multiple: '3',
  digits: 4,
  decimals: 0,
  initNum: '0',
  installDate: '2025-01-01',
  isSmart: false,
  prepayMode: 'after',
  state: 'active',
  ...overrides,
})

const createBook = (m: Meter, replacedUsage: Decimal = '0'): { book: ReadingBook; leaf: BookMeter } => {
  const leaf: BookMeter = { meter: m, rows: [], replacedUsage }
  return {
    leaf,
    book: {
      meters: new Map([[m.id, leaf]]),
      plans: new Map(),
      changed: new Set(),
      removed: new Set(),
      previous: new Map(),
      lastYear: new Map(),
    },
  }
}

const entryOptions: EntryOptions = { source: 'office', today: '2030-01-01', monthly: false }
const dayAt = (n: number): Day => addDays('2025-01-01', n)

/** What `saveBook` does to them: they have ids of their own from then on. */
const markSaved = (leaf: BookMeter): void => {
  for (const r of leaf.rows) {
    if (r.id < 0) {
      Object.assign(r, { id: asId(-r.id) })
    }
  }
}

const sumUsage = (rows: readonly BookReading[]): Decimal => sum(rows.flatMap(r => r.usage ?? []))

const createRegisters = (a: number, b: number, last: readonly [Decimal, Decimal] = ['0', '0']) => [
  { name: '峰', last: last[0], current: String(a), price: '1' },
  { name: '谷', last: last[1], current: String(b), price: '0.3' },
]

it('a rolling counter: in any order of entries, edits and removals the total usage is what was used', () => {
  // Each step is what was used since the one before: at most a third of the counter, so that only a top gone
  // through looks like one.
  const step = fc.integer({ min: 1, max: 90 })
  const change = fc.tuple(fc.constantFrom('drop', 'change'), fc.nat(20))
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 8 }),
      fc.array(fc.nat(99), { maxLength: 8 }),
      fc.array(change, { maxLength: 6 }),
      (steps, order, changes) => {
        const { book, leaf } = createBook(createMeter({ digits: 3, initNum: '950' }))
        const total = steps.map((_, i) => steps.slice(0, i + 1).reduce((a, b) => a + b, 0))
        const at = (i: number): number => (950 + defined(total[i])) % 1000
        const places = steps.map((_, i) => i).toSorted((a, b) => (order[a] ?? 0) - (order[b] ?? 0) || a - b)
        for (const i of places) {
          const before = leaf.rows.filter(r => r.readDate < dayAt(i + 1)).at(-1)?.curNum ?? '950'
          const got = applyEntry(
            book,
            asId(1),
            { readDate: dayAt(i + 1), curNum: String(at(i)), isRollover: at(i) < Number(before) },
            entryOptions,
          )
          expect(got).toMatchObject({ kind: 'placed' })
          markSaved(leaf)
        }
        for (const [what, n] of changes) {
          const r = leaf.rows[n % leaf.rows.length]
          if (!r || leaf.rows.length < 2) continue
          if (what === 'drop') {
            removeReading(book, asId(1), r.id)
          } else {
            applyEntry(
              book,
              asId(1),
              { id: r.id, readDate: r.readDate, curNum: r.curNum, isRollover: r.isRollover },
              entryOptions,
            )
          }
        }
        const newest = defined(leaf.rows.at(-1))
        const i = Math.round((Date.parse(newest.readDate) - Date.parse('2025-01-01')) / 86_400_000) - 1
        expect(sumUsage(leaf.rows)).toBe(String(defined(total[i]) * 3))
      },
    ),
  )
})

it('MTR-15 registers: in any order of entries, edits and removals each one counts its own usage', () => {
  const step = fc.tuple(fc.nat(50), fc.nat(50))
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 8 }),
      fc.array(fc.nat(99), { maxLength: 8 }),
      fc.array(fc.nat(20), { maxLength: 5 }),
      (steps, order, drop) => {
        const { book, leaf } = createBook(createMeter({ initNum: '30' }))
        const startOf = [10, 20] as const
        const upTo = (i: number, k: 0 | 1): number =>
          startOf[k] + steps.slice(0, i + 1).reduce((n, s) => n + s[k], 0)
        for (const i of steps
          .map((_, at) => at)
          .toSorted((a, b) => (order[a] ?? 0) - (order[b] ?? 0) || a - b)) {
          expect(
            applyEntry(
              book,
              asId(1),
              { readDate: dayAt(i + 1), registers: createRegisters(upTo(i, 0), upTo(i, 1), ['10', '20']) },
              entryOptions,
            ),
          ).toMatchObject({ kind: 'placed' })
          markSaved(leaf)
        }
        for (const n of drop) {
          if (leaf.rows.length > 1) {
            expect(removeReading(book, asId(1), defined(leaf.rows[n % leaf.rows.length]).id)).toBeUndefined()
          }
        }
        const newest = defined(leaf.rows.at(-1))
        const i = Math.round((Date.parse(newest.readDate) - Date.parse('2025-01-01')) / 86_400_000) - 1
        expect(sumUsage(leaf.rows)).toBe(String((upTo(i, 0) + upTo(i, 1) - 30) * 3))
        for (const [k, name] of [
          [0, '峰'],
          [1, '谷'],
        ] as const) {
          expect(
            sum(
              leaf.rows.map(r => {
                const x = defined(defined(r.registers).find(register => register.name === name))
                return sub(x.current, x.last)
              }),
            ),
          ).toBe(String(upTo(i, k) - startOf[k]))
        }
      },
    ),
  )
})

it('MTR-15, MTR-4 a reading without registers in between is not counted again by the next one’s; what registers showed before anybody looked is no usage', () => {
  const { book, leaf } = createBook(createMeter({ initNum: '50', multiple: '1' }))
  // The collector says of each register what it shows since it was made: 40 and 20 are no usage.
  applyEntry(book, asId(1), { readDate: dayAt(1), registers: createRegisters(40, 20) }, entryOptions)
  markSaved(leaf)
  expect(leaf.rows[0]).toMatchObject({ usage: '10', registers: [{ last: '40' }, { last: '20' }] })
  applyEntry(book, asId(1), { readDate: dayAt(2), curNum: '70' }, entryOptions)
  markSaved(leaf)
  applyEntry(book, asId(1), { readDate: dayAt(3), registers: createRegisters(52, 30) }, entryOptions)
  markSaved(leaf)
  expect(leaf.rows.map(r => r.usage)).toEqual(['10', '10', '12'])
  expect(defined(defined(leaf.rows[2]).registers).map(x => x.last)).toEqual(['40', '20'])
})

it('MTR-4, MTR-11 a base stays one when it is changed, is none behind another reading, and never swallows what an old meter counted', () => {
  const { book, leaf } = createBook(createMeter())
  applyEntry(book, asId(1), { readDate: dayAt(5), curNum: '1234', isBase: true }, entryOptions)
  markSaved(leaf)
  applyEntry(book, asId(1), { readDate: dayAt(9), curNum: '1240' }, entryOptions)
  markSaved(leaf)
  applyEntry(
    book,
    asId(1),
    { id: defined(leaf.rows[0]).id, readDate: dayAt(5), curNum: '1235' },
    entryOptions,
  )
  expect(leaf.rows.map(r => [r.isBase, r.usage])).toEqual([
    [true, undefined],
    [false, '15'],
  ])
  applyEntry(book, asId(1), { readDate: dayAt(2), curNum: '1200' }, entryOptions)
  markSaved(leaf)
  expect(leaf.rows.map(r => [r.isBase, r.usage])).toEqual([
    [false, '3600'],
    [false, '105'],
    [false, '15'],
  ])
  const after = createBook(createMeter(), '80.3')
  expect(
    applyEntry(after.book, asId(1), { readDate: dayAt(3), curNum: '10', isBase: true }, entryOptions),
  ).toEqual({
    kind: 'refused',
    field: 'IsBase',
    why: expect.stringContaining('80.3'),
  })
  expect(compare(sumUsage(after.leaf.rows), '0')).toBe(0)
})

it('MTR-15 registers that go on must add up to the counter, but for what each leaves off; one may roll over alone; each is a number of the meter', () => {
  const { book, leaf } = createBook(createMeter({ initNum: '0', multiple: '1', decimals: 1 }))
  const registerInput = (a: string, b: string) => [
    { name: '峰', current: a },
    { name: '谷', current: b },
  ]
  expect(
    applyEntry(
      book,
      asId(1),
      {
        readDate: dayAt(1),
        curNum: '9990',
        registers: [
          { name: '峰', last: '0', current: '9950', price: '1' },
          { name: '谷', last: '0', current: '40', price: '0.3' },
        ],
      },
      entryOptions,
    ),
  ).toMatchObject({ kind: 'placed' })
  markSaved(leaf)
  expect(
    applyEntry(
      book,
      asId(1),
      { readDate: dayAt(2), curNum: '60', isRollover: true, registers: registerInput('9960', '70') },
      entryOptions,
    ),
  ).toEqual({ kind: 'refused', field: 'CurNum', why: '各时段用量合计 40，总用量 70，两者不符，请核对' })
  expect(
    [
      ['峰', '9970.25'],
      ['峰', '10000'],
      ['谷', '70'],
    ].map(([name, current]) => {
      const outcome = applyEntry(
        book,
        asId(1),
        {
          readDate: dayAt(2),
          curNum: '60',
          isRollover: true,
          registers: [
            ...registerInput('9980', '80').slice(1),
            { name: defined(name), current: defined(current) },
          ],
        },
        entryOptions,
      )
      assert(outcome.kind === 'refused')
      return outcome.why
    }),
  ).toEqual([
    '时段「峰」该表读数最多 1 位小数',
    '时段「峰」读数超过表的最大值，应小于 10000，请核对',
    '时段「谷」填了两次',
  ])
  // 20.1 + 50 against 70.2: less than a digit of each.
  expect(
    applyEntry(
      book,
      asId(1),
      { readDate: dayAt(2), curNum: '60.2', isRollover: true, registers: registerInput('9970.1', '90') },
      entryOptions,
    ),
  ).toMatchObject({
    kind: 'placed',
    row: {
      usage: '70.1',
      registers: [
        { last: '9950', price: '1' },
        { last: '40', price: '0.3' },
      ],
    },
  })
  markSaved(leaf)
  // The peak alone goes through its top: 9,970.1 to 30.1 is 60, and 10 of the valley.
  expect(
    applyEntry(
      book,
      asId(1),
      { readDate: dayAt(3), curNum: '130.2', registers: registerInput('30.1', '100') },
      entryOptions,
    ),
  ).toMatchObject({ kind: 'placed', row: { usage: '70', isRollover: false } })
  markSaved(leaf)
  // A changed total says nothing of the registers; the same one keeps them.
  const last = defined(leaf.rows.at(-1))
  expect(
    applyEntry(book, asId(1), { id: last.id, readDate: dayAt(3), curNum: '140' }, entryOptions),
  ).toMatchObject({
    kind: 'refused',
    field: 'RegistersJson',
  })
  expect(
    applyEntry(book, asId(1), { id: last.id, readDate: dayAt(4), curNum: '130.2' }, entryOptions),
  ).toMatchObject({
    kind: 'placed',
    row: { registers: [{ current: '30.1' }, { current: '100' }], usage: '70' },
  })
})
