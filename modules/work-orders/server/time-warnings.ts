import type { Id } from '#kit/domain/id.ts'
import { addMinutes, fromInstant, type Moment } from '#kit/domain/moment.ts'
import { defined } from '#kit/domain/defined.ts'
import { codeOf, keyOf, labelOf, type ChoiceOf } from '#kit/contract/field.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { clockScope, hasPermission, hasProject } from '#kit/server/scope.ts'
import { loadActiveCallers } from '#modules/accounts/server/public.ts'
import { queueMessages } from '#modules/messaging/server/public.ts'
import { notify } from '#modules/system/server/public.ts'
import { orderStage, orderState, warningChannel, warningReceiver } from '../contract/choices.ts'
import { descendantsOf } from '../domain/type-tree.ts'
import { menu, paths } from '../module.ts'
import { orderLink, orderNotices } from './notices.ts'
import { orderMessages } from './outgoing-messages.ts'
import { loadTypeNodes } from './order-types.ts'

type Stage = ChoiceOf<typeof orderStage>

interface WarningRow {
  readonly id: Id
  readonly typeId?: Id
  readonly stage: number
  readonly offsetMinutes: number
  readonly receivers: string[]
  readonly channels: string[]
}

interface StageColumns {
  readonly deadline: RawBuilder<unknown>
  readonly entered: RawBuilder<unknown>
  readonly runs: RawBuilder<unknown>
}

/** Where a stage of orders `t` runs, since when, and to which deadline. */
const stages: { readonly [S in Stage]: StageColumns } = {
  response: {
    deadline: sql`t.response_deadline`,
    entered: sql`t.response_entered`,
    runs: sql`t.state in ${codes(orderState, 'pending', 'waiting', 'dispatched')}`,
  },
  arrive: {
    deadline: sql`t.arrive_deadline`,
    entered: sql`t.arrive_entered`,
    runs: sql`t.state = ${code(orderState, 'processing')} and t.arrive_time is null`,
  },
  finish: {
    deadline: sql`t.finish_deadline`,
    entered: sql`t.finish_entered`,
    runs: sql`t.state in ${codes(orderState, 'waiting', 'dispatched', 'processing')}`,
  },
  evaluate: {
    deadline: sql`t.evaluate_deadline`,
    entered: sql`t.evaluate_entered`,
    runs: sql`t.state = ${code(orderState, 'unrated')}`,
  },
}

interface SentRow {
  readonly orderId: Id
  readonly warningId: Id
}

/**
 * Takes the warnings of one stage that are due and were not sent in this entry of the stage (WO-4): one
 * statement for all orders of the company. `typeIds` of a warning are its type with those under it, none for
 * all types.
 */
async function takeDue(
  tx: Tx,
  ownerId: Id,
  stage: Stage,
  warnings: readonly { readonly id: Id; readonly offset: number; readonly typeIds: readonly Id[] }[],
  now: Moment,
): Promise<SentRow[]> {
  const { deadline, entered, runs } = stages[stage]
  // A warning is due for deadlines up to this moment.
  const pairs = warnings.flatMap(({ id, offset, typeIds }) =>
    (typeIds.length ? typeIds : [0]).map(typeId => ({ id, until: addMinutes(now, -offset), typeId })),
  )
  const latest = defined(
    pairs
      .map(pair => pair.until)
      .toSorted()
      .at(-1),
  )
  return tx.rows<SentRow>(sql`
    insert into work_order_warning_sent (owner_id, project_code, order_id, warning_id, entered, sent_time)
    select ${ownerId}::bigint, t.project_code, t.id, w.id, ${entered}, ${now}::timestamptz
    from work_order t
    join unnest(
      ${pairs.map(p => p.id)}::bigint[], ${pairs.map(p => p.until)}::timestamptz[],
      ${pairs.map(p => p.typeId)}::bigint[]
    ) as w(id, until, type_id) on w.type_id = 0 or w.type_id = t.type_id
    where t.owner_id = ${ownerId}
      and ${runs}
      and ${notDeleted('t')}
      and ${entered} is not null
      and ${deadline} <= ${latest}::timestamptz
      and ${deadline} <= w.until
      and not exists (
        select
        from work_order_warning_sent s
        where s.owner_id = ${ownerId} and s.order_id = t.id and s.warning_id = w.id and s.entered = ${entered}
      )
    on conflict do nothing
    returning order_id, warning_id
  `)
}

