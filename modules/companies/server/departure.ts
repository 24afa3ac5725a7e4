import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import type { MoveStep } from '#modules/residents/contract/move-step.ts'
import { planDeparture, publishDeparture, type Departure } from '#modules/residents/server/public.ts'
import type { Company } from '../contract/company.ts'
import { workerState } from '../contract/company-worker.ts'

type Employer = Pick<Company, 'id' | 'name' | 'projectCode'>

/** Of people who leave a company: nothing where none of them is a registered resident. */
async function departureOf(
  db: Db,
  { ownerId }: Scope,
  company: Employer,
  userIds: readonly (Id | undefined)[],
  today: Day,
): Promise<Departure | undefined> {
  const present = userIds.filter(id => id !== undefined)
  if (!present.length) return undefined
  const rooms = await db.rows<{ roomId: Id }>(sql`
    select distinct room_id
    from company_room
    where owner_id = ${ownerId} and company_id = ${company.id}
  `)
  return {
    projectCode: company.projectCode,
    userIds: present,
    roomIds: rooms.map(({ roomId }) => roomId),
    today,
    reason: `已从企业「${company.name}」离职`,
  }
}

/** BASE-16: cards, faces and codes of workers end with the work, as those of residents with the home. */
export async function endAccessOf(
  tx: Tx,
  scope: Scope,
  company: Employer,
  userIds: readonly (Id | undefined)[],
  today: Day,
): Promise<void> {
  const departure = await departureOf(tx, scope, company, userIds, today)
  if (departure) {
    await publishDeparture(tx, scope, departure)
  }
}

/** What that will be for all who work there, before they have left. */
export async function planEndOfAccess(
  db: Db,
  scope: Scope,
  company: Employer,
  today: Day,
): Promise<MoveStep[]> {
  const workers = await db.rows<{ userId?: Id }>(sql`
    select distinct user_id
    from company_worker
    where owner_id = ${scope.ownerId}
      and company_id = ${company.id}
      and ${notDeleted()}
      and state <> ${code(workerState, 'left')}
  `)
  const userIds = workers.map(({ userId }) => userId)
  const departure = await departureOf(db, scope, company, userIds, today)
  return departure ? planDeparture(db, scope, { ...departure, leavingCompanyId: company.id }) : []
}
