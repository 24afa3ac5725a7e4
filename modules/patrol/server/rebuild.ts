import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { rebuildTasks } from '#modules/planned-work/server/public.ts'

interface Change {
  readonly tx: Tx
  readonly scope: Scope
  readonly now: Moment
}

async function rebuildRoads(change: Change, ofPoint: RawBuilder<unknown>): Promise<void> {
  const { ownerId } = change.scope
  const roads = await change.tx.rows<{ id: Id }>(sql`
    select distinct l.road_id as id
    from patrol_road_point l
    join patrol_point p on p.owner_id = ${ownerId} and p.id = l.point_id
    where l.owner_id = ${ownerId} and ${notDeleted('l')} and ${notDeleted('p')} and ${ofPoint}
  `)
  if (!roads.length) return
  await rebuildTasks(
    change,
    'patrol',
    roads.map(({ id }) => id),
  )
}

/** Rounds that are not started follow changed points (PAT-10). */
export const rebuildPoints = (change: Change, ids: readonly Id[]): Promise<void> =>
  rebuildRoads(change, sql`p.id = any(${[...ids]}::bigint[])`)

/** Rebuilds the tasks of points with a changed template. */
export const rebuildTemplates = (change: Change, ids: readonly Id[]): Promise<void> =>
  rebuildRoads(change, sql`p.template_id = any(${[...ids]}::bigint[])`)
