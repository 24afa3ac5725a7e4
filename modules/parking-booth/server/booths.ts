import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { requireProject, type Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { tenantFilter } from '#kit/server/table.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { parkLane } from '#modules/parking-lanes/contract/park-lane.ts'
import { shiftState } from '../contract/choices.ts'
import { listBooths, onlyBooth } from '../contract/shift.ts'

interface BoothRow {
  readonly projectCode: string
  readonly parkId: Id
  readonly parkName: string
  readonly boothName: string
  readonly laneNames?: string
  readonly shiftId?: Id
  readonly staffId?: Id
  readonly staffName?: string
  readonly beginTime?: Moment
}

const isOnDuty = ({ ownerId }: Scope, shift: 'o' | 's') => sql`
  ${sql.ref(`${shift}.owner_id`)} = ${ownerId}
  and ${sql.ref(`${shift}.state`)} = ${code(shiftState, 'onDuty')}
  and ${notDeleted(shift)}
`

export const boothHandlers = [
  reads(listBooths, async ({ projectCode }, { db, scope }) => {
    if (projectCode) {
      requireProject(scope.domain, projectCode)
    }
    const isOwn = sql`o.off_staff_id = ${scope.operatorId} and ${isOnDuty(scope, 'o')}`
    // The own shift is there even when its booth has lost its lanes: only there it is handed over.
    const rows = await db.rows<BoothRow>(sql`
      with lanes as (
        select t.project_code, t.park_id, coalesce(t.booth_name, ${onlyBooth}) as booth_name,
          string_agg(t.lane_name, '、' order by t.lane_name) as lane_names
        from park_lane t
        where ${tenantFilter(parkLane, scope, projectCode)} and t.state = ${code(enabledState, 'on')}
        group by 1, 2, 3
      ), booths as (
        select project_code, park_id, booth_name, lane_names
        from lanes
        union all
        select o.project_code, o.park_id, o.booth_name, null
        from park_shift o
        where ${isOwn} and not exists (
          select from lanes l where l.park_id = o.park_id and l.booth_name = o.booth_name
        )
      )
      select b.project_code, b.park_id, p.name as park_name, b.booth_name, b.lane_names, s.id as shift_id,
        s.off_staff_id as staff_id, s.off_staff_name as staff_name, s.begin_time
      from booths b
      join park p on p.owner_id = ${scope.ownerId} and p.id = b.park_id
      left join park_shift s on ${isOnDuty(scope, 's')}
        and s.park_id = b.park_id
        and s.booth_name = b.booth_name
      where p.state = ${code(enabledState, 'on')} and ${notDeleted('p')} or s.id is not null
      order by b.project_code, p.name, b.booth_name
    `)
    return rows.map(({ staffId, ...row }) => ({ ...row, isOwn: staffId === scope.operatorId }))
  }),
]
