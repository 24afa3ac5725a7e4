import { parseId, type Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { readFile } from 'node:fs/promises'
import { codeOf } from '#kit/contract/field.ts'
import { Refused, resultCode, refuse, invalidInput } from '#kit/contract/wire.ts'
import { dayOfInstant } from '#kit/domain/moment.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { anonymous, reads, writes, type AnonymousContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { exportHandlers } from '#kit/server/sheet-export.ts'
import { findByIds, requireById, findPage } from '#kit/server/table.ts'
import { touch, code, codes } from '#kit/server/sql.ts'
import { parseChannelBill, readChannelBillRows } from '#modules/payments/server/public.ts'
import { defineNotificationKind, notify } from '#modules/system/server/public.ts'
import {
  channelBillFilters,
  channelBillLine,
  channelBill,
  recheckChannelBill,
  escalateReconcileItems,
  exportReconcileItems,
  exportChannelBillLines,
  handleReconcileItems,
  importChannelBill,
  reconcileItemColumns,
  reconcileItemFilters,
  channelBillLineColumns,
  channelBillLineFilters,
  listChannelBills,
  listReconcileItems,
  listChannelBillLines,
  getChannelBill,
  pullChannelBill,
  reconcileItem,
} from '../contract/channel-bill.ts'
import { handleResult, channelBillState, reconcileItemState } from '../contract/choices.ts'
import { handleRefusal } from '../domain/reconcile-item.ts'
import { menu, reconcileDayPath } from '../module.ts'
import { recheckBill, sha256Of, pullDayBill, storeBill } from './reconciliation.ts'

const escalatedNotice = defineNotificationKind({
  key: 'reconcile.escalated',
  label: '对账差异升级',
  group: 'todo',
  level: 'important',
})

const callerScopeOf = (c: AnonymousContext): Scope => ({
  ...defined(c.caller),
  projectCode: '',
  ip: c.ip,
  requestId: c.requestId,
  time: c.now,
})

/**
 * A channel's bill is the whole company's: a person with only some of its projects may not read the others'
 * payments in it (PERM-6).
 */
const assertAllProjects = ({ domain }: Pick<Scope, 'domain'>): void => {
  if (!domain.all) throw new Refused(resultCode.forbidden, '渠道账单包含全公司的收款，需要全部项目的数据权限')
}

const assertPastDay = (c: AnonymousContext, day: string): void => {
  assertAllProjects(defined(c.caller))
  if (day >= dayOfInstant(c.app.clock()))
    throw invalidInput([{ Field: 'CheckDate', Message: '当天的交易尚未结束，请选择今天以前的日期' }])
}

const readBill = (c: AnonymousContext, id: Id) =>
  requireById(c.app.database.reader(defined(c.caller).ownerId), channelBill, callerScopeOf(c), id)

/** The open differences among those named, locked; refuses when one of them is done with. */
async function lockOpenItems(
  tx: Tx,
  scope: Scope,
  ids: readonly string[],
  newState: 'handled' | 'escalated',
) {
  assertAllProjects(scope)
  const list = await findByIds(tx, reconcileItem, scope, ids, { lock: true })
  if (list.length !== new Set(ids).size) return refuse('所选差异中有的已不存在，请刷新后重试')
  for (const i of list) {
    const refusal = handleRefusal(i.state, newState)
    if (refusal) return refuse(`订单 ${i.orderNo}：${refusal}`)
  }
  return list
}

/** The days' figures after some of their differences have gone on. */
const refreshOpenCounts = (tx: Tx, scope: Scope, bills: readonly Id[]) =>
  tx.execute(sql`
    update channel_bill b
    set open_count = n.open,
      state = case
        when b.state not in ${codes(channelBillState, 'same', 'different')} then b.state
        when n.open > 0 then ${code(channelBillState, 'different')}
        else ${code(channelBillState, 'same')}
      end,
      version = b.version + 1, update_time = ${scope.time}::timestamptz
    from (
      select bill_id, count(*) filter (where state in ${codes(reconcileItemState, 'pending', 'escalated')})::int as open
      from reconcile_item
      where owner_id = ${scope.ownerId} and bill_id = any(${bills}::bigint[])
      group by bill_id
    ) n
    where b.owner_id = ${scope.ownerId} and b.id = n.bill_id
  `)

export const reconcileItemExport = exportHandlers<NonNullable<typeof listReconcileItems.input.T>>({
  kind: 'reconcile.items',
  name: '对账差异',
  calls: exportReconcileItems,
  entity: reconcileItem,
  columns: reconcileItemColumns,
  query: (q, { scope }) => {
    assertAllProjects(scope)
    return { q, find: { filters: reconcileItemFilters } }
  },
})

export const channelBillLineExport = exportHandlers<NonNullable<typeof listChannelBillLines.input.T>>({
  kind: 'reconcile.lines',
  name: '渠道账单明细',
  calls: exportChannelBillLines,
  entity: channelBillLine,
  columns: channelBillLineColumns,
  query: (q, { scope }) => {
    assertAllProjects(scope)
    return { q, find: { filters: channelBillLineFilters } }
  },
})

export const reconcileHandlers = [
  reads(listChannelBills, (query, { db, scope }) => {
    assertAllProjects(scope)
    return findPage(db, channelBill, scope, query, {
      filters: channelBillFilters,
      sums: ['localAmount', 'localRefund', 'channelAmount', 'channelRefund', 'diffCount', 'openCount'],
    })
  }),
  reads(getChannelBill, ({ id }, { db, scope }) => {
    assertAllProjects(scope)
    return requireById(db, channelBill, scope, id)
  }),
  reads(listChannelBillLines, (q, { db, scope }) => {
    assertAllProjects(scope)
    return findPage(db, channelBillLine, scope, q, { filters: channelBillLineFilters, sums: ['amount'] })
  }),
  reads(listReconcileItems, (query, { db, scope }) => {
    assertAllProjects(scope)
    return findPage(db, reconcileItem, scope, query, {
      filters: reconcileItemFilters,
      sums: ['localAmount', 'channelAmount'],
    })
  }),
  anonymous(pullChannelBill, async ({ checkDate, channel: c }, a) => {
    assertPastDay(a, checkDate)
    return readBill(a, await pullDayBill(a.app, defined(a.caller).ownerId, c, checkDate, callerScopeOf(a)))
  }),
  anonymous(importChannelBill, async ({ checkDate, channel: billChannel }, context) => {
    assertPastDay(context, checkDate)
    if (!context.upload)
      throw invalidInput([{ Field: 'File', Message: '请选择从渠道商户平台下载的账单文件' }])
    const bytes = await readFile(context.upload.path)
    const lines = parseChannelBill(await readChannelBillRows(bytes), checkDate)
    return readBill(
      context,
      await storeBill(context.app, defined(context.caller).ownerId, billChannel, checkDate, lines, {
        source: 'imported',
        scope: callerScopeOf(context),
        hash: sha256Of(bytes),
      }),
    )
  }),
  anonymous(recheckChannelBill, async ({ id }, a) => {
    assertAllProjects(defined(a.caller))
    await recheckBill(a.app, defined(a.caller).ownerId, id)
    return readBill(a, id)
  }),
  writes(handleReconcileItems, async ({ ids, reason, handleResult: result }, { tx, scope, now }) => {
    const list = await lockOpenItems(tx, scope, ids, 'handled')
    await tx.execute(
      sql`
        update reconcile_item
        set state = ${code(reconcileItemState, 'handled')}, handle_result = ${codeOf(handleResult, result)},
          handle_note = ${reason}, handler_name = ${scope.name}, handle_time = ${now}::timestamptz, ${touch(scope)}
        where owner_id = ${scope.ownerId} and id = any(${list.map(i => i.id)}::bigint[])
      `,
    )
    await audit(
      tx,
      scope,
      list.map(item => ({
        action: 'state' as const,
        entity: reconcileItem.name,
        entityId: item.id,
        before: { state: item.state },
        after: { state: 'handled', handleResult: result },
        reason,
      })),
    )
    await refreshOpenCounts(tx, scope, [...new Set(list.map(i => parseId(i.billId)))])
  }),
  writes(escalateReconcileItems, async ({ ids, reason }, { tx, scope, now, app }) => {
    const list = await lockOpenItems(tx, scope, ids, 'escalated')
    await tx.execute(
      sql`
        update reconcile_item
        set state = ${code(reconcileItemState, 'escalated')}, handle_note = ${reason}, handler_name = ${scope.name},
          handle_time = ${now}::timestamptz, ${touch(scope)}
        where owner_id = ${scope.ownerId} and id = any(${list.map(i => i.id)}::bigint[])
      `,
    )
    await audit(
      tx,
      scope,
      list.map(item => ({
        action: 'state' as const,
        entity: reconcileItem.name,
        entityId: item.id,
        before: { state: item.state },
        after: { state: 'escalated' },
        reason,
      })),
    )
    await refreshOpenCounts(tx, scope, [...new Set(list.map(i => parseId(i.billId)))])
    const bill = parseId(defined(list[0]).billId)
    await notify(tx, app, scope.ownerId, {
      kind: escalatedNotice,
      to: { permission: menu.reconcile.permissions.handle },
      title: `${scope.name} 升级了 ${list.length} 笔对账差异`,
      text: reason,
      link: reconcileDayPath(bill),
      bizId: bill,
    })
  }),
  ...reconcileItemExport.handlers,
  ...channelBillLineExport.handlers,
]
