import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { findActiveCaller } from '#modules/accounts/server/public.ts'
import { rankReceivers, type RankedReceiver } from '../domain/dispatch.ts'
import { ancestorsOf } from '../domain/type-tree.ts'
import { menu } from '../module.ts'
import { isInDomainOfHandler, isWorking } from './handler-access.ts'
import { loadTypeNodes } from './order-types.ts'
import {
  accessRefusal,
  configColumns,
  findPresence,
  loadLoads,
  toConfig,
  type ConfigRow,
  type Place,
} from './receivers.ts'

interface TypedPlace extends Place {
  readonly typeId: Id
}

/** An order that somebody is to take over. */
export interface OrderInHand extends TypedPlace {
  readonly id: Id
  /** Whether it is worked on: only then the rules of dispatching are asked. */
  readonly isWorkedOn: boolean
}

/** The configurations of whole projects, by what they are for. */
const loadProjectConfigs = (db: Pick<Db, 'rows'>, ownerId: Id, projects: readonly string[]) =>
  db.rows<ConfigRow>(sql`
    select ${configColumns}
    from work_order_person_config
    where owner_id = ${ownerId} and project_code = any(${[...projects]}::text[]) and ${notDeleted()}
    order by id
  `)

/** How dispatching ranks one person for several orders (WO-13). */
async function loadRanking(
  db: Db,
  ownerId: Id,
  managerId: Id,
  places: readonly TypedPlace[],
  now: Moment,
  hasLimit: boolean,
): Promise<(place: TypedPlace) => RankedReceiver> {
  const caller = await findActiveCaller(db, ownerId, managerId)
  const load = (await loadLoads(db, ownerId, caller ? [caller] : [], now)).get(managerId)
  const isPresent = (await findPresence(db, ownerId, [managerId], now)).get(managerId)
  const types = await loadTypeNodes(db, ownerId)
  const configs = await loadProjectConfigs(db, ownerId, [...new Set(places.map(place => place.projectCode))])
  const person = {
    managerId,
    name: caller?.name ?? '',
    openCount: load?.openCount ?? 0,
    isPaused: load?.isPaused ?? false,
    isPresent,
    lastTurn: load?.lastTurn ?? 0,
  }
  return ({ projectCode, buildCode, typeId }) => {
    const line = new Set(ancestorsOf(types, typeId).map(type => type.id))
    const own = configs
      .filter(config => config.projectCode === projectCode && (!config.typeId || line.has(config.typeId)))
      .map(config => ({ ...toConfig(config), ...(hasLimit ? {} : { maxOpen: undefined }) }))
    return defined(rankReceivers([person], own, buildCode, now)[0])
  }
}

/**
 * Why somebody may not be given some of several orders that they are to take over at once, by the order:
 * what dispatching each of them would say (WO-13), but for how many they have in hand: who leaves hands over
 * all in one action. One that nobody works on any more asks for the right and the place alone.
 */
export async function findTakeoverRefusals(
  db: Db,
  ownerId: Id,
  managerId: Id,
  orders: readonly OrderInHand[],
  now: Moment,
): Promise<ReadonlyMap<Id, string>> {
  const caller = await findActiveCaller(db, ownerId, managerId)
  const rank = await loadRanking(db, ownerId, managerId, orders, now, false)
  const refusals = new Map<Id, string>()
  for (const order of orders) {
    const refusal =
      accessRefusal(caller, menu.order.permissions.handle, order) ??
      (order.isWorkedOn ? rank(order).refusal : undefined)
    if (refusal !== undefined) {
      refusals.set(order.id, refusal)
    }
  }
  return refusals
}

/** `工程乙在办 39 单，超过上限 20 单`: more in hand than dispatching would have given them. */
export async function describeOverload(
  db: Db,
  ownerId: Id,
  managerId: Id,
  now: Moment,
): Promise<string | undefined> {
  const caller = await findActiveCaller(db, ownerId, managerId)
  if (!caller) return undefined
  const places = await db.rows<TypedPlace>(sql`
    select distinct t.project_code, t.build_code, t.type_id
    from work_order t
    where t.owner_id = ${ownerId}
      and t.handler_id = ${managerId}
      and ${isWorking}
      and ${isInDomainOfHandler([caller])}
      and ${notDeleted('t')}
  `)
  const ranked = places.map(await loadRanking(db, ownerId, managerId, places, now, true))
  const limits = ranked.flatMap(({ openCount, maxOpen }) =>
    maxOpen !== undefined && openCount > maxOpen ? [maxOpen] : [],
  )
  if (!limits.length) return undefined
  return `${caller.name}在办 ${ranked[0]?.openCount ?? 0} 单，超过上限 ${Math.min(...limits)} 单，请及时改派`
}
