import type { Id } from '#kit/domain/id.ts'
import { notFound, refuse } from '#kit/contract/wire.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findAll } from '#kit/server/table.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { loadIsWorkday } from '#modules/system/server/public.ts'
import { orderType, type OrderType } from '../contract/order-type.ts'
import { ancestorsOf, descendantsOf, type TypeNode } from '../domain/type-tree.ts'
import type { ServiceCalendar, ServiceHours } from '../domain/service-calendar.ts'

/** Every type of the company; some dozens. */
export async function loadTypes(db: Db, scope: Scope): Promise<ReadonlyMap<Id, OrderType>> {
  const types = await findAll(db, orderType, scope)
  return new Map(types.map(type => [type.id, type]))
}

/** Only how they hang together. */
export async function loadTypeNodes(db: Pick<Db, 'rows'>, ownerId: Id): Promise<ReadonlyMap<Id, TypeNode>> {
  const rows = await db.rows<TypeNode>(sql`
    select id, parent_id from work_order_type where owner_id = ${ownerId} and ${notDeleted()}
  `)
  return new Map(rows.map(row => [row.id, row]))
}

/** The type and what is above it: configurations of any of them hold for it. */
export async function findTypeLine(db: Pick<Db, 'rows'>, ownerId: Id, typeId: Id): Promise<Id[]> {
  return ancestorsOf(await loadTypeNodes(db, ownerId), typeId).map(type => type.id)
}

export async function findTypesUnder(db: Pick<Db, 'rows'>, ownerId: Id, ids: readonly Id[]): Promise<Id[]> {
  const nodes = [...(await loadTypeNodes(db, ownerId)).values()]
  return [...new Set(ids.flatMap(id => [...descendantsOf(nodes, id)]))]
}

/** A type that new orders may have. */
export async function requireUsableType(db: Db, scope: Scope, id: Id): Promise<OrderType> {
  const types = await loadTypes(db, scope)
  const type = types.get(id)
  if (!type) throw notFound()
  const off = ancestorsOf(types, id).find(t => t.state === 'off')
  if (off) return refuse(`工单类型「${off.typeName}」已停用，请选择其他类型`)
  return type
}

/** The calendar of the company's holidays is read only where it decides. */
export const loadCalendar = async (db: Db, ownerId: Id, hours: ServiceHours): Promise<ServiceCalendar> => ({
  hours,
  isWorkday: hours.workdaysOnly ? await loadIsWorkday(db, ownerId) : () => true,
})

export const isTypeOn = sql`state = ${code(enabledState, 'on')}`
