import { readFile } from 'node:fs/promises'
import { codeOf } from '#kit/contract/field.ts'
import { Refused, code, refuse, wrong } from '#kit/contract/wire.ts'
import { dayAt } from '#kit/domain/moment.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { greets, reads, writes, type Arriving } from '#kit/server/handle.ts'
import type { Scope } from '#kit/server/scope.ts'
import { exportHandlers } from '#kit/server/sheets.ts'
import { byIds, need, page } from '#kit/server/table.ts'
import { billOf, billRows } from '#modules/payments/server/public.ts'
import { noticeKind, notify } from '#modules/system/server/public.ts'
import {
  billFilters,
  billLine,
  channelBill,
  checkBill,
  escalateItems,
  exportItems,
  exportLines,
  handleItems,
  importBill,
  itemColumns,
  itemFilters,
  lineColumns,
  lineFilters,
  listBills,
  listItems,
  listLines,
  oneBill,
  pullBill,
  reconcileItem,
} from '../contract/bill.ts'
import { handleResult } from '../contract/choices.ts'
import { handleRefusal } from '../domain/item.ts'
import { menu } from '../module.ts'
import { check, dayLink, hashOf, pull, takeBill } from './run.ts'

const escalated = noticeKind({
  key: 'reconcile.escalated',
  label: '对账差异升级',
  group: 'todo',
  level: 'important',
})

const scopeOf = (c: Arriving): Scope => ({ ...c.caller!, projectCode: '', ip: c.ip, requestId: c.requestId })

/**
 * A channel's bill is the whole company's: who has only some of its projects may not read the others'
 * payments out of it (PERM-6).
 */
const whole = (who: Pick<Scope, 'domain'>): void => {
  if (!who.domain.all) throw new Refused(code.forbidden, '渠道账单包含全公司的收款，需要全部项目的数据权限')
}

const past = (c: Arriving, day: string): void => {
  whole(c.caller!)
  if (day >= dayAt(c.world.clock()))
    throw wrong([{ Field: 'CheckDate', Message: '当天的交易还没有结束，请选择今天以前的日期' }])
}

const answer = (c: Arriving, id: number) =>
  need(c.world.store.reader(c.caller!.ownerId), channelBill, scopeOf(c), id)

/** The open differences among those named, locked; refuses when one of them is done with. */
async function open(tx: Tx, scope: Scope, ids: readonly string[], to: 'handled' | 'escalated') {
  whole(scope)
  const list = await byIds(tx, reconcileItem, scope, ids, true)
  if (list.length !== new Set(ids).size) return refuse('所选差异中有的已不存在，请刷新后重试')
  for (const i of list) {
    const why = handleRefusal(i.state, to)
    if (why) return refuse(`订单 ${i.orderNo}：${why}`)
  }
  return list
}

/** The days' figures after some of their differences have gone on. */
const recount = (tx: Tx, owner: number, bills: readonly number[]) =>
  tx.run(sql`
    update channel_bill b
    set open_count = n.open,
      state = case when b.state in (20, 30) then case when n.open > 0 then 30 else 20 end else b.state end,
      version = b.version + 1, update_time = now()
    from (
      select bill_id, count(*) filter (where state in (10, 40))::int as open
      from reconcile_item
      where owner_id = ${owner} and bill_id = any(${bills}::bigint[])
      group by bill_id
    ) n
    where b.owner_id = ${owner} and b.id = n.bill_id
  `)

export const itemExport = exportHandlers<NonNullable<typeof listItems.input.T>>({
  kind: 'reconcile.items',
  name: '对账差异',
  calls: exportItems,
  entity: reconcileItem,
  columns: itemColumns,
  query: (q, { scope }) => {
    whole(scope)
    return { q, find: { filters: itemFilters } }
  },
})

export const lineExport = exportHandlers<NonNullable<typeof listLines.input.T>>({
  kind: 'reconcile.lines',
  name: '渠道账单明细',
  calls: exportLines,
  entity: billLine,
  columns: lineColumns,
  query: (q, { scope }) => {
    whole(scope)
    return { q, find: { filters: lineFilters } }
  },
})

