import { parseId, type Id } from '#kit/domain/id.ts'

import { addMinutes, fromInstant, secondsBetween, type Moment } from '#kit/domain/moment.ts'
import { keyOf, keysOf, type ChoiceOf } from '#kit/contract/field.ts'
import { crudHandlers, joinServers } from '#kit/server/crud.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { reads, type ReadContext } from '#kit/server/handler.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import { matchesSearchText } from '#kit/server/search-text.ts'
import { codes, flagFilter, code } from '#kit/server/sql.ts'
import { findPage, orBuildingName, tenantFilter } from '#kit/server/table.ts'
import { chargeState, dispatchMode, orderState, orderView, requestState } from '../contract/choices.ts'
import {
  countOrders,
  exportOrders,
  listAuditOrders,
  listDispatchOrders,
  listOrders,
  listRepairOrders,
  orders,
} from '../contract/order-list.ts'
import { workOrder, type WorkOrder } from '../contract/work-order.ts'
import { openStates } from '../domain/order-actions.ts'
import { menu } from '../module.ts'
import { loadFunctions } from './function-settings.ts'
import { hasLostHandler, isWorking } from './handler-access.ts'
import { concerns, sightConditions } from './order-access.ts'
import { findTypesUnder } from './order-types.ts'
import { hasRating } from './ratings.ts'

type Query = NonNullable<typeof listOrders.input.T>
type View = ChoiceOf<typeof orderView>
type Condition = RawBuilder<unknown>

interface ViewContext {
  readonly scope: Scope
  readonly now: Moment
  readonly dueSoonMinutes: number
  /** Orders whose handler cannot go on with them. */
  readonly lostHandler: Condition
}

const open = sql`t.state in ${codes(orderState, ...openStates)}`
/** Its payment was taken back after it was rated. Uses work_order_owed. */
const isOwedAfterRating = sql`(t.state = ${code(orderState, 'completed')}
  and t.pay_state = ${code(chargeState, 'unpaid')})`
const isLateFlag = sql`(t.resp_overtime or t.arrive_overtime or t.finish_overtime)`

/** What each saved view of the list holds, of orders `t`. */
const viewConditions: { readonly [V in View]: (c: ViewContext) => Condition } = {
  assigned: ({ scope }) => sql`t.handler_id = ${scope.operatorId} and ${isWorking}`,
  concerned: ({ scope }) => concerns(scope.ownerId, scope.operatorId),
  pool: ({ scope }) => sql`t.state = ${code(orderState, 'waiting')}
    and t.type_id in (
      select y.id
      from work_order_type y
      where y.owner_id = ${scope.ownerId} and y.dispatch_mode = ${code(dispatchMode, 'grab')}
    )`,
  open: () => open,
  late: ({ now }) => sql`${open} and (${isLateFlag} or t.next_deadline < ${now})`,
  dueSoon: ({ now, dueSoonMinutes }) =>
    sql`t.next_deadline between ${now} and ${addMinutes(now, dueSoonMinutes)} and t.state < ${code(orderState, 'checking')}`,
  suspended: () => sql`t.state = ${code(orderState, 'suspended')}`,
  expedited: () => sql`t.expedite_count > 0 and ${open}`,
  approval: () => approval,
  unpaid: () => sql`(t.state = ${code(orderState, 'unpaid')} or ${isOwedAfterRating})`,
  unrated: () => sql`t.state = ${code(orderState, 'unrated')}`,
  unread: ({ scope }) => sql`exists (
    select
    from work_order_person p
    where p.owner_id = ${scope.ownerId}
      and p.order_id = t.id
      and p.manager_id = ${scope.operatorId}
      and p.is_unread
  )`,
  lostHandler: ({ lostHandler }) => lostHandler,
}

const approval = sql`(
  t.extension_state = ${code(requestState, 'waiting')} or t.close_state = ${code(requestState, 'waiting')}
)`

type Reader = Pick<ReadContext, 'db' | 'scope' | 'now'>

/** What a view asks beside the caller; others need none of it. */
async function loadViewContext(view: View, { db, scope, now }: Reader): Promise<ViewContext> {
  const { ownerId } = scope
  return {
    scope,
    now,
    dueSoonMinutes: view === 'dueSoon' ? (await loadFunctions(db, ownerId)).dueSoon.value : 0,
    lostHandler: view === 'lostHandler' ? await hasLostHandler(db, ownerId) : sql`false`,
  }
}

/** Conditions of a search beside the plain filters; those of the statistics among them. */
async function searchConditions(query: Query, reader: Reader) {
  const { db, scope } = reader
  return [
    ...(await sightConditions(db, scope)),
    ...(query.view ? [viewConditions[query.view](await loadViewContext(query.view, reader))] : []),
    ...(query.underTypeId?.length
      ? [
          sql`t.type_id = any(${await findTypesUnder(db, scope.ownerId, query.underTypeId.map(parseId))}::bigint[])`,
        ]
      : []),
    ...(query.personId ? [concerns(scope.ownerId, query.personId)] : []),
    ...flagFilter(query.isAccepted, sql`t.accept_time is not null`),
    ...flagFilter(query.isFinished, sql`t.finish_time is not null`),
    ...flagFilter(query.isRated, sql`t.score is not null and not t.is_default_score`),
    ...flagFilter(query.hasRating, hasRating(scope.ownerId)),
    ...(query.ratedHandlerId ? [hasRating(scope.ownerId, query.ratedHandlerId)] : []),
    ...flagFilter(query.isLate, isLateFlag),
    ...flagFilter(query.waitsForApproval, approval),
  ]
}

