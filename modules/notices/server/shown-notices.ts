import { sql, type RawBuilder } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { audienceScope } from '#modules/messaging/contract/audience.ts'
import { noticeState, type NoticeChannel } from '../contract/choices.ts'

type Sql = RawBuilder<unknown>

/** A home, or where a screen hangs. */
export interface Place {
  readonly projectCode: string
  readonly buildCode?: string | undefined
  readonly unit?: string | undefined
  readonly roomId?: number | undefined
}

/** Notices `t` that a channel shows now. */
export const isShown = (channel: NoticeChannel, time: string): Sql => sql`
  t.state = ${code(noticeState, 'published')}
  and ${notDeleted('t')}
  and ${channel} = any(t.channels)
  and (t.expire_time is null or t.expire_time > ${time}::timestamptz)
`

const names = (member: string, keys: readonly string[]): Sql => sql`
  exists (
    select
    from jsonb_array_elements_text(coalesce(t.scope_json -> ${member}, '[]'::jsonb)) n(key)
    where n.key = any(${[...keys]}::text[])
  )
`

/** Units of a building, for a screen that hangs in it. */
const namesUnitOf = (building: string): Sql => sql`
  exists (
    select
    from jsonb_array_elements_text(coalesce(t.scope_json -> 'units', '[]'::jsonb)) n(key)
    where starts_with(n.key, ${`${building}/`})
  )
`

const defined = (keys: readonly (string | undefined)[]): string[] =>
  keys.filter((key): key is string => key !== undefined)

/**
 * Notices `t` for everybody at some of these places, also those who came later: by projects, buildings, units or
 * rooms, without a choice among their people. A screen shows those of its building, or of all buildings
 * where it hangs at the entrance of the project.
 */
export function isForPlaces(places: readonly Place[], reader: 'resident' | 'screen'): Sql {
  const projects = [...new Set(places.map(place => place.projectCode))]
  const buildings = defined(places.map(p => p.buildCode && `${p.projectCode}/${p.buildCode}`))
  const units = defined(places.map(p => p.buildCode && p.unit && `${p.projectCode}/${p.buildCode}/${p.unit}`))
  const rooms = defined(places.map(p => (p.roomId === undefined ? undefined : String(p.roomId))))
  const isAtEntrance = reader === 'screen' && !buildings.length
  const byBuilding = isAtEntrance
    ? sql`t.project_codes && ${projects}::text[]`
    : names('buildingCodes', buildings)
  const ofScreen = sql.join([sql`false`, ...buildings.map(namesUnitOf)], sql` or `)
  const byUnit =
    reader === 'screen' ? (isAtEntrance ? byBuilding : sql`(${ofScreen})`) : names('units', units)
  const scope = (key: keyof typeof audienceScope.rows): Sql => code(audienceScope, key)
  return sql`(
    jsonb_array_length(coalesce(t.scope_json -> 'relations', '[]'::jsonb)) = 0
    and t.scope_json -> 'arrearsAmount' is null
    and t.scope_json -> 'arrearsMonths' is null
    and (
      t.scope_type = ${scope('all')}
      or (t.scope_type = ${scope('projects')} and ${names('projectCodes', projects)})
      or (t.scope_type = ${scope('buildings')} and ${byBuilding})
      or (t.scope_type = ${scope('units')} and ${byUnit})
      or (t.scope_type = ${scope('rooms')} and ${reader === 'screen' ? sql`false` : names('roomIds', rooms)})
    )
  )`
}
