import { defineEvent } from '#kit/server/event.ts'
import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { codeOf, labelOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import { invalidField } from '#kit/contract/wire.ts'
import { sql, type Db, type Database, type Tx } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { publishRecordsWritten } from '#kit/server/record-events.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insertAll } from '#kit/server/table.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { roomAreaKeys, roomChange, type RoomAreas } from '../contract/room-change.ts'
import type { Room } from '../contract/room.ts'
import { changeItem } from '../contract/labels.ts'
import { areasOn, areaSpans, planAreaChanges, type AreaSpan, type AreaChange } from '../domain/room-areas.ts'
import { columnOf } from '#kit/contract/entity.ts'
import { assertEffectiveDates } from './back-dating.ts'

type ChangeItem = keyof typeof changeItem.rows
const areaKeyByItem = new Map<unknown, keyof RoomAreas>(
  roomAreaKeys.map(key => [codeOf(changeItem, key), key]),
)
const areaItems = [...areaKeyByItem.keys()]
export const changeItemLabel = (item: ChangeItem): string => labelOf(changeItem, item)

export interface RoomChangeEntry {
  readonly room: Pick<Room, 'id' | 'code' | 'projectCode'>
  readonly item: ChangeItem
  readonly oldValue?: string | undefined
  readonly newValue?: string | undefined
  readonly oldRef?: Id | undefined
  readonly newRef?: Id | undefined
  readonly effectiveDate: Day
  readonly reason?: string | undefined
  readonly applied: boolean
}

/**
 * In the transaction in which a known area, payer or company of rooms is replaced by another one, once
 * it is written: bills of the days from then on may not fit any more (PRO-7).
 */
export const [onChargedFactsChanged, publishChargedFactsChanged] =
  defineEvent<[tx: Tx, scope: Scope, changes: readonly RoomChangeEntry[], today: Day]>()

const chargedItems = new Set<ChangeItem>([...roomAreaKeys, 'payer', 'company'])

/** The first payer or area of a room replaces none: no bill was made by another one. */
const replacesChargedFact = (change: RoomChangeEntry): boolean =>
  chargedItems.has(change.item) && (change.oldValue !== undefined || change.item === 'company')

/** Writes entries of the history of rooms, in one statement. */
export async function logRoomChanges(
  tx: Tx,
  scope: Scope,
  changes: readonly RoomChangeEntry[],
  today: Day,
): Promise<void> {
  await insertRoomChanges(tx, scope, changes)
  const replaced = changes.filter(replacesChargedFact)
  if (replaced.length) {
    await publishChargedFactsChanged(tx, scope, replaced, today)
  }
}

const insertRoomChanges = (tx: Tx, scope: Scope, changes: readonly RoomChangeEntry[]): Promise<Id[]> =>
  insertAll(
    tx,
    roomChange,
    scope,
    changes.map(({ room, ...change }) => ({
      projectCode: room.projectCode,
      roomId: room.id,
      roomCode: room.code,
      operatorName: scope.name,
      ...change,
    })),
  )

/** The area changes of rooms, past and future ones, by room. */
export async function findAreaChanges(
  db: Db,
  ownerId: Id,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, AreaChange[]>> {
  if (!ids.length) return new Map()
  const rows = await db.rows<{
    id: Id
    roomId: Id
    item: string
    effectiveDate: Day
    oldValue?: string
    newValue?: string
  }>(sql`
    select id, room_id, item, effective_date, old_value, new_value
    from room_change_log
    where owner_id = ${ownerId} and room_id = any(${[...ids]}) and ${notDeleted()} and item = any(${areaItems})
    order by effective_date, id
  `)
  return Map.groupBy(
    rows.map(s => ({ ...s, item: defined(areaKeyByItem.get(s.item)) })),
    s => s.roomId,
  )
}

/**
 * Records the areas of a save from a day on (BASE-7) and returns those that hold today. Refuses when an area
 * differs and no day is given, or when there is a later change of it.
 */
export async function recordAreaChanges(
  tx: Tx,
  scope: Scope,
  before: Room,
  requested: Partial<RoomAreas>,
  effectiveDate: Day | undefined,
  reason: string | undefined,
  today: Day,
): Promise<RoomAreas> {
  const changes = (await findAreaChanges(tx, scope.ownerId, [before.id])).get(before.id) ?? []
  const planned = planAreaChanges(before, changes, requested, effectiveDate ?? today, changeItemLabel)
  if (planned.length && !effectiveDate)
    throw invalidField(
      'EffectiveDate',
      `${planned.map(change => changeItemLabel(change.item)).join('、')}有变更，请填写生效日期`,
    )
  if (!planned.length) return {}
  const replaced = planned.filter(change => change.oldValue !== undefined)
  await assertEffectiveDates(
    tx,
    scope.ownerId,
    replaced.map(() => ({ project: before.projectCode, day: defined(effectiveDate) })),
    today,
    'EffectiveDate',
  )
  await logRoomChanges(
    tx,
    scope,
    planned.map(change => ({
      ...change,
      room: before,
      effectiveDate: defined(effectiveDate),
      reason,
      applied: defined(effectiveDate) <= today,
    })),
    today,
  )
  const after = areasOn(
    before,
    [...changes, ...planned.map(change => ({ ...change, effectiveDate: defined(effectiveDate) }))],
    today,
  )
  return Object.fromEntries(planned.map(change => [change.item, after[change.item]]))
}

/** The areas of rooms on a day, past or future (BASE-7). Rooms that are not there are left out. */
export async function findRoomAreas(
  db: Db,
  ownerId: Id,
  ids: readonly Id[],
  day: Day,
): Promise<ReadonlyMap<Id, RoomAreas>> {
  const histories = await loadAreaHistories(db, ownerId, ids)
  return new Map(histories.map(({ id, current, changes }) => [id, areasOn(current, changes, day)]))
}

/** The same over a closed period, cut where a change begins to hold (PRO-7). */
export async function findRoomAreaSpans(
  db: Db,
  ownerId: Id,
  ids: readonly Id[],
  from: Day,
  to: Day,
): Promise<ReadonlyMap<Id, AreaSpan[]>> {
  const histories = await loadAreaHistories(db, ownerId, ids)
  return new Map(histories.map(({ id, current, changes }) => [id, areaSpans(current, changes, from, to)]))
}

interface AreaHistory {
  readonly id: Id
  readonly current: RoomAreas
  readonly changes: readonly AreaChange[]
}

async function loadAreaHistories(db: Db, ownerId: Id, ids: readonly Id[]): Promise<readonly AreaHistory[]> {
  const columns = roomAreaKeys.map(key => {
    const column = sql.id(columnOf(key))
    return sql`trim_scale(${column})::text as ${column}`
  })
  const rooms = await db.rows<RoomAreas & { id: Id }>(
    sql`
      select id, ${sql.join(columns)}
      from room
      where owner_id = ${ownerId} and id = any(${[...ids]}) and ${notDeleted()}
    `,
  )
  const changesByRoom = await findAreaChanges(db, ownerId, ids)
  return rooms.map(({ id, ...current }) => ({ id, current, changes: changesByRoom.get(id) ?? [] }))
}

/**
 * Applies the changes whose day has come, in every company; may run any number of times. Returns how many.
 */
export async function applyDueAreaChanges(database: Database, time: Date, today: Day): Promise<number> {
  const due = sql`not applied and ${notDeleted()} and effective_date <= ${today}`
  const counts = await forEachDueCompany(
    database,
    sql`select distinct owner_id from room_change_log where ${due}`,
    async (tx, ownerId) => {
      for (const key of roomAreaKeys) {
        const column = sql.id(columnOf(key))
        const changed = await tx.rows<{ id: Id }>(sql`
          update room r
          set ${column} = c.new_value::numeric, version = r.version + 1, update_time = ${time}
          from (
            select distinct on (room_id) room_id, new_value
            from room_change_log
            where owner_id = ${ownerId} and ${due} and item = ${codeOf(changeItem, key)}
            order by room_id, effective_date desc, id desc
          ) c
          where r.owner_id = ${ownerId} and r.id = c.room_id and ${notDeleted('r')}
          returning r.id
        `)
        publishRecordsWritten(tx, ownerId, {
          entity: 'room',
          action: 'update',
          ids: changed.map(row => row.id),
        })
      }
      return tx.execute(sql`
        update room_change_log
        set applied = true, update_time = ${time}
        where owner_id = ${ownerId} and ${due}
      `)
    },
  )
  return counts.reduce((sum, count) => sum + count, 0)
}
