import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { asFen } from '#kit/domain/money.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '#kit/server/db.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { getBill } from '../contract/bill-detail.ts'
import { seedBillRows, seedFeeItem, type SeededBill } from './fixtures.ts'
import { refreshLateFees } from './late-fee-refresh.ts'

let t: GoldenApp
let ownerId: Id = 0
let item: Id = 0
let k = 0

beforeAll(async () => {
  t = await openGoldenApp()
  ownerId = t.ownerId
  item = await t.database.tx(ownerId, tx => seedFeeItem(tx, ownerId, 'LATE', { late: 'capped' }))
})

afterAll(() => t?.close())

const makeBills = (...list: SeededBill[]): Promise<Id[]> =>
  t.database.tx(ownerId, tx =>
    seedBillRows(
      tx,
      ownerId,
      item,
      list.map(b => ({ type: 20, source: `L${++k}`, ...b })),
    ),
  )

const due = async (id: Id) =>
  defined(
    await t.database
      .reader(ownerId)
      .one<{ due: string; day?: string; version: number }>(
        sql`select late_fee_due::text as due, late_day as day, version from bill where id = ${id}`,
      ),
  )

const set = (id: Id, to: string) =>
  t.database.tx(ownerId, tx => tx.execute(sql`update bill set ${sql.raw(to)} where id = ${id}`))

it('LATE-12, LATE-6: the daily job computes every overdue bill from its history, and a second run changes nothing', async () => {
  const [a, b, c, d, e, f] = await makeBills(
    { amount: asFen(8943), due: '2026-10-22' },
    { amount: asFen(120_000), paid: asFen(50_000), due: '2026-10-01' },
    { due: '2026-11-21' },
    {},
    {},
    { amount: asFen(10_000), due: '2020-01-01' },
  )
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`
        insert into bill_move (owner_id, bill_id, day, principal, late_fee, ref_type, ref_id)
        values (${ownerId}, ${defined(b)}, '2026-10-31', 500, 0, 'test', 1)
      `,
    ),
  )
  await set(defined(d), 'late_fee_manual = true, late_fee_due = 20')
  await set(defined(e), 'state = 30')
  expect(await refreshLateFees(t.database, ownerId, '2026-11-21', { chunk: 2 })).toEqual({
    looked: 3,
    written: 3,
  })
  // T-LATE-01: 89.43 × 30 days; T-LATE-05 in kind: 1200 × 30 + 700 × 21 days; T-LATE-08; LATE-10; T-LATE-06:
  // capped at the principal.
  expect((await Promise.all([a, b, c, d, e, f].map(id => due(defined(id))))).map(x => x.due)).toEqual([
    '1.34',
    '25.35',
    '0.00',
    '20.00',
    '0.00',
    '100.00',
  ])
  expect(await due(defined(a))).toMatchObject({ day: '2026-11-21', version: 1 })
  expect(await refreshLateFees(t.database, ownerId, '2026-11-21')).toEqual({ looked: 0, written: 0 })
  // The next day the capped one is looked at and left alone.
  expect(await refreshLateFees(t.database, ownerId, '2026-11-22')).toEqual({ looked: 4, written: 3 })
  expect((await due(defined(a))).due).toBe('1.39')
})

it('LATE-1: the standard overrides the item; one that no longer rules for itself follows it; switched off, the lists say what the cashier says', async () => {
  const plain = await t.database.tx(ownerId, tx => seedFeeItem(tx, ownerId, 'NOLATE'))
  const originalItem = item
  const own = defined(
    await t.database.tx(ownerId, tx =>
      tx.one<{ id: Id }>(
        sql`
        update fee_standard
        set late_fee_switch = true, late_rates = '[{"rate":"0.001"}]', grace_days = 0
        where id = (select min(id) from fee_standard where owner_id = ${ownerId})
        returning id
      `,
      ),
    ),
  ).id
  const [none, ruled, followed] = await makeBills(
    { item: plain, due: '2026-11-13' },
    { item: plain, due: '2026-11-13' },
    { due: '2026-11-13' },
  )
  const dues = async (day: Day) => {
    await refreshLateFees(t.database, ownerId, day)
    return (await Promise.all([none, ruled, followed].map(id => due(defined(id))))).map(x => x.due)
  }
  for (const id of [ruled, followed]) {
    await set(defined(id), `standard_id = ${own}`)
  }
  // 300.00 for ten days at 0.1 %.
  expect(await dues('2026-11-23')).toEqual(['0.00', '3.00', '3.00'])
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`update fee_standard set late_fee_switch = false where id = ${own}`),
  )
  // Eleven days at the item's 0.05 %; the other item has none.
  expect(await dues('2026-11-24')).toEqual(['0.00', '0.00', '1.65'])
  await set(defined(followed), 'late_fee_paid = 0.50')
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`update fee_item set late_fee_switch = false where id = ${originalItem}`),
  )
  expect(await dues('2026-11-25')).toEqual(['0.00', '0.00', '0.50'])
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`update fee_item set late_fee_switch = true where id = ${originalItem}`),
  )
})

