import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDaysToMoment } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { getWorkQueues } from '#modules/system/contract/work-queue.ts'
import { openOrderFixture, type OrderFixture } from './order.fixtures.ts'

let f: OrderFixture

beforeAll(async () => {
  f = await openOrderFixture()
})

afterAll(() => f?.close())

it('the workbench names the order that was registered first, whichever was stored first', async () => {
  await f.register()
  await f.advance(1)
  const stored = await f.register()
  const registerTime = addDaysToMoment(stored.registerTime, -90)
  await f.t.database.tx(f.t.ownerId, tx =>
    tx.execute(sql`
      update work_order
      set register_time = ${registerTime}::timestamptz
      where owner_id = ${f.t.ownerId} and id = ${stored.id}
    `),
  )
  const { queues } = await f.t.call(getWorkQueues, undefined, f.dispatcher)
  expect(queues.find(queue => queue.key === 'work-orders.dispatch')).toMatchObject({ since: registerTime })
})
