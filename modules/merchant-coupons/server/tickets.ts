import { codeOf } from '#kit/contract/field.ts'
import { notFound } from '#kit/contract/wire.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { bulkResultOf, judgeRecords } from '#kit/server/bulk-result.ts'
import { sql } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { code, equalsAny, touch } from '#kit/server/sql.ts'
import { contains, findByIds, findPage } from '#kit/server/table.ts'
import { normalizePlate } from '#modules/parking/contract/licence-plate.ts'
import { ticketState } from '../contract/choices.ts'
import {
  exportTickets,
  listUsedTickets,
  merchantTicket,
  merchantTickets,
  withdrawTickets,
  type MerchantTicket,
} from '../contract/ticket.ts'
import type { CouponContext } from './coupon-context.ts'
import { lockStock, moveStock } from './stock.ts'

export const ticketServer = crudHandlers(merchantTickets, {
  unique: {
    merchant_ticket_day: '该车牌今日已达到领取上限',
    merchant_ticket_stay: '本次停车已领取过该停车券',
  },
  keyword: word =>
    sql`(${contains(sql`t.plate_no`, normalizePlate(word))} or ${contains(sql`t.ticket_no`, word.toUpperCase())})`,
  export: exportTickets,
})

function withdrawRefusal({ state, stayId, validTo }: MerchantTicket, today: Day): string | undefined {
  if (state === 'used') return '已使用'
  if (state === 'withdrawn') return '已撤回'
  if (state === 'expired' || validTo < today) return '已过期'
  return stayId === undefined ? undefined : '车主正在支付，请稍后再试'
}

/** Back to the stocks of their merchants, those that nobody has used or is paying with (TKT-12). */
export async function withdraw(c: CouponContext, tickets: readonly MerchantTicket[], reason: string) {
  const { tx, scope, today } = c
  const keys = new Map(tickets.map(ticket => [`${ticket.merchantId}/${ticket.couponId}`, ticket]))
  for (const key of [...keys.values()].toSorted(
    (a, b) => a.couponId - b.couponId || a.merchantId - b.merchantId,
  )) {
    await lockStock(tx, scope.ownerId, key)
  }
  const ids = tickets.map(({ id }) => id)
  const done = await tx.rows<{ id: Id }>(sql`
    update merchant_parking_ticket
    set state = ${code(ticketState, 'withdrawn')}, withdraw_reason = ${reason}, ${touch(scope)}
    where owner_id = ${scope.ownerId}
      and id ${equalsAny(ids)}
      and state = ${codeOf(ticketState, 'unused')}
      and stay_id is null
      and valid_to >= ${today}::date
    returning id
  `)
  const withdrawn = new Set(done.map(({ id }) => id))
  for (const [key, one] of keys) {
    const of = tickets.filter(ticket => `${ticket.merchantId}/${ticket.couponId}` === key)
    const returned = of.filter(({ id }) => withdrawn.has(id))
    await moveStock(tx, scope, {
      projectCode: one.projectCode,
      merchantId: one.merchantId,
      couponId: one.couponId,
      type: 'withdrawn',
      qty: returned.length,
      refNo: returned[0]?.ticketNo,
    })
  }
  return withdrawn
}

export const ticketHandlers = [
  writes(withdrawTickets, async ({ ids, reason }, c) => {
    const { tx, scope, today } = c
    const found = await findByIds(tx, merchantTicket, scope, ids.map(parseId))
    if (!found.length) throw notFound()
    const { allowed, refused } = judgeRecords(
      found,
      ticket => withdrawRefusal(ticket, today),
      ({ ticketNo }) => ticketNo,
    )
    const withdrawn = allowed.length ? await withdraw(c, allowed, reason) : new Set<Id>()
    const late = allowed
      .filter(({ id }) => !withdrawn.has(id))
      .map(({ id, ticketNo }) => ({ id, code: ticketNo, reason: '刚刚被使用、撤回或用于支付，请刷新列表' }))
    return bulkResultOf(ids, found, [...refused, ...late], withdrawn.size)
  }),
  reads(listUsedTickets, ({ passNo, ...query }, { db, scope }) =>
    findPage(db, merchantTicket, scope, query, {
      filters: ['merchantId', 'couponId', 'parkId', 'plateNo', 'usedTime'],
      where: [
        sql`t.state = ${code(ticketState, 'used')}`,
        ...(passNo === undefined ? [] : [sql`t.used_pass_no = ${passNo}`]),
      ],
    }),
  ),
]
