import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { unrestrictedDomain, type Scope } from '#kit/server/scope.ts'
import { codes, notDeleted, touch } from '#kit/server/sql.ts'
import { findAll, insertAll } from '#kit/server/table.ts'
import { onAccountLeft, refuseReceiver, registerOpenWork } from '#modules/accounts/server/public.ts'
import { orderState } from '../contract/choices.ts'
import { orderRole, personConfig } from '../contract/person-config.ts'
import { orderRecord } from '../contract/record.ts'
import { orderNotify } from '../contract/settings.ts'
import { workOrder, type WorkOrder } from '../contract/work-order.ts'
import { openStates } from '../domain/order-actions.ts'
import { publishOrdersChanged } from './live-orders.ts'
import { describeOverload, findTakeoverRefusals } from './takeover.ts'

interface Person {
  readonly id: Id
  readonly name: string
}

/** Orders that are with their handler, or may still come back: sent back at the check, or unpaid. */
const workedOnStates = ['dispatched', 'processing', 'suspended'] as const
const inHand = sql`t.state in ${codes(orderState, ...workedOnStates, 'checking', 'unpaid')}`

async function requirePerson(tx: Tx, scope: Scope, id: Id): Promise<Person> {
  const found = await tx.one<{ name: string }>(sql`
    select real_name as name from manager where owner_id = ${scope.ownerId} and id = ${id}
  `)
  return { id, name: defined(found).name }
}

/** Refuses a receiver whom dispatching would refuse for some of the orders (WO-13). */
async function assertReceiver(
  tx: Tx,
  scope: Scope,
  person: Person,
  orders: readonly WorkOrder[],
): Promise<void> {
  const asked = orders.map(order => ({
    ...order,
    isWorkedOn: workedOnStates.some(state => state === order.state),
  }))
  const now = fromInstant(Date.parse(scope.time))
  const refusals = await findTakeoverRefusals(tx, scope.ownerId, person.id, asked, now)
  if (refusals.size) {
    refuseReceiver(person.name, '工单', [...refusals.values()])
  }
}

// PERM-8: who leaves hands over all orders in hand, also those that who records it does not see.
registerOpenWork({
  what: '工单',
  count: async (tx, scope, operator) =>
    defined(
      await tx.one<{ n: number }>(sql`
        select count(*)::int as n
        from work_order t
        where t.owner_id = ${scope.ownerId} and t.handler_id = ${operator} and ${inHand} and ${notDeleted('t')}
      `),
    ).n,
  handOver: async (tx, scope, from, to) => {
    const person = await requirePerson(tx, scope, to)
    const handed = await findAll(
      tx,
      workOrder,
      { ...scope, domain: unrestrictedDomain },
      {},
      {
        where: [sql`t.handler_id = ${from}`, inHand],
        limit: 100_000,
      },
    )
    await assertReceiver(tx, scope, person, handed)
    await tx.execute(sql`
      update work_order t
      set handler_id = ${to}, handler_name = ${person.name}, version = t.version + 1,
        update_time = ${scope.time}::timestamptz, update_by = ${scope.operatorId}
      where t.owner_id = ${scope.ownerId} and t.handler_id = ${from} and ${inHand} and ${notDeleted('t')}
    `)
    await recordHandOver(tx, scope, handed, person)
    publishOrdersChanged(tx, scope.ownerId)
  },
  describeLoad: (tx, scope, to) =>
    describeOverload(tx, scope.ownerId, to, fromInstant(Date.parse(scope.time))),
})

/** The history says so, and the new person has them unread. */
async function recordHandOver(tx: Tx, scope: Scope, orders: readonly WorkOrder[], to: Person): Promise<void> {
  await insertAll(
    tx,
    orderRecord,
    scope,
    orders.map(order => ({
      projectCode: order.projectCode,
      orderId: order.id,
      action: 'note' as const,
      fromState: order.state,
      toState: order.state,
      actionTime: fromInstant(Date.parse(scope.time)),
      actor: 'staff' as const,
      operatorId: scope.operatorId || undefined,
      operatorName: scope.name,
      content: `原处理人离任，工单移交给${to.name}`,
      personId: to.id,
      personName: to.name,
    })),
  )
  await tx.execute(sql`
    insert into work_order_person (owner_id, project_code, order_id, manager_id, is_unread)
    select ${scope.ownerId}::bigint, r.project, r.id, ${to.id}::bigint, true
    from unnest(
      ${orders.map(order => order.projectCode)}::text[], ${orders.map(order => order.id)}::bigint[]
    ) as r(project, id)
    on conflict (owner_id, order_id, manager_id) do update set is_unread = excluded.is_unread
    returning order_id
  `)
}

interface ChangedRow {
  readonly id: Id
  readonly projectCode?: string
}

const auditRemoval = (
  tx: Tx,
  scope: Scope,
  entity: string,
  action: 'update' | 'delete',
  rows: readonly ChangedRow[],
): Promise<void> =>
  audit(
    tx,
    scope,
    rows.map(({ id, projectCode }) => ({
      action,
      entity,
      entityId: id,
      projectCode,
      reason: '人员离任',
    })),
  )

/**
 * Who has left is offered no orders, hears of none and watches none. A configuration or a role without
 * anybody stays: another is put into it.
 */
onAccountLeft(async (tx, scope, account) => {
  const { ownerId } = scope
  const key = String(account)
  const configs = await tx.rows<ChangedRow>(sql`
    update work_order_person_config
    set manager_ids = array_remove(manager_ids, ${key}), ${touch(scope)}
    where owner_id = ${ownerId} and ${notDeleted()} and ${key} = any(manager_ids)
    returning id, project_code
  `)
  const roles = await tx.rows<ChangedRow>(sql`
    update work_order_role
    set manager_ids = array_remove(manager_ids, ${key}), ${touch(scope)}
    where owner_id = ${ownerId} and ${notDeleted()} and ${key} = any(manager_ids)
    returning id
  `)
  const notifies = await tx.rows<ChangedRow>(sql`
    update work_order_notify
    set delete_tag = 1, ${touch(scope)}
    where owner_id = ${ownerId} and ${notDeleted()} and manager_id = ${account}
    returning id
  `)
  const orders = await tx.rows<ChangedRow>(sql`
    update work_order
    set assist_ids = array_remove(assist_ids, ${key}),
      observer_ids = array_remove(observer_ids, ${key}), ${touch(scope)}
    where owner_id = ${ownerId}
      and ${notDeleted()}
      and state in ${codes(orderState, ...openStates)}
      and (${key} = any(assist_ids) or ${key} = any(observer_ids))
    returning id, project_code
  `)
  await auditRemoval(tx, scope, personConfig.name, 'update', configs)
  await auditRemoval(tx, scope, orderRole.name, 'update', roles)
  await auditRemoval(tx, scope, orderNotify.name, 'delete', notifies)
  await auditRemoval(tx, scope, workOrder.name, 'update', orders)
  publishOrdersChanged(tx, ownerId)
})
