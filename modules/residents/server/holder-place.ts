import type { FieldFault } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { currentPlaces, everPresent } from './presence.ts'

interface PlaceQuery {
  readonly ownerId: Id
  readonly projectCode: string
  readonly today: Day
}

/** What a resident has to do with a project. */
export interface HolderPlace {
  readonly userId: Id
  readonly name: string
  readonly isRegistered: boolean
  readonly isPresent: boolean
  readonly wasPresent: boolean
  /** Where they live, and those of the companies for which they work. */
  readonly roomIds: readonly string[]
}

export async function findHolderPlaces(
  db: Db,
  query: PlaceQuery,
  userIds: readonly Id[],
): Promise<ReadonlyMap<Id, HolderPlace>> {
  if (!userIds.length) return new Map()
  const asked = sql`any(${[...userIds]}::bigint[])`
  const rows = await db.rows<HolderPlace>(sql`
    with place as (
      select p.user_id, p.room_id from (${currentPlaces(query)}) p where p.user_id = ${asked}
    )
    select u.id as user_id, u.name, u.home_project = ${query.projectCode} as is_registered,
      exists (select 1 from place p where p.user_id = u.id) as is_present,
      exists (select 1 from (${everPresent(query)}) e where e.user_id = u.id) as was_present,
      array(
        select distinct p.room_id::text from place p where p.user_id = u.id and p.room_id is not null
      ) as room_ids
    from resident u
    where u.owner_id = ${query.ownerId} and u.id = ${asked}
  `)
  return new Map(rows.map(row => [row.userId, row]))
}

/**
 * Why a resident gets no way in (BASE-11, BASE-12): who has left everything would open nothing with it. Who
 * never lived or worked in the project may have one for another reason, where registered.
 */
export function absenceText({ name, isRegistered, isPresent, wasPresent }: HolderPlace): string | undefined {
  if (isPresent) return undefined
  if (wasPresent)
    return `「${name}」在本项目已没有住处和任职（或租期已满），不能发放门禁；请先办理入住或登记任职`
  return isRegistered ? undefined : `「${name}」未登记在本项目，不能发放门禁；请先登记入住或任职`
}

export const isOwnRoom = ({ roomIds }: HolderPlace, roomId: Id): boolean => roomIds.includes(String(roomId))

interface Holder {
  readonly userId?: Id | undefined
  readonly roomId?: Id | undefined
}

/** Of what a resident is given in a project, for a room or for none. */
export async function holderFaults(
  db: Db,
  query: PlaceQuery,
  { userId, roomId }: Holder,
): Promise<FieldFault[]> {
  if (userId === undefined) return []
  const place = (await findHolderPlaces(db, query, [userId])).get(userId)
  // A resident who is not there is refused as such.
  if (!place) return []
  const absence = absenceText(place)
  if (absence !== undefined) return [{ Field: 'UserID', Message: absence }]
  return roomId === undefined || isOwnRoom(place, roomId)
    ? []
    : [{ Field: 'RoomID', Message: '持有人未在此房间居住或任职，请重新选择房间，或先登记入住' }]
}
