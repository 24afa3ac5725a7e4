import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { sql } from '#kit/server/db.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import { notDeleted } from '#kit/server/sql.ts'
import type { Building } from '#modules/estates/contract/building.ts'
import type { Estate } from '#modules/estates/contract/estate.ts'
import { onBuildingRenamed, registerRoomCounter } from '#modules/estates/server/public.ts'
import { publishRoomPathsChanged } from './room-occupants.ts'
import { pathAndSortKeyOf } from './room.ts'

// BASE-5: estates and buildings stay while rooms are in them.
registerDependentRows('estate', {
  label: '房间',
  table: 'room',
  where: (estate: Estate) => sql`project_code = ${estate.projectCode}`,
})

registerDependentRows('building', {
  label: '房间',
  table: 'room',
  where: (building: Building) =>
    sql`project_code = ${building.projectCode} and build_code = ${building.code}`,
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
      and ${notDeleted()}
    group by build_code, unit_name
  `),
)

/** A building's new name is in the path and the order of every room of it. */
onBuildingRenamed(async (tx, scope, building) => {
  const rooms = await tx.rows<{ id: Id; unit: string; floor: number; roomNo: string }>(
    sql`
      select id, unit_name as unit, floor_num as floor, room_no
      from room
      where owner_id = ${scope.ownerId}
        and project_code = ${building.projectCode}
        and build_code = ${defined(building.code)}
        and ${notDeleted()}
      for update
    `,
  )
  const renamed = rooms.map(room => ({
    id: room.id,
    ...pathAndSortKeyOf({ building: building.name, unit: room.unit, floor: room.floor, roomNo: room.roomNo }),
  }))
  await tx.execute(
    sql`
      update room t
      set path = r.path, sort_key = r."sortKey"
      from jsonb_to_recordset(${JSON.stringify(renamed)}::jsonb) as r(id bigint, path text, "sortKey" text)
      where t.owner_id = ${scope.ownerId} and t.id = r.id
    `,
  )
  await publishRoomPathsChanged(tx, scope, {
    projectCode: building.projectCode,
    buildCode: defined(building.code),
  })
})
