import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'

/** What ACS-2 asks of the tables, each read as it stands. */
interface Tables {
  readonly cards: readonly {
    readonly cardNo: string
    readonly userId?: Id
    readonly groupIds?: readonly string[]
  }[]
  readonly doorways: readonly {
    readonly id: Id
    readonly isPublic: boolean
    readonly buildCode?: string
    readonly unitName?: string
  }[]
  readonly groups: readonly {
    readonly id: Id
    readonly doorwayIds: readonly string[]
    readonly scopeType: number
    readonly buildCodes?: readonly string[]
    readonly unitNames?: readonly string[]
  }[]
  readonly homes: readonly { readonly userId: Id; readonly buildCode: string; readonly unitName: string }[]
  /** Who lives or works in the project, or did at any time. */
  readonly everAttached: readonly { readonly userId: Id }[]
  readonly vips: readonly { readonly userId?: Id; readonly doorwayIds: readonly string[] }[]
  readonly blocked: readonly { readonly userId?: Id }[]
  readonly links: readonly { readonly doorwayId: Id; readonly deviceId: Id }[]
}

async function readTables(db: Db, ownerId: Id, projectCode: string, today: Day): Promise<Tables> {
  const current = sql`owner_id = ${ownerId} and project_code = ${projectCode} and delete_tag = 0`
  return {
    cards: await db.rows(sql`
      select card_no, user_id, doorway_group_ids as group_ids from identity_card where ${current} and state = 10
    `),
    doorways: await db.rows(sql`
      select id, is_public, build_code, unit_name from doorway where ${current} and state = 10
    `),
    groups: await db.rows(sql`
      select id, doorway_ids, scope_type, build_codes, unit_names from doorway_group where ${current} and state = 10
    `),
    homes: await db.rows(sql`
      select l.user_id, l.build_code, r.unit_name
      from user_room l
      join room r on r.owner_id = ${ownerId} and r.id = l.room_id
      where l.owner_id = ${ownerId}
        and l.project_code = ${projectCode}
        and l.delete_tag = 0
        and l.status = 20
        and (l.lease_end is null or l.lease_end >= ${today})
      union all
      select w.user_id, c.build_code, r.unit_name
      from company_worker w
      join company f on f.owner_id = ${ownerId} and f.id = w.company_id and f.state = 10
      join company_room c on c.owner_id = ${ownerId} and c.company_id = w.company_id and c.delete_tag = 0
      join room r on r.owner_id = ${ownerId} and r.id = c.room_id
      where w.owner_id = ${ownerId}
        and w.project_code = ${projectCode}
        and w.delete_tag = 0
        and w.state = 10
        and (c.end_date is null or c.end_date >= ${today})
    `),
    everAttached: await db.rows(sql`
      select user_id
      from user_room
      where owner_id = ${ownerId} and project_code = ${projectCode} and status in (20, 30)
      union
      select user_id
      from company_worker
      where owner_id = ${ownerId} and project_code = ${projectCode} and state in (10, 20)
    `),
    vips: await db.rows(sql`select user_id, doorway_ids from vip_doorway where ${current} and state = 10`),
    blocked: await db.rows(sql`
      select user_id from user_blocklist where ${current} and '20' = any(scope)
    `),
    links: await db.rows(sql`select doorway_id, device_id from doorway_device where ${current}`),
  }
}

/**
 * The cards of residents that each device is to hold, computed one card and one door at a time: what the
 * product's one statement is compared with.
 */
export async function cardsByDevice(
  db: Db,
  ownerId: Id,
  projectCode: string,
  today: Day,
): Promise<ReadonlyMap<Id, readonly string[]>> {
  const tables = await readTables(db, ownerId, projectCode, today)
  const blocked = new Set(tables.blocked.map(({ userId }) => userId))
  const everAttached = new Set(tables.everAttached.map(({ userId }) => userId))
  const opens = (card: Tables['cards'][number], doorway: Tables['doorways'][number]): boolean => {
    if (card.userId === undefined || blocked.has(card.userId)) return false
    const homes = tables.homes.filter(({ userId }) => userId === card.userId)
    if (!homes.length && everAttached.has(card.userId)) return false
    const id = String(doorway.id)
    const isOfHome = (buildCode?: string, unitName?: string): boolean =>
      homes.some(
        home =>
          (buildCode === undefined || home.buildCode === buildCode) &&
          (unitName === undefined || home.unitName === unitName),
      )
    return (
      (doorway.isPublic && homes.length > 0 && isOfHome(doorway.buildCode, doorway.unitName)) ||
      tables.vips.some(vip => vip.userId === card.userId && vip.doorwayIds.includes(id)) ||
      tables.groups.some(
        group =>
          group.doorwayIds.includes(id) &&
          (card.groupIds?.includes(String(group.id)) === true ||
            homes.some(
              home =>
                (group.scopeType === 20 || group.scopeType === 30) &&
                group.buildCodes?.includes(home.buildCode) === true &&
                (group.scopeType === 20 || group.unitNames?.includes(home.unitName) === true),
            )),
      )
    )
  }
  return new Map(
    tables.links.map(({ doorwayId, deviceId }) => {
      const doorway = tables.doorways.find(({ id }) => id === doorwayId)
      const cards = doorway ? tables.cards.filter(card => opens(card, doorway)) : []
      return [deviceId, cards.map(({ cardNo }) => `card:${cardNo}`).toSorted()]
    }),
  )
}
