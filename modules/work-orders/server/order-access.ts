import { parseId, type Id } from '#kit/domain/id.ts'
import type { Entity } from '#kit/contract/entity.ts'
import { keyOf, type ChoiceOf } from '#kit/contract/field.ts'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { registerFileAccess } from '#kit/server/file-access.ts'
import { hasPermission, type Caller, type Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { requireById, tenantFilter } from '#kit/server/table.ts'
import { orderVisibility } from '../contract/choices.ts'
import { evaluation } from '../contract/evaluation.ts'
import { orderRecord } from '../contract/record.ts'
import { workOrder, type WorkOrder } from '../contract/work-order.ts'
import { menu } from '../module.ts'
import { findTypesUnder } from './order-types.ts'

type Visibility = ChoiceOf<typeof orderVisibility>

/** What somebody sees of the orders in their data domain (WO-11). */
export interface OrderSight {
  readonly visibility: Visibility
  /** The types in their care, those under them too. */
  readonly typeIds: readonly Id[]
}

const widestFirst: readonly Visibility[] = ['domain', 'ownTypes', 'own']

/** By their roles, the widest of them; who has none sees their data domain. */
export async function loadSight(db: Pick<Db, 'rows'>, scope: Scope): Promise<OrderSight> {
  if (scope.isOwner || !scope.operatorId) return { visibility: 'domain', typeIds: [] }
  const roles = await db.rows<{ visibility: number; typeIds?: string[] }>(sql`
    select visibility, type_ids
    from work_order_role
    where owner_id = ${scope.ownerId} and ${notDeleted()} and ${String(scope.operatorId)} = any(manager_ids)
  `)
  const visibilities = roles.map(role => keyOf(orderVisibility, role.visibility))
  const visibility = widestFirst.find(v => visibilities.includes(v)) ?? 'domain'
  const typeIds = roles.flatMap(role => (role.typeIds ?? []).map(parseId))
  return {
    visibility,
    typeIds: visibility === 'ownTypes' ? await findTypesUnder(db, scope.ownerId, typeIds) : [],
  }
}

/** Rows of an order that concerns somebody: registered, handled, assisted or watched by them. */
const isConcerned = (
  orderId: RawBuilder<unknown>,
  ownerId: Id,
  managerId: Id,
): RawBuilder<unknown> => sql`exists (
  select
  from work_order_person p
  where p.owner_id = ${ownerId} and p.order_id = ${orderId} and p.manager_id = ${managerId}
)`

/** Orders `t` that concern somebody. */
export const concerns = (ownerId: Id, managerId: Id): RawBuilder<unknown> =>
  isConcerned(sql`t.id`, ownerId, managerId)

/** The condition on orders `t` beside the data domain; none where nothing more is asked. */
export async function sightConditions(db: Pick<Db, 'rows'>, scope: Scope): Promise<RawBuilder<unknown>[]> {
  const sight = await loadSight(db, scope)
  const own = concerns(scope.ownerId, scope.operatorId)
  if (sight.visibility === 'domain') return []
  if (sight.visibility === 'own') return [own]
  return [sql`(t.type_id = any(${[...sight.typeIds]}::bigint[]) or ${own})`]
}

/** The same condition on rows `t` that belong to an order: its history, costs, ratings and visits. */
export async function orderRowConditions(db: Pick<Db, 'rows'>, scope: Scope): Promise<RawBuilder<unknown>[]> {
  const sight = await loadSight(db, scope)
  const own = isConcerned(sql`t.order_id`, scope.ownerId, scope.operatorId)
  if (sight.visibility === 'domain') return []
  if (sight.visibility === 'own') return [own]
  return [
    sql`(
      ${own}
      or t.order_id in (
        select o.id
        from work_order o
        where o.owner_id = ${scope.ownerId} and o.type_id = any(${[...sight.typeIds]}::bigint[])
      )
    )`,
  ]
}

/**
 * The same rule about single orders `o`, in one condition: by the roles of the caller, the widest of them.
 * Types lie at most three deep.
 */
const isInSight = ({ ownerId, operatorId, isOwner }: Pick<Caller, 'ownerId' | 'operatorId' | 'isOwner'>) => {
  if (isOwner || !operatorId) return sql`true`
  const ownRoles = sql`
    select
    from work_order_role r
    where r.owner_id = ${ownerId} and ${notDeleted('r')} and ${String(operatorId)} = any(r.manager_ids)
  `
  return sql`(
    not exists (${ownRoles})
    or exists (${ownRoles} and r.visibility = ${code(orderVisibility, 'domain')})
    or exists (
      ${ownRoles}
        and r.visibility = ${code(orderVisibility, 'ownTypes')}
        and exists (
          select
          from work_order_type y
          left join work_order_type u on u.owner_id = ${ownerId} and u.id = y.parent_id
          where y.owner_id = ${ownerId}
            and y.id = o.type_id
            and r.type_ids && array[y.id::text, u.id::text, u.parent_id::text]
        )
    )
    or exists (
      select
      from work_order_person p
      where p.owner_id = ${ownerId} and p.order_id = o.id and p.manager_id = ${operatorId}
    )
  )`
}

const isSeen = async (db: Pick<Db, 'one'>, scope: Scope, orderId: Id): Promise<boolean> =>
  (await db.one(sql`
    select 1 as found
    from work_order o
    where o.owner_id = ${scope.ownerId} and o.id = ${orderId} and ${isInSight(scope)}
  `)) !== undefined

/** Photos open for those who may see the order that holds them; `orderId` names it in rows `t`. */
const registerPhotos = (entity: Entity, orderId: RawBuilder<unknown>): void =>
  registerFileAccess(entity.name, caller =>
    hasPermission(caller, menu.order.permissions.view)
      ? sql`${tenantFilter(entity, caller)}
          and exists (
            select
            from work_order o
            where o.owner_id = ${caller.ownerId} and o.id = ${orderId} and ${isInSight(caller)}
          )`
      : undefined,
  )

registerPhotos(workOrder, sql`t.id`)
registerPhotos(orderRecord, sql`t.order_id`)
registerPhotos(evaluation, sql`t.order_id`)

/** The order, where the caller may see it; locked for what is to change it. */
export async function requireOrder(
  db: Db,
  scope: Scope,
  id: Id,
  options: { readonly lock?: boolean } = {},
): Promise<WorkOrder> {
  const order = await requireById(db, workOrder, scope, id, options)
  if (await isSeen(db, scope, id)) return order
  throw new Refused(resultCode.forbidden, '无权查看该工单：只能查看与本人有关或本人负责类型的工单')
}