it('a clerk’s concurrent change is kept', async () => {
  const [a] = await makeBills({})
  const reader = t.database.reader.bind(t.database)
  const racing = {
    ...t.database,
    reader: (...x: Parameters<typeof reader>) => {
      const db = reader(...x)
      return {
        ...db,
        rows: async <T>(q: never): Promise<T[]> => {
          const rows = await db.rows<T>(q)
          await set(
            defined(a),
            'late_fee_waived = 0, late_fee_manual = true, late_fee_due = 5, version = version + 1',
          )
          return rows
        },
      }
    },
  }
  await refreshLateFees(racing, ownerId, '2026-11-24')
  expect((await due(defined(a))).due).toBe('5.00')
})

it('the explanation of a late fee adds up to the amount due, under every policy', async () => {
  const own = await t.database.tx(ownerId, tx => seedFeeItem(tx, ownerId, 'TOLD', { late: 'capped' }))
  const [a, b] = await makeBills({ item: own, due: '2026-10-22' }, { item: own, due: '2026-10-22' })
  const me = await t.owner
  await set(defined(b), 'refund_state = 2')
  const explainLateFee = async (
    policy: string,
    id = defined(a),
  ): Promise<readonly [string, number | undefined]> => {
    await t.database.tx(ownerId, tx =>
      tx.execute(
        sql`
          update fee_item
          set grace_days = 0, grace_mode = 1, late_fee_cap_mode = 0, late_fee_cap_value = null,
            late_fee_min_principal = null, late_fee_min_amount = null, late_fee_begin_date = null
          where id = ${own}
        `,
      ),
    )
    if (policy) {
      await t.database.tx(ownerId, tx =>
        tx.execute(sql`update fee_item set ${sql.raw(policy)} where id = ${own}`),
      )
    }
    const line = defined((await t.call(getBill, { id }, me)).explanation.find(l => l.label === '违约金'))
    return [line.words, line.amount]
  }
  expect(await explainLateFee('')).toEqual(['300.00 × 0.05%/天 × 30 天', 450])
  expect(await explainLateFee("late_fee_begin_date = '2026-11-12'")).toEqual([
    '300.00 × 0.05%/天 × 10 天',
    150,
  ])
  expect(await explainLateFee("late_fee_begin_date = '2026-12-01'")).toEqual(['2026-12-01 起才计违约金', 0])
  expect(await explainLateFee('grace_days = 10, grace_mode = 2')).toEqual(['300.00 × 0.05%/天 × 20 天', 300])
  expect(await explainLateFee('grace_days = 30')).toEqual(['逾期 30 天，在 30 天宽限期内', 0])
  expect(await explainLateFee('late_fee_cap_mode = 3, late_fee_cap_value = 12')).toEqual([
    '300.00 × 0.05%/天 × 12 天',
    180,
  ])
  expect(await explainLateFee('late_fee_min_principal = 300.01')).toEqual([
    '未缴本金不足 300.01 元，不计违约金',
    0,
  ])
  expect(await explainLateFee('late_fee_min_amount = 5')).toEqual([
    '300.00 × 0.05%/天 × 30 天，不足 5.00 元不收',
    0,
  ])
  expect((await explainLateFee('', b))[0]).toBe('按每天未缴的本金 × 0.05%/天，逾期 30 天分段累计')
})

it('the nightly job skips locked bills and causes no deadlock', async () => {
  const [a, b] = await makeBills({}, {})
  await t.database.tx(ownerId, async tx => {
    await tx.rows(sql`select 1 from bill where id = ${defined(b)} for update`)
    expect(
      await Promise.race([
        refreshLateFees(t.database, ownerId, '2026-11-28').then(() => 'done'),
        new Promise(done => {
          setTimeout(done, 5000, 'waits')
        }),
      ]),
    ).toBe('done')
  })
  expect((await due(defined(a))).due).not.toBe('0.00')
  expect((await due(defined(b))).due).toBe('0.00')
})
