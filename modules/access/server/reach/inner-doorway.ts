import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import type { Sql } from './query.ts'

/** Of a door `d`: it is a building's, behind the gates of a project that has any. */
export const isInner = (ownerId: Id): Sql => sql`(
  d.build_code is not null
  and exists (
    select 1
    from doorway g
    where g.owner_id = ${ownerId}
      and g.project_code = d.project_code
      and g.build_code is null
      and g.state = ${code(enabledState, 'on')}
      and ${notDeleted('g')}
  )
)`
