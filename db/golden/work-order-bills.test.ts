import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import { orderState } from '#modules/work-orders/contract/choices.ts'
import { openGoldenApp, type GoldenApp } from './golden-app.ts'
import { ownerScope } from './seed-estate.ts'
import { seedOrderBills } from './work-order-bills.ts'
import { seedWorkOrders } from './work-orders.ts'

let t: GoldenApp

beforeAll(async () => {
  t = await openGoldenApp()
})

afterAll(() => t?.close())

it('WO-11: nobody of the demo has an order that is outside their data domain', async () => {
  const { rows, everywhere } = await t.database.tx(t.ownerId, async tx => {
    const [all, limited] = await tx.rows<{ id: Id }>(sql`
      select id from manager where owner_id = ${t.ownerId} order by id limit 2
    `)
    const handlers = [
      { id: defined(limited).id, name: '一栋', domain: { GOLD0001: ['B1'] } },
      { id: defined(all).id, name: '全部' },
    ]
    const scope = ownerScope(t.ownerId, defined(all).id, '演示管理员')
    const plan = { project: 'GOLD0001', set: 'residential', count: 80, handlers, hasRooms: true } as const
    await seedWorkOrders(tx, scope, { ...plan, now: '2026-11-20 18:00:00' })
    const found = await tx.rows<{ handlerId: Id; buildCode?: string }>(sql`
      select handler_id, build_code from work_order where owner_id = ${t.ownerId} and handler_id is not null
    `)
    return { rows: found, everywhere: defined(all).id }
  })
  const limited = rows.filter(row => row.handlerId !== everywhere)
  expect(limited.length).toBeGreaterThan(0)
  expect(new Set(limited.map(row => row.buildCode))).toEqual(new Set(['B1']))
})

it('WO-8: orders of the demo that wait for their payment have bills of what they cost, once', async () => {
  const { operatorId } = defined(
    await t.database
      .reader(t.ownerId)
      .one<{ operatorId: Id }>(
        sql`select id as operator_id from manager where owner_id = ${t.ownerId} order by id limit 1`,
      ),
  )
  const scope = ownerScope(t.ownerId, operatorId, '演示管理员')
  const handlers = [{ id: operatorId, name: '工程甲' }]
  const plan = { project: 'GOLD0001', set: 'residential', count: 80, handlers, hasRooms: true } as const
  await t.database.tx(t.ownerId, async tx => {
    await tx.execute(sql`
      insert into work_order_setting (owner_id, key, enabled, value)
      select owner_id, 'feeItem', true, id from fee_item where owner_id = ${t.ownerId} and code = 'WXF'
      returning key
    `)
    await seedWorkOrders(tx, scope, { ...plan, now: '2026-11-20 18:00:00' })
    await seedOrderBills(tx, scope, '2026-11-20')
    await seedOrderBills(tx, scope, '2026-11-20')
  })
  const due = await t.database.reader(t.ownerId).rows<{ cost: string; billed: string[] | null }>(sql`
    select o.total_cost::text as cost,
      (
        select array_agg(b.amount::text)
        from bill b
        where b.owner_id = ${t.ownerId} and b.ref_type = 'workOrder' and b.ref_id = o.id
      ) as billed
    from work_order o
    where o.owner_id = ${t.ownerId} and o.state = ${code(orderState, 'unpaid')} and o.room_code is not null
  `)
  expect(due.length).toBeGreaterThan(0)
  expect(due.map(order => order.billed)).toEqual(due.map(order => [order.cost]))
})