export const handlers = [
  reads(listBills, (q, { db, scope }) => {
    whole(scope)
    return page(db, channelBill, scope, q, {
      filters: billFilters,
      sums: ['localAmount', 'localRefund', 'channelAmount', 'channelRefund', 'diffCount', 'openCount'],
    })
  }),
  reads(oneBill, ({ id }, { db, scope }) => {
    whole(scope)
    return need(db, channelBill, scope, id)
  }),
  reads(listLines, (q, { db, scope }) => {
    whole(scope)
    return page(db, billLine, scope, q, { filters: lineFilters, sums: ['amount'] })
  }),
  reads(listItems, (q, { db, scope }) => {
    whole(scope)
    return page(db, reconcileItem, scope, q, { filters: itemFilters, sums: ['localAmount', 'channelAmount'] })
  }),
  greets(pullBill, async ({ checkDate, channel: c }, a) => {
    past(a, checkDate)
    return answer(a, await pull(a.world, a.caller!.ownerId, c, checkDate, scopeOf(a)))
  }),
  greets(importBill, async ({ checkDate, channel: c }, a) => {
    past(a, checkDate)
    if (!a.upload) throw wrong([{ Field: 'File', Message: '请选择从渠道商户平台下载的账单文件' }])
    const bytes = await readFile(a.upload.path)
    const lines = billOf(await billRows(bytes), checkDate)
    return answer(
      a,
      await takeBill(a.world, a.caller!.ownerId, c, checkDate, lines, {
        source: 'imported',
        scope: scopeOf(a),
        hash: hashOf(bytes),
      }),
    )
  }),
  greets(checkBill, async ({ id }, a) => {
    whole(a.caller!)
    await check(a.world, a.caller!.ownerId, id)
    return answer(a, id)
  }),
  writes(handleItems, async ({ ids, reason, handleResult: result }, { tx, scope, now }) => {
    const list = await open(tx, scope, ids, 'handled')
    await tx.run(
      sql`
        update reconcile_item
        set state = 30, handle_result = ${codeOf(handleResult, result)}, handle_note = ${reason},
          handler_name = ${scope.name}, handle_time = ${now}::timestamptz, version = version + 1,
          update_time = now(), update_by = ${scope.operatorId}
        where owner_id = ${scope.ownerId} and id = any(${list.map(i => i.id)}::bigint[])
      `,
    )
    await audit(
      tx,
      scope,
      list.map(i => ({
        action: 'state' as const,
        entity: reconcileItem.name,
        entityId: i.id,
        before: { state: i.state },
        after: { state: 'handled', handleResult: result },
        reason,
      })),
    )
    await recount(tx, scope.ownerId, [...new Set(list.map(i => Number(i.billId)))])
  }),
  writes(escalateItems, async ({ ids, reason }, { tx, scope, now, world }) => {
    const list = await open(tx, scope, ids, 'escalated')
    await tx.run(
      sql`
        update reconcile_item
        set state = 40, handle_note = ${reason}, handler_name = ${scope.name},
          handle_time = ${now}::timestamptz, version = version + 1, update_time = now(),
          update_by = ${scope.operatorId}
        where owner_id = ${scope.ownerId} and id = any(${list.map(i => i.id)}::bigint[])
      `,
    )
    await audit(
      tx,
      scope,
      list.map(i => ({
        action: 'state' as const,
        entity: reconcileItem.name,
        entityId: i.id,
        before: { state: i.state },
        after: { state: 'escalated' },
        reason,
      })),
    )
    await recount(tx, scope.ownerId, [...new Set(list.map(i => Number(i.billId)))])
    const bill = Number(list[0]!.billId)
    await notify(tx, world, scope.ownerId, {
      kind: escalated,
      to: { may: menu.reconcile.may.handle },
      title: `${scope.name} 升级了 ${list.length} 笔对账差异`,
      text: reason,
      link: dayLink(bill),
      bizId: bill,
    })
  }),
  ...itemExport.handlers,
  ...lineExport.handlers,
]
