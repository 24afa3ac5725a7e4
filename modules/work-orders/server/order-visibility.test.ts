import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Id } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import { defined } from '#kit/domain/defined.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { readBody } from '#kit/server/fixtures/read-body.ts'
import { readXlsx } from 'hucre/xlsx'
import { chargeLines, charges, exportChargeLines, exportCharges } from '../contract/charge.ts'
import { evaluateOrder, evaluations, visits } from '../contract/evaluation.ts'
import { acceptOrder, dispatchOrder, finishOrder } from '../contract/order-actions.ts'
import { orders } from '../contract/order-list.ts'
import { saveOrderRole } from '../contract/person-config.ts'
import { orderRecords } from '../contract/record.ts'
import { openOrderFixture, projectCode, type OrderFixture } from './order.fixtures.ts'

let w: OrderFixture
/** Sees only the orders that were copied to it. */
let narrow: CallOptions
let narrowId: Id
/** Sees all of the types in its care, and those copied to it. */
let typed: CallOptions
/** Of a type in care, copied to both, and neither. */
let ofType: Id
let copied: Id
let other: Id

const keys = [
  'order.view',
  'charge.view',
  'charge.export',
  'material.view',
  'material.export',
  'evaluation.view',
]

/** Finished with a cost, rated low: a charge, a line, a rating and a visit stand. */
async function rated(typeId: Id, observerIds: readonly Id[]): Promise<Id> {
  const handler = defined(w.handlers[0])
  const { id } = await w.register({ typeId })
  const copies = observerIds.map(String)
  await w.t.call(dispatchOrder, { id, handlerId: handler.id, observerIds: copies }, w.dispatcher)
  await w.t.call(acceptOrder, { id }, handler.as)
  const line = { lineKind: 'labour', name: '人工', quantity: '1', price: asFen(3000) } as const
  await w.t.call(finishOrder, { id, resultText: '已处理', lines: [line] }, handler.as)
  await w.t.database.tx(w.t.ownerId, tx =>
    tx.execute(sql`update work_order set state = 70 where owner_id = ${w.t.ownerId} and id = ${id}`),
  )
  await w.t.call(evaluateOrder, { orderId: id, speedScore: 1, attitudeScore: 1, qualityScore: 1 }, w.front)
  return id
}

beforeAll(async () => {
  w = await openOrderFixture()
  const clerks = []
  for (const visibility of ['own', 'ownTypes'] as const) {
    const clerk = await w.t.addClerk(keys.map(key => `work-orders.${key}`))
    const found = await w.t.database
      .reader(w.t.ownerId)
      .one<{ id: Id }>(sql`select id from manager where login_code = ${clerk.loginCode}`)
    clerks.push({ ...clerk, id: defined(found).id, visibility })
  }
  const [first, second] = clerks
  narrow = defined(first).as
  narrowId = defined(first).id
  typed = defined(second).as
  const inCare = await w.addType()
  const elsewhere = await w.addType()
  for (const { id, visibility } of clerks) {
    await w.t.call(
      saveOrderRole,
      {
        roleName: `范围 ${visibility}`,
        managerIds: [String(id)],
        visibility,
        ...(visibility === 'ownTypes' ? { typeIds: [String(inCare.id)] } : {}),
      },
      w.owner,
    )
  }
  ofType = await rated(inCare.id, [])
  copied = await rated(elsewhere.id, [narrowId, defined(second).id])
  other = await rated(elsewhere.id, [])
}, 60_000)

afterAll(() => w?.close())

type ListRows = (as: CallOptions) => Promise<{ readonly rows: readonly { readonly orderId: Id }[] }>

const page = { projectCode, size: 2000 }
const lists: Readonly<Record<string, ListRows>> = {
  records: as => w.t.call(orderRecords.list, page, as),
  charges: as => w.t.call(charges.list, page, as),
  materials: as => w.t.call(chargeLines.list, page, as),
  ratings: as => w.t.call(evaluations.list, page, as),
  visits: as => w.t.call(visits.list, page, as),
}

const ordersIn = async (list: ListRows, as: CallOptions): Promise<Set<Id>> =>
  new Set((await list(as)).rows.map(row => row.orderId))

it.each(Object.entries(lists))(
  'WO-11: %s show the rows of the orders that the caller sees',
  async (_, list) => {
    expect([...(await ordersIn(list, w.owner))]).toEqual(expect.arrayContaining([ofType, copied, other]))
    expect(await ordersIn(list, narrow)).toEqual(new Set([copied]))
    expect(await ordersIn(list, typed)).toEqual(new Set([ofType, copied]))
  },
)

it('WO-11: the exports of costs and materials hold those of the orders that the caller sees', async () => {
  const orderNos = (await w.t.call(orders.list, { projectCode, size: 2000 }, narrow)).rows.map(o => o.orderNo)
  expect(orderNos).toHaveLength(1)
  const files = [
    await w.t.call(exportCharges.get, { projectCode }, narrow),
    await w.t.call(exportChargeLines.get, { projectCode }, narrow),
  ]
  for (const file of files) {
    const { sheets } = await readXlsx(await readBody(file))
    const cells = defined(sheets[0])
      .rows.flat()
      .filter(cell => /^GD\d+$/.test(String(cell)))
    expect(cells).toEqual(orderNos)
  }
})
