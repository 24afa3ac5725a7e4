import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { clockScope } from '#kit/server/scope.ts'
import { findByIds } from '#kit/server/table.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { deliveredSms } from '#modules/accounts/server/sms-simulator.ts'
import { bookReports } from '#modules/messaging/server/booking.ts'
import { channelOf, registerChannel } from '#modules/messaging/server/channels.ts'
import { bill } from '../contract/bill.ts'
import { feeNotice } from '../contract/notice.ts'
import { resendNotices } from '../contract/reminder.ts'
import { seedBillRows, seedFeeItem } from './fixtures.ts'
import { sendQueuedNotices } from './notice-sending.ts'

let t: GoldenApp
let me: CallOptions
let ownerId: Id = 0
let item: Id = 0
let count = 0

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
  ownerId = t.ownerId
  item = await t.database.tx(ownerId, tx => seedFeeItem(tx, ownerId, 'REPORT'))
})

afterAll(() => t?.close())

const scope = () => clockScope(t.app, ownerId)
const db = () => t.database.reader(ownerId)

/** A notice by SMS about one bill, sent. */
async function sendOne() {
  const source = `R${++count}`
  const mobile = `1381234${String(1000 + count)}`
  const [billId] = await t.database.tx(ownerId, tx =>
    seedBillRows(tx, ownerId, item, [{ source, name: source, mobile }]),
  )
  const id = await t.database.tx(ownerId, async tx => {
    const row = await tx.one<{ id: Id }>(sql`
      insert into fee_notice (
        owner_id, project_code, source_type, source_code, source_name, bill_ids, bill_count, total_amount,
        channel, level, content, state, payer_mobile
      )
      values (
        ${ownerId}, 'GOLD0001', 10, ${source}, ${source}, array[${String(billId)}], 1, 300, 10, 1, '请缴费', 10,
        ${mobile}
      )
      returning id
    `)
    return defined(row).id
  })
  await sendQueuedNotices(t.app, ownerId, [id])
  return { id, mobile, billId: defined(billId) }
}

const read = async ({ id, billId }: { id: Id; billId: Id }) => {
  const [notice] = await findByIds(db(), feeNotice, scope(), [id])
  const [billed] = await findByIds(db(), bill, scope(), [billId])
  return {
    state: notice?.state,
    failReason: notice?.failReason,
    urgeCount: billed?.urgeCount,
    isUrged: billed?.lastUrgeTime !== undefined,
  }
}

const messagesOf = async (id: Id): Promise<Id[]> => {
  const rows = await db().rows<{ id: Id }>(sql`
    select id
    from outgoing_message
    where owner_id = ${ownerId} and source = 'bills.notice' and biz_id = ${id}
    order by id
  `)
  return rows.map(row => row.id)
}

const report = (id: Id, state: 'delivered' | 'failed', reason?: string) =>
  t.database.tx(ownerId, tx => bookReports(tx, scope(), [{ id, state, reason }], fromInstant(t.app.clock())))

const smsTo = (mobile: string) => deliveredSms(t.app).filter(sms => sms.mobile === mobile).length

it('a notice whose number turns out not to exist failed: it counts no more, and can be sent again', async () => {
  const sent = await sendOne()
  expect(await read(sent)).toMatchObject({ state: 'sent', urgeCount: 1, isUrged: true })
  await report(defined((await messagesOf(sent.id))[0]), 'failed', '空号')
  expect(await read(sent)).toEqual({ state: 'failed', failReason: '空号', urgeCount: 0, isUrged: false })
  expect(await t.call(resendNotices, { ids: [String(sent.id)] }, me)).toMatchObject({ success: 1 })
  await vi.waitFor(
    async () => expect(await read(sent)).toMatchObject({ state: 'sent', urgeCount: 1 }),
    10_000,
  )
  expect(smsTo(sent.mobile)).toBe(2)
  await report(defined((await messagesOf(sent.id))[1]), 'delivered')
  expect(await read(sent)).toMatchObject({ state: 'sent', urgeCount: 1 })
})

it('a notice of which nobody knew arrived, by its report: it is not sent a second time', async () => {
  const lost = await sendOne()
  const [message] = await messagesOf(lost.id)
  await t.database.tx(ownerId, async tx => {
    await tx.execute(sql`
      update outgoing_message set state = 25 where owner_id = ${ownerId} and id = ${defined(message)}
    `)
    await tx.execute(sql`
      update fee_notice set state = 10, fail_reason = '无答复' where owner_id = ${ownerId} and id = ${lost.id}
    `)
    await tx.execute(sql`
      update bill set urge_count = 0, last_urge_time = null where owner_id = ${ownerId} and id = ${lost.billId}
    `)
  })
  // The clerk has it sent again, and it waits in the queue.
  await report(defined(message), 'delivered')
  expect(await read(lost)).toEqual({ state: 'sent', failReason: undefined, urgeCount: 1, isUrged: true })
  await sendQueuedNotices(t.app, ownerId, [lost.id])
  expect(smsTo(lost.mobile)).toBe(1)
  expect(await t.call(resendNotices, { ids: [String(lost.id)] }, me)).toMatchObject({
    success: 0,
    skipped: 1,
  })
})

it('a report that comes while a notice is being sent is not lost', async () => {
  const real = channelOf('sms')
  registerChannel('sms', {
    ...real,
    send: async (app, message) => {
      const answer = await real.send(app, message)
      await report(message.id, 'failed', '停机')
      return answer
    },
  })
  try {
    expect(await read(await sendOne())).toMatchObject({ state: 'failed', urgeCount: 0, isUrged: false })
  } finally {
    registerChannel('sms', real)
  }
})
