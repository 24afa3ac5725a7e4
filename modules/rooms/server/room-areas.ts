import { defined } from '#kit/domain/defined.ts'
import { labelOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import { invalidInput } from '#kit/contract/wire.ts'
import { sql, type Db, type Database, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insertAll } from '#kit/server/table.ts'
import { live } from '#kit/server/sql.ts'
import { roomAreaKeys, roomChange, type RoomAreas } from '../contract/room-change.ts'
import type { Room } from '../contract/room.ts'
import { changeItem } from '../contract/labels.ts'
import { areasOn, areaSpans, planAreaChanges, type AreaSpan, type AreaChange } from '../domain/room-areas.ts'
import { columnOf } from '#kit/contract/entity.ts'

type ChangeItem = keyof typeof changeItem.rows
const areaItems = roomAreaKeys.map(areaKey => changeItem.rows[areaKey][0] as string)
export const changeItemLabel = (item: ChangeItem): string => labelOf(changeItem, item)

export interface RoomChangeEntry {
  readonly room: Pick<Room, 'id' | 'code' | 'projectCode'>
  readonly item: ChangeItem
  readonly oldValue?: string | undefined
  readonly newValue?: string | undefined
  readonly oldRef?: number | undefined
  readonly newRef?: number | undefined
  readonly effectiveDate: Day
  readonly reason?: string | undefined
  readonly applied: boolean
}

/** Writes into the history of rooms, in one statement. */
export const logRoomChanges = (
  tx: Tx,
  scope: Scope,
  changes: readonly RoomChangeEntry[],
): Promise<number[]> =>
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

/** The area changes of rooms, said or still to come, by room. */
export async function findAreaChanges(
  db: Db,
  owner: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, AreaChange[]>> {
  if (!ids.length) return new Map()
  const rows = await db.rows<{
    id: number
    roomId: number
    item: string
    effectiveDate: Day
    oldValue?: string
    newValue?: string
  }>(sql`
    select id, room_id, item, effective_date, old_value, new_value
    from room_change_log
    where owner_id = ${owner} and room_id = any(${[...ids]}) and ${live()} and item = any(${areaItems})
    order by effective_date, id
  `)
  const keyOf = new Map(roomAreaKeys.map(areaKey => [changeItem.rows[areaKey][0] as string, areaKey]))
  return Map.groupBy(
    rows.map(s => ({ ...s, item: defined(keyOf.get(s.item)) })),
    s => s.roomId,
  )
}

/**
 * Notes what a save says of areas from a day on (BASE-7) and answers the figures that hold today. Refuses
 * when a figure differs and no day is said, or when a later change of it is already there.
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
    throw invalidInput([
      {
        Field: 'EffectiveDate',
        Message: `${planned.map(change => changeItemLabel(change.item)).join('、')}有变更，请填写生效日期`,
      },
    ])
  if (!planned.length) return {}
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
  )
  const after = areasOn(
    before,
    [
      ...changes,
      ...planned.map(change => ({ ...change, effectiveDate: defined(effectiveDate), id: Infinity })),
    ],
    today,
  )
  return Object.fromEntries(planned.map(change => [change.item, after[change.item]]))
}

/** What rooms are charged by on a day, past or coming (BASE-7). Rooms that are not there are left out. */
export async function findRoomAreas(
  db: Db,
  owner: number,
  ids: readonly number[],
  day: Day,
): Promise<ReadonlyMap<number, RoomAreas>> {
  return new Map(
    [...(await loadRoomAreas(db, owner, ids))].map(([id, history]) => [
      id,
      areasOn(history.now, history.steps, day),
    ]),
  )
}

/** The same over a closed period, cut where a change begins to hold (PRO-7). */
export async function findRoomAreaSpans(
  db: Db,
  owner: number,
  ids: readonly number[],
  effectiveDate: Day,
  to: Day,
): Promise<ReadonlyMap<number, AreaSpan[]>> {
  return new Map(
    [...(await loadRoomAreas(db, owner, ids))].map(([id, history]) => [
      id,
      areaSpans(history.now, history.steps, effectiveDate, to),
    ]),
  )
}

async function loadRoomAreas(
  db: Db,
  owner: number,
  ids: readonly number[],
): Promise<Map<number, { now: RoomAreas; steps: AreaChange[] }>> {
  const now = await db.rows<RoomAreas & { id: number }>(
    sql`
      select id,
        ${sql.join(roomAreaKeys.map(areaKey => sql`trim_scale(${sql.id(columnOf(areaKey))})::text as ${sql.id(columnOf(areaKey))}`))}
      from room
      where owner_id = ${owner} and id = any(${[...ids]}) and ${live()}
    `,
  )
  const changes = await findAreaChanges(db, owner, ids)
  return new Map(now.map(({ id, ...areas }) => [id, { now: areas, steps: changes.get(id) ?? [] }]))
}

/**
 * Lets the changes whose day has come hold, in every company; may run any number of times. Answers how many
 * figures changed.
 */
export async function applyDueAreaChanges(database: Database, today: Day): Promise<number> {
  return database.tx('*', async tx => {
    const due = sql`not applied and ${live()} and effective_date <= ${today}`
    for (const areaKey of roomAreaKeys) {
      await tx.execute(sql`
        update room r
        set ${sql.id(columnOf(areaKey))} = c.new_value::numeric, version = r.version + 1, update_time = now()
        from (
          select distinct on (owner_id, room_id) owner_id, room_id, new_value
          from room_change_log
          where ${due} and item = ${changeItem.rows[areaKey][0]}
          order by owner_id, room_id, effective_date desc, id desc
        ) c
        where r.owner_id = c.owner_id and r.id = c.room_id and ${live('r')}
      `)
    }
    return tx.execute(sql`update room_change_log set applied = true, update_time = now() where ${due}`)
  })
}

/** Payer changes that name one of the merged people name the one who stays. */
export async function reassignPayerChanges(
  tx: Tx,
  ownerId: number,
  effectiveDate: readonly number[],
  to: number,
): Promise<void> {
  for (const column of ['old_ref', 'new_ref']) {
    await tx.execute(sql`
      update room_change_log
      set ${sql.id(column)} = ${to}
      where owner_id = ${ownerId} and item = 'Payer' and ${sql.id(column)} = any(${[...effectiveDate]}::bigint[])
    `)
  }
}
