import { parseId, type Id } from '#kit/domain/id.ts'
import type { Permission } from '#kit/contract/call.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { equalsAny, notDeleted } from '#kit/server/sql.ts'
import { hasBuilding, hasPermission, hasProject, type Caller } from '#kit/server/scope.ts'
import { loadActiveCallers } from '#modules/accounts/server/public.ts'
import { rankReceivers, type RankedReceiver, type Receiver, type ReceiverConfig } from '../domain/dispatch.ts'
import { menu } from '../module.ts'
import { isInDomainOfHandler, isWorking, type Person } from './handler-access.ts'
import { findTypeLine } from './order-types.ts'

/** Whether accounts are at work just now; undefined for those that it knows nothing of. */
export type DutyLookup = (
  db: Db,
  ownerId: Id,
  managerIds: readonly Id[],
  now: Moment,
) => Promise<ReadonlyMap<Id, boolean>>

let dutyLookup: DutyLookup | undefined

/**
 * The module that keeps the attendance says who is present; the shifts of the configurations hold as well.
 */
export const registerDutyLookup = (lookup: DutyLookup): void => {
  dutyLookup = lookup
}

/** Who is at work, as far as the attendance knows. */
export const findPresence: DutyLookup = async (db, ownerId, managerIds, now) =>
  dutyLookup ? dutyLookup(db, ownerId, managerIds, now) : new Map()

export interface Place {
  readonly projectCode: string
  readonly buildCode?: string | undefined
}

/** What is in no building is for those who have the whole project, as in lists. */
const coversPlace = ({ domain }: Caller, { projectCode, buildCode = '' }: Place): boolean =>
  hasBuilding(domain, projectCode, buildCode)

/** Why an account has no access to the orders of a place by a right; undefined where it has. */
export function accessRefusal(
  caller: Caller | undefined,
  right: Permission,
  place: Place,
): string | undefined {
  if (!caller) return '账号已停用'
  if (!hasPermission(caller, right)) return `没有「${right.label}」权限`
  return coversPlace(caller, place) ? undefined : '数据范围不含该位置'
}

const { handle } = menu.order.permissions

/** Accounts that may handle orders somewhere in a project. */
export async function findProjectHandlers(
  db: Db,
  ownerId: Id,
  projectCode: string,
): Promise<readonly Caller[]> {
  const callers = await loadActiveCallers(db, ownerId)
  return callers.filter(caller => hasPermission(caller, handle) && hasProject(caller.domain, projectCode))
}

/** Accounts that may handle orders and whose data domain has the place. */
export async function findHandlers(db: Db, ownerId: Id, place: Place): Promise<readonly Caller[]> {
  const callers = await loadActiveCallers(db, ownerId)
  return callers.filter(caller => accessRefusal(caller, handle, place) === undefined)
}

export interface ReceiverLoad {
  readonly managerId: Id
  readonly openCount: number
  readonly lateCount: number
  readonly isPaused: boolean
  readonly lastTurn: number
  readonly lastDispatchTime?: Moment
}

/**
 * What accounts have in hand and whether they take more. Orders that they do not see any more, since their
 * data domain was narrowed, are no load of theirs. Uses work_order_handler.
 */
export async function loadLoads(
  db: Pick<Db, 'rows'>,
  ownerId: Id,
  people: readonly Person[],
  now: Moment,
): Promise<ReadonlyMap<Id, ReceiverLoad>> {
  const managerIds = people.map(person => person.operatorId)
  const rows = await db.rows<ReceiverLoad>(sql`
    select m.id as manager_id, coalesce(o.open, 0)::int as open_count, coalesce(o.late, 0)::int as late_count,
      coalesce(d.is_paused and (d.paused_until is null or d.paused_until > ${now}), false) as is_paused,
      coalesce(d.last_turn, 0)::int as last_turn, d.last_dispatch_time
    from unnest(${managerIds}::bigint[]) as m(id)
    left join (
      select t.handler_id, count(*) as open, count(*) filter (where t.next_deadline < ${now}) as late
      from work_order t
      where t.owner_id = ${ownerId}
        and t.handler_id = any(${managerIds}::bigint[])
        and ${isWorking}
        and ${isInDomainOfHandler(people)}
        and ${notDeleted('t')}
      group by t.handler_id
    ) o on o.handler_id = m.id
    left join work_order_duty d on d.owner_id = ${ownerId} and d.manager_id = m.id
  `)
  return new Map(rows.map(row => [row.managerId, row]))
}

export interface ConfigRow {
  readonly projectCode: string
  readonly typeId?: Id
  readonly managerIds?: string[]
  readonly buildCodes?: string[]
  readonly weekdays?: string[]
  readonly shiftBegin?: string
  readonly shiftEnd?: string
  readonly maxOpen?: number
  readonly onlyOnDuty: boolean
}

export const toConfig = (row: ConfigRow): ReceiverConfig => ({
  managerIds: (row.managerIds ?? []).map(parseId),
  buildCodes: row.buildCodes ?? [],
  weekdays: (row.weekdays ?? []).map(Number),
  shiftBegin: row.shiftBegin,
  shiftEnd: row.shiftEnd,
  maxOpen: row.maxOpen,
  onlyOnDuty: row.onlyOnDuty,
})

export const configColumns = sql`project_code, type_id, manager_ids, build_codes, weekdays, shift_begin, shift_end, max_open, only_on_duty`

/** Of a type and what is above it, in a project. Uses work_order_person_config_list. */
export async function loadConfigs(
  db: Pick<Db, 'rows'>,
  ownerId: Id,
  projectCode: string,
  typeLine: readonly Id[],
): Promise<ReceiverConfig[]> {
  const rows = await db.rows<ConfigRow>(sql`
    select ${configColumns}
    from work_order_person_config
    where owner_id = ${ownerId}
      and project_code = ${projectCode}
      and (type_id is null or type_id ${equalsAny(typeLine)})
      and ${notDeleted()}
    order by id
  `)
  return rows.map(toConfig)
}

export interface RankedLoad extends RankedReceiver {
  readonly load: ReceiverLoad | undefined
}

/** WO-13: everybody who may handle orders at a place, the most suitable for this type first. */
export async function rankForOrder(
  db: Db,
  ownerId: Id,
  place: Place,
  typeId: Id,
  now: Moment,
): Promise<RankedLoad[]> {
  const handlers = await findHandlers(db, ownerId, place)
  const ids = handlers.map(handler => handler.operatorId)
  const loads = await loadLoads(db, ownerId, handlers, now)
  const present = await findPresence(db, ownerId, ids, now)
  const configs = await loadConfigs(db, ownerId, place.projectCode, await findTypeLine(db, ownerId, typeId))
  const people = handlers.map((handler): Receiver => {
    const load = loads.get(handler.operatorId)
    return {
      managerId: handler.operatorId,
      name: handler.name,
      openCount: load?.openCount ?? 0,
      isPaused: load?.isPaused ?? false,
      isPresent: present.get(handler.operatorId),
      lastTurn: load?.lastTurn ?? 0,
    }
  })
  return rankReceivers(people, configs, place.buildCode, now).map(person => ({
    ...person,
    load: loads.get(person.managerId),
  }))
}