const minutesUntil = (now: Moment, deadline: Moment): number => Math.trunc(secondsBetween(now, deadline) / 60)

/** The caller's own mark, and the minutes that are left. */
export async function presentOrders(
  rows: readonly WorkOrder[],
  { db, scope, now }: { readonly db: Db; readonly scope: Scope; readonly now: Moment },
): Promise<WorkOrder[]> {
  const unread = new Set(
    (
      await db.rows<{ orderId: Id }>(sql`
        select order_id
        from work_order_person
        where owner_id = ${scope.ownerId}
          and manager_id = ${scope.operatorId}
          and order_id = any(${rows.map(row => row.id)}::bigint[])
          and is_unread
      `)
    ).map(row => row.orderId),
  )
  return rows.map(row => ({
    ...row,
    isViewed: !unread.has(row.id),
    ...(row.nextDeadline === undefined ? {} : { minutesLeft: minutesUntil(now, row.nextDeadline) }),
  }))
}

/** When the request came in. */
const momentOf = ({ time }: Scope): Moment => fromInstant(Date.parse(time))

const nowOf = ({ app }: { readonly app: { readonly clock: () => number } }): Moment =>
  fromInstant(app.clock())

export const orderListServer = joinServers(
  crudHandlers(orders, {
    byHand: ['list'],
    keyword: word => matchesSearchText(word),
    filter: (query, c) => searchConditions(query, { ...c, now: momentOf(c.scope) }),
    enrich: (rows, c) => presentOrders(rows, { ...c, now: nowOf(c) }),
    export: exportOrders,
  }),
)

/** A page of orders with these conditions more. */
export async function listPage(query: Query, reader: Reader, extraConditions: readonly Condition[] = []) {
  const { db, scope, now } = reader
  const { keyword, ...plain } = query
  const where = [
    ...(await searchConditions(query, reader)),
    ...(keyword ? [orBuildingName(workOrder, scope.ownerId, keyword, word => matchesSearchText(word))] : []),
    ...extraConditions,
  ]
  const found = await findPage(db, workOrder, scope, plain, {
    filters: orders.filters,
    where,
    sums: ['payableCost'],
  })
  return { ...found, rows: await presentOrders(found.rows, { db, scope, now }) }
}

interface CountRow {
  readonly state: number
  readonly count: number
}

/** Counts of all views and states in one statement over what the caller sees. */
async function countViews(projectCode: string | undefined, c: ReadContext) {
  const { db, scope, now } = c
  const { dueSoon } = await loadFunctions(db, scope.ownerId)
  const canDispatch = hasPermission(scope, menu.order.permissions.dispatch)
  const lostHandler = canDispatch ? await hasLostHandler(db, scope.ownerId) : sql`false`
  const context = { scope, now, dueSoonMinutes: dueSoon.value, lostHandler }
  const where = sql.join(
    [tenantFilter(workOrder, scope, projectCode), ...(await sightConditions(db, scope))],
    sql` and `,
  )
  // Everything that ever concerned somebody is no count of work.
  const views = keysOf(orderView).filter(view => view !== 'concerned' && view !== 'unread')
  const [[counts = {}], [marked], states] = await db.all<
    [Record<string, number>, { unread: number }, CountRow]
  >(
    sql`
      select ${sql.join(
        views.map(
          view =>
            sql`count(*) filter (where ${viewConditions[view](context)})::int as ${sql.id(view.toLowerCase())}`,
        ),
      )}
      from work_order t
      where ${where} and (t.state < ${code(orderState, 'completed')} or ${isOwedAfterRating})
    `,
    sql`
      select count(*)::int as unread
      from work_order_person p
      join work_order t on t.owner_id = p.owner_id and t.id = p.order_id
      where p.owner_id = ${scope.ownerId} and p.manager_id = ${scope.operatorId} and p.is_unread and ${where}
    `,
    sql`
      select t.state, count(*)::int as count from work_order t where ${where} group by t.state order by t.state
    `,
  )
  // Of what is over too: what happened to it last may be news.
  const unread = marked?.unread ?? 0
  return {
    unread,
    views: [
      ...views.map(view => ({ view, count: counts[view.toLowerCase()] ?? 0 })),
      { view: 'unread' as const, count: unread },
    ],
    states: states.flatMap(row => {
      const state = keyOf(orderState, row.state)
      return state === undefined ? [] : [{ state, count: row.count }]
    }),
  }
}

const urgentAndLateFirst = '-level,nextDeadline,id'

export const orderListHandlers = [
  reads(listOrders, (query, c) => listPage(query, c)),
  reads(listAuditOrders, (query, c) => listPage(query, c, [sql`t.state = ${code(orderState, 'pending')}`])),
  reads(listDispatchOrders, (query, c) =>
    listPage(
      { order: urgentAndLateFirst, ...query },
      c,
      // Those of a handler who cannot go on with them wait for another, whatever their state.
      query.view === 'lostHandler' ? [] : [sql`t.state in ${codes(orderState, 'waiting', 'dispatched')}`],
    ),
  ),
  reads(listRepairOrders, async (query, c) => {
    const found = await listPage(query, c)
    return {
      total: found.total,
      rows: found.rows.map(row => ({
        id: row.id,
        projectCode: row.projectCode,
        orderNo: row.orderNo,
        roomCode: row.roomCode,
        address: row.address,
        repairType: row.typeName,
        content: row.content,
        workOrderId: row.id,
        state: row.state,
        registerTime: row.registerTime,
      })),
    }
  }),
  reads(countOrders, ({ projectCode }, c) =>
    countViews(projectCode ?? (c.scope.projectCode || undefined), c),
  ),
]
