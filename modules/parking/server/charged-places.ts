import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { notDeleted, code } from '#kit/server/sql.ts'
import type { Day } from '#kit/domain/day.ts'
import { placeState } from '../contract/labels.ts'

export interface ChargedPlace {
  readonly code: string
  readonly name: string
  readonly area?: string | undefined
  readonly enabled: boolean
  readonly roomCode?: string | undefined
  readonly from?: Day | undefined
  readonly to?: Day | undefined
}

/**
 * Places of a project by code, as those see them who charge for them; their payer is their room's. Needs
 * park_place_code_live.
 */
export async function findChargedPlaces(
  db: Db,
  ownerId: Id,
  project: string,
  codes: readonly string[],
): Promise<ReadonlyMap<string, ChargedPlace>> {
  if (!codes.length) return new Map()
  const rows = await db.rows<ChargedPlace>(sql`
    select code, place_no as name, trim_scale(area)::text as area,
      place_state <> ${code(placeState, 'off')} as enabled, room_code, begin_date as "from",
      end_date as "to"
    from park_place
    where owner_id = ${ownerId} and project_code = ${project} and code = any(${[...codes]}) and ${notDeleted()}
  `)
  return new Map(rows.map(r => [r.code, r]))
}
