import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '#kit/server/db.ts'
import { chargeLines, listCharges } from '../contract/charge.ts'
import { evaluations, listVisits } from '../contract/evaluation.ts'
import { openOrderFixture, projectCode, type OrderFixture } from './order.fixtures.ts'

let w: OrderFixture

/** More than a plan may go through once for each of them. */
const orderCount = 3000

const partTables = [
  'work_order',
  'work_order_evaluation',
  'work_order_visit',
  'work_order_charge',
  'work_order_charge_line',
] as const

const limits = {
  is24h: true,
  workdaysOnly: false,
  serviceBegin: '00:00',
  serviceEnd: '24:00',
  photoCount: 0,
  needAccept: false,
  needVisit: false,
  evaluateDays: 7,
}

/** As after an import or a restore: many rows of which the database has no statistics yet. */
beforeAll(async () => {
  w = await openOrderFixture({ handlerCount: 0 })
  const { ownerId, database } = w.t
  const { id: typeId, typeName } = w.typeOf('TS01')
  await database.tx('*', async tx => {
    for (const table of partTables) {
      await tx.execute(sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`)
    }
    await tx.execute(sql`
      insert into work_order (
        owner_id, project_code, order_no, type_id, type_name, category, address, title, content, state,
        register_time, limits, search_text
      )
      select ${ownerId}::bigint, ${projectCode}, 'GDX' || n, ${typeId}::bigint, ${typeName}, 10,
        '1栋1单元' || n, '水管漏水', '厨房水管漏水', 80, '2026-11-20', ${JSON.stringify(limits)}::jsonb, 'gdx' || n
      from generate_series(1, ${orderCount}::int) n
    `)
    await tx.execute(sql`
      insert into work_order_evaluation (
        owner_id, project_code, order_id, score, speed_score, attitude_score, quality_score, is_default,
        evaluate_time
      )
      select owner_id, project_code, id, 4, 4, 4, 4, false, register_time
      from work_order
      where owner_id = ${ownerId} and order_no like 'GDX%'
    `)
    await tx.execute(sql`
      insert into work_order_visit (owner_id, project_code, order_id, reason, state, due_time)
      select owner_id, project_code, id, 10, 10, register_time
      from work_order
      where owner_id = ${ownerId} and order_no like 'GDX%'
    `)
    await tx.execute(sql`
      insert into work_order_charge (
        owner_id, project_code, order_id, charge_kind, amount, discount_amount, paid_amount, state, charge_time
      )
      select owner_id, project_code, id, 10, 30, 0, 0, 0, register_time
      from work_order
      where owner_id = ${ownerId} and order_no like 'GDX%'
    `)
    await tx.execute(sql`
      insert into work_order_charge_line (
        owner_id, project_code, order_id, charge_id, line_kind, name, quantity, price, amount, use_time
      )
      select owner_id, project_code, order_id, id, 10, '人工', 1, 30, 30, charge_time
      from work_order_charge
      where owner_id = ${ownerId}
    `)
  })
}, 60_000)

afterAll(() => w?.close())

const searches = {
  ratings: (keyword: string) => w.t.call(evaluations.list, { keyword }, w.owner),
  visits: (keyword: string) => w.t.call(listVisits, { keyword }, w.owner),
  charges: (keyword: string) => w.t.call(listCharges, { keyword }, w.owner),
  materials: (keyword: string) => w.t.call(chargeLines.list, { keyword }, w.owner),
}

it.each(Object.entries(searches))(
  '%s are searched by their orders without statistics, also by a plan made for any values',
  async (_, search) => {
    const took: number[] = []
    // The database plans a statement for any values once it has come five times.
    for (let i = 0; i < 8; i++) {
      for (const keyword of ['GDX59', '没有这样的位置']) {
        const begin = performance.now()
        const { total } = await search(keyword)
        took.push(performance.now() - begin)
        expect(total > 0).toBe(keyword === 'GDX59')
      }
    }
    expect(Math.max(...took)).toBeLessThan(2500)
  },
  120_000,
)
