import { refuse } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { timeOf, type Moment } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { onLanesWithdrawn } from '#modules/parking-lanes/server/public.ts'
import { shiftState } from '../contract/choices.ts'
import { onlyBooth } from '../contract/shift.ts'

interface DutyRow {
  readonly parkId: Id
  readonly parkName: string
  readonly boothName: string
  readonly staffId: Id
  readonly staffName: string
  readonly beginTime: Moment
}

/** Shifts `s` whose person is on duty now. */
const onDuty = ({ ownerId }: Scope) => sql`
  s.owner_id = ${ownerId} and s.state = ${code(shiftState, 'onDuty')} and ${notDeleted('s')}
`

const findDuties = (tx: Tx, scope: Scope, condition: ReturnType<typeof sql>): Promise<DutyRow[]> =>
  tx.rows<DutyRow>(sql`
    select s.park_id, p.name as park_name, s.booth_name, s.off_staff_id as staff_id,
      s.off_staff_name as staff_name, s.begin_time
    from park_shift s
    join park p on p.owner_id = ${scope.ownerId} and p.id = s.park_id
    where ${onDuty(scope)} and ${condition}
  `)

/** Money at a booth is taken by a person whose sheet it comes on (PRK-10). */
export async function assertOnDutyAt(tx: Tx, scope: Scope, parkId: Id): Promise<void> {
  const [own] = await findDuties(
    tx,
    scope,
    sql`s.off_staff_id = ${scope.operatorId} and s.park_id = ${parkId}`,
  )
  if (!own) {
    refuse('您未在该停车场当班，请先在「岗亭收费」开始当班，再收费')
  }
}

/** A person is on duty at one booth, and a booth has one person on duty. */
export async function assertFreeForShift(tx: Tx, scope: Scope, parkId: Id, boothName: string): Promise<void> {
  const duties = await findDuties(
    tx,
    scope,
    sql`(s.off_staff_id = ${scope.operatorId} or s.park_id = ${parkId} and s.booth_name = ${boothName})`,
  )
  const own = duties.find(({ staffId }) => staffId === scope.operatorId)
  if (own) {
    refuse(`您正在「${own.parkName} · ${own.boothName}」当班，请先在该岗亭交班`)
  }
  const [other] = duties
  if (other) {
    refuse(`该岗亭有人当班（${other.staffName}），请先由其交班`)
  }
}

onLanesWithdrawn(async (tx, scope, lanes) => {
  for (const { parkId, laneName, boothName = onlyBooth } of lanes) {
    const [duty] = await findDuties(tx, scope, sql`s.park_id = ${parkId} and s.booth_name = ${boothName}`)
    if (duty) {
      const since = timeOf(duty.beginTime)
      refuse(
        `岗亭「${boothName}」由${duty.staffName}当班（自 ${since}），请交班后再改「${laneName}」的岗亭、停用或删除`,
      )
    }
  }
})