interface WarnedOrder {
  readonly id: Id
  readonly projectCode: string
  readonly orderNo: string
  readonly typeName: string
  readonly address?: string
  readonly handlerId?: Id
  readonly dispatcherId?: Id
  readonly headId?: Id
}

/** The orders with the account of the head of their handler's department. */
const findWarned = (tx: Tx, ownerId: Id, ids: readonly Id[]): Promise<WarnedOrder[]> =>
  tx.rows<WarnedOrder>(sql`
    select t.id, t.project_code, t.order_no, t.type_name, t.address, t.handler_id, t.dispatcher_id,
      h.manager_id as head_id
    from work_order t
    left join staff s on s.owner_id = ${ownerId} and s.manager_id = t.handler_id and ${notDeleted('s')}
    left join department d on d.owner_id = ${ownerId} and d.id = s.department_id and ${notDeleted('d')}
    left join staff h on h.owner_id = ${ownerId} and h.id = d.leader_id and ${notDeleted('h')}
    where t.owner_id = ${ownerId} and t.id = any(${[...new Set(ids)]}::bigint[])
  `)

interface Message {
  readonly order: WarnedOrder
  readonly title: string
  readonly bySms: boolean
}

const titleOf = (warning: WarningRow, order: WarnedOrder): string => {
  const stage = keyOf(orderStage, warning.stage)
  const name = stage === undefined ? '' : labelOf(orderStage, stage)
  const minutes = Math.abs(warning.offsetMinutes)
  const distanceText =
    warning.offsetMinutes < 0
      ? `距${name}时限不足 ${minutes} 分钟`
      : `${name}已超时${minutes ? ` ${minutes} 分钟` : ''}`
  return `${distanceText}：${order.typeName} · ${order.address ?? order.orderNo}`
}

/** Who is notified of which orders, each person once per order. */
async function addressMessages(
  tx: Tx,
  ownerId: Id,
  sent: readonly SentRow[],
  warnings: ReadonlyMap<Id, WarningRow>,
): Promise<Map<Id, Map<Id, Message>>> {
  const orders = new Map(
    (
      await findWarned(
        tx,
        ownerId,
        sent.map(s => s.orderId),
      )
    ).map(o => [o.id, o]),
  )
  const callers = await loadActiveCallers(tx, ownerId)
  const supervisorsOf = (project: string): Id[] =>
    callers
      .filter(c => hasPermission(c, menu.order.permissions.supervise) && hasProject(c.domain, project))
      .map(c => c.operatorId)
  const messages = new Map<Id, Map<Id, Message>>()
  for (const { orderId, warningId } of sent) {
    const [order, warning] = [orders.get(orderId), warnings.get(warningId)]
    if (!order || !warning) continue
    const isSentTo = (receiver: ChoiceOf<typeof warningReceiver>): boolean =>
      warning.receivers.includes(String(codeOf(warningReceiver, receiver)))
    const ids = [
      ...(isSentTo('handler') ? [order.handlerId] : []),
      ...(isSentTo('dispatcher') ? [order.dispatcherId] : []),
      ...(isSentTo('departmentHead') ? [order.headId] : []),
      ...(isSentTo('supervisor') ? supervisorsOf(order.projectCode) : []),
    ]
    const bySms = warning.channels.includes(String(codeOf(warningChannel, 'sms')))
    for (const id of ids) {
      if (!id) continue
      const own = messages.get(id) ?? new Map<Id, Message>()
      own.set(orderId, { order, title: titleOf(warning, order), bySms })
      messages.set(id, own)
    }
  }
  return messages
}

