import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '#kit/server/db.ts'
import { openGolden, type GoldenWorld } from '../../../db/golden/world.ts'
import { goldenOwner } from './golden.ground.ts'
import { layBills, layItem, type Laid } from './ground.ts'
import { refreshLate } from './late-refresh.ts'

let t: GoldenWorld, owner = 0, item = 0, k = 0
beforeAll(async () => {
  t = await openGolden()
  owner = await goldenOwner(t.store)
  item = await t.store.tx(owner, tx => layItem(tx, owner, 'LATE', { late: true }))
})
afterAll(() => t?.close())
const made = (...list: Laid[]): Promise<number[]> => t.store.tx(owner, tx => layBills(tx, owner, item, list.map(b => ({ type: 20, source: `L${++k}`, ...b }))))
const due = async (id: number) => (await t.store.reader(owner).one<{ due: string; day?: string; version: number }>(sql`select late_fee_due::text as due, late_day as day, version from bill where id = ${id}`))!
const set = (id: number, to: string) => t.store.tx(owner, tx => tx.run(sql`update bill set ${sql.raw(to)} where id = ${id}`))

it('LATE-12, LATE-6: the daily job reckons every overdue bill from its history, and again the same', async () => {
  const [a, b, c, d, e, f] = await made({ amount: 8943, due: '2026-10-22' }, { amount: 120_000, paid: 50_000, due: '2026-10-01' }, { due: '2026-11-21' }, {}, {}, { amount: 10_000, due: '2020-01-01' })
  await t.store.tx(owner, tx => tx.run(sql`insert into bill_move (owner_id, bill_id, day, principal, late_fee, ref_type, ref_id) values (${owner}, ${b!}, '2026-10-31', 500, 0, 'test', 1)`))
  await set(d!, 'late_fee_manual = true, late_fee_due = 20')
  await set(e!, 'state = 30')
  expect(await refreshLate(t.store, owner, '2026-11-21', { chunk: 2 })).toEqual({ looked: 3, written: 3 })
  // T-LATE-01: 89.43 × 30 days; T-LATE-05 in kind: 1200 × 30 + 700 × 21 days; T-LATE-08; LATE-10; T-LATE-06: capped at the principal.
  expect((await Promise.all([a, b, c, d, e, f].map(id => due(id!)))).map(x => x.due)).toEqual(['1.34', '25.35', '0.00', '20.00', '0.00', '100.00'])
  expect(await due(a!)).toMatchObject({ day: '2026-11-21', version: 1 })
  expect(await refreshLate(t.store, owner, '2026-11-21')).toEqual({ looked: 0, written: 0 })
  // The next day the capped one is looked at and left alone.
  expect(await refreshLate(t.store, owner, '2026-11-22')).toEqual({ looked: 4, written: 3 })
  expect((await due(a!)).due).toBe('1.39')
})
it('LATE-1: the standard overrides the item; without a switch nothing is reckoned', async () => {
  const plain = await t.store.tx(owner, tx => layItem(tx, owner, 'NOLATE')), [a] = await made({ item: plain })
  await refreshLate(t.store, owner, '2026-11-23')
  expect((await due(a!)).due).toBe('0.00')
})
it('what a clerk changes meanwhile stays as he left it', async () => {
  const [a] = await made({})
  const reader = t.store.reader.bind(t.store)
  const racing = { ...t.store, reader: (...x: Parameters<typeof reader>) => { const db = reader(...x); return { ...db, rows: async <T>(q: never): Promise<T[]> => { const rows = await db.rows<T>(q); await set(a!, 'late_fee_waived = 0, late_fee_manual = true, late_fee_due = 5, version = version + 1'); return rows } } } }
  await refreshLate(racing as never, owner, '2026-11-24')
  expect((await due(a!)).due).toBe('5.00')
})
