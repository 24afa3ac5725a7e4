import { defined } from '#kit/domain/defined.ts'
import { sql } from '#kit/server/db.ts'
import { registerDependents } from '#kit/server/dependents.ts'
import { live } from '#kit/server/sql.ts'
import { onBuildingRenamed, registerRoomCounter } from '#modules/estates/server/public.ts'
import { notifyRoomPathsChanged } from './room-occupants.ts'
import { pathAndSortKeyOf } from './room.ts'

// BASE-5: estates and buildings stay while rooms stand in them.
registerDependents('estate', async (tx, scope, [e]) => {
  const n = await tx.one<{ count: number }>(
    sql`
      select count(*) as count
      from room
      where owner_id = ${scope.ownerId} and project_code = ${e.projectCode} and ${live()}
    `,
  )
  return [{ what: '房间', count: defined(n).count }]
})

registerDependents('building', async (tx, scope, [b]) => {
  const n = await tx.one<{ count: number }>(
    sql`
      select count(*) as count
      from room
      where owner_id = ${scope.ownerId}
        and project_code = ${b.projectCode}
        and build_code = ${b.code}
        and ${live()}
    `,
  )
  return [{ what: '房间', count: defined(n).count }]
})

// BASE-4: units keep the names and floors that rooms are on.
registerRoomCounter((tx, scope, project, codes) =>
  tx.rows(sql`
    select build_code, unit_name as unit, count(*)::int as rooms, max(floor_num) as top,
      min(floor_num) as bottom
    from room
    where owner_id = ${scope.ownerId}
      and project_code = ${project}
      and build_code = any(${[...codes]})
      and ${live()}
    group by build_code, unit_name
  `),
)

/** A building's new name is in the path and the order of every room of it. */
onBuildingRenamed(async (tx, scope, b) => {
  const all = await tx.rows<{ id: number; unit: string; floor: number; roomNo: string }>(
    sql`
      select id, unit_name as unit, floor_num as floor, room_no
      from room
      where owner_id = ${scope.ownerId}
        and project_code = ${b.projectCode}
        and build_code = ${defined(b.code)}
        and ${live()}
      for update
    `,
  )
  const said = all.map(r => ({
    id: r.id,
    ...pathAndSortKeyOf({ building: b.name, unit: r.unit, floor: r.floor, roomNo: r.roomNo }),
  }))
  await tx.execute(
    sql`
      update room t
      set path = r.path, sort_key = r."sortKey"
      from jsonb_to_recordset(${JSON.stringify(said)}::jsonb) as r(id bigint, path text, "sortKey" text)
      where t.owner_id = ${scope.ownerId} and t.id = r.id
    `,
  )
  await notifyRoomPathsChanged(tx, scope, { projectCode: b.projectCode, buildCode: defined(b.code) })
})