const maxListed = 5

/** One message for each person, however many of their orders are meant. */
async function send(tx: Tx, app: App, ownerId: Id, messages: Map<Id, Map<Id, Message>>): Promise<void> {
  for (const [receiver, byOrder] of messages) {
    const own = [...byOrder.values()]
    const [first] = own
    if (!first) continue
    await notify(tx, app, ownerId, {
      kind: orderNotices.overtime,
      to: [receiver],
      title: own.length === 1 ? first.title : `${own.length} 张工单需要处理`,
      text:
        own.length === 1
          ? undefined
          : own
              .slice(0, maxListed)
              .map(message => message.title)
              .join('\n'),
      link: own.length === 1 ? orderLink(first.order.id) : paths.record,
      ...(own.length === 1 ? { bizId: first.order.id, project: first.order.projectCode } : {}),
    })
  }
  await sendShortMessages(tx, app, ownerId, messages)
}

async function sendShortMessages(
  tx: Tx,
  app: App,
  ownerId: Id,
  messages: Map<Id, Map<Id, Message>>,
): Promise<void> {
  const wanted = [...messages].filter(([, byOrder]) => [...byOrder.values()].some(m => m.bySms))
  if (!wanted.length) return
  const mobiles = await tx.rows<{ id: Id; mobile: string }>(sql`
    select id, mobile
    from manager
    where owner_id = ${ownerId} and id = any(${wanted.map(([id]) => id)}::bigint[]) and mobile is not null
  `)
  const countOf = new Map(wanted.map(([id, byOrder]) => [id, byOrder.size]))
  const c = { tx, app, scope: clockScope(app, ownerId), now: fromInstant(app.clock()) }
  for (const [count, own] of Map.groupBy(mobiles, ({ id }) => countOf.get(id) ?? 1)) {
    await queueMessages(c, {
      source: orderMessages.warning.key,
      bizId: defined(own[0]).id,
      channel: 'sms',
      to: own.map(({ mobile }) => ({ kind: 'number' as const, id: 0, mobile })),
      message: {
        title: '工单预警',
        text: `你有 ${count} 张工单临近或超过时限，请登录系统处理。`,
        template: 'workOrderWarning',
        params: { count: String(count) },
      },
      // The message in the product is there in any case.
      whenShort: 'skip',
    })
  }
}

/** Sends what is due in one company. Returns how many warnings went out. */
export async function fireWarnings(tx: Tx, app: App, ownerId: Id): Promise<number> {
  const now = fromInstant(app.clock())
  const rows = await tx.rows<WarningRow>(sql`
    select id, type_id, stage, offset_minutes, receivers, channels
    from work_order_warning
    where owner_id = ${ownerId} and ${notDeleted()}
  `)
  if (!rows.length) return 0
  const nodes = [...(await loadTypeNodes(tx, ownerId)).values()]
  const sent: SentRow[] = []
  for (const [stageCode, own] of Map.groupBy(rows, row => row.stage)) {
    const stage = keyOf(orderStage, stageCode)
    if (stage === undefined) continue
    const warnings = own.map(row => ({
      id: row.id,
      offset: row.offsetMinutes,
      typeIds: row.typeId === undefined ? [] : [...descendantsOf(nodes, row.typeId)],
    }))
    sent.push(...(await takeDue(tx, ownerId, stage, warnings, now)))
  }
  if (sent.length) {
    const byId = new Map(rows.map(row => [row.id, row]))
    await send(tx, app, ownerId, await addressMessages(tx, ownerId, sent, byId))
  }
  return sent.length
}

/** All companies that have set warnings. */
export const sweepWarnings = (app: App): Promise<unknown> =>
  forEachDueCompany(
    app.database,
    sql<{ ownerId: Id }>`select distinct owner_id from work_order_warning where ${notDeleted()}`,
    (tx, ownerId) => fireWarnings(tx, app, ownerId),
  )
