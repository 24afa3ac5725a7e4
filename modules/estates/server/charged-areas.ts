import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { notDeleted } from '#kit/server/sql.ts'

export interface ChargedArea {
  readonly code: string
  readonly name: string
  readonly buildCode?: string | undefined
  readonly area?: string | undefined
}

/** Public areas of a project by code (BASE-8). Needs public_area_code_live. */
export async function findChargedAreas(
  db: Db,
  ownerId: Id,
  project: string,
  codes: readonly string[],
): Promise<ReadonlyMap<string, ChargedArea>> {
  if (!codes.length) return new Map()
  const rows = await db.rows<ChargedArea>(
    sql`
      select code, name, build_code, trim_scale(area)::text as area
      from public_area
      where owner_id = ${ownerId}
        and project_code = ${project}
        and code = any(${[...codes]})
        and ${notDeleted()}
    `,
  )
  return new Map(rows.map(r => [r.code, r]))
}
