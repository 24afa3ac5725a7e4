import type { Id } from '#kit/domain/id.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { refuse, invalidInput } from '#kit/contract/wire.ts'
import { assertReferences } from '#kit/server/crud-references.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { publishRecordsWritten } from '#kit/server/record-events.ts'
import type { Scope } from '#kit/server/scope.ts'
import { matchesSearchText } from '#kit/server/search-text.ts'
import { notDeleted, code, flagFilter } from '#kit/server/sql.ts'
import { staffState } from '#modules/staff/contract/labels.ts'
import { staff } from '#modules/staff/contract/staff.ts'
import { endingDays, identityCard, type FaceKey, type IdentityCard } from '../contract/card.ts'
import { resident } from '../contract/resident.ts'
import { holderFaults } from './holder-place.ts'
import { findBlockReason } from './resident-block.ts'
import { requireResident, residentDomainFilter } from './resident-access.ts'
import { residentIdsByKeyword } from './resident-filters.ts'

export type HolderQuery = {
  readonly userId?: Id | undefined
  readonly staffId?: Id | undefined
  readonly roomId?: Id | undefined
}

export const holderConditions = ({ userId, staffId, roomId }: HolderQuery) => [
  ...(userId === undefined ? [] : [sql`t.user_id = ${userId}`]),
  ...(staffId === undefined ? [] : [sql`t.staff_id = ${staffId}`]),
  ...(roomId === undefined ? [] : [sql`t.room_id = ${roomId}`]),
]

/** A face is seen by those who see its resident (PERM-6). */
export const visibleHolders = (scope: Scope) =>
  residentDomainFilter(scope).map(
    condition =>
      sql`t.user_id in (select t.id from resident t where t.owner_id = ${scope.ownerId} and ${condition})`,
  )

/** Held by a colleague, or a resident, whom the word finds. */
export const holderKeywordFilter = (ownerId: Id, keyword: string) =>
  sql`(
    t.staff_id = any(
      array(
        select s.id
        from staff s
        where s.owner_id = ${ownerId} and ${notDeleted('s')} and ${matchesSearchText(keyword, 's')}
      )
    )
    or t.user_id = any(array(${residentIdsByKeyword(ownerId, keyword)}))
  )`

/** Groups of doors that are new on a credential exist, in its project. */
export const assertGroupsExist = (
  fields: { readonly projectCode: string; readonly doorwayGroupIds?: readonly string[] | undefined },
  c: WriteContext,
  before: IdentityCard | FaceKey | undefined,
): Promise<void> =>
  assertReferences({ doorwayGroupIds: identityCard.fields.doorwayGroupIds }, fields, c, { before })

/**
 * Who a key is for: a resident whom nothing blocks (BASE-15) and who has to do with the project and the room
 * (BASE-11), or a colleague. `before`: what stays with its holder and its room is not looked at again.
 */
export async function assertHolderAllowed(
  tx: Tx,
  scope: Scope,
  project: string,
  fields: HolderQuery,
  today: Day,
  before?: HolderQuery,
): Promise<void> {
  if (!fields.userId === !fields.staffId)
    throw invalidInput([
      { Field: 'UserID', Message: fields.userId ? '住户和员工只能选一个' : '请选择持有人' },
    ])
  if (fields.staffId) {
    if (
      !(await tx.one(
        sql`
          select 1 as found
          from staff
          where owner_id = ${scope.ownerId}
            and id = ${fields.staffId}
            and ${notDeleted()}
            and state <> ${code(staffState, 'left')}
        `,
      ))
    )
      throw invalidInput([{ Field: 'StaffID', Message: '员工不存在或已离职，请重新选择' }])
    return
  }
  const person = await requireResident(tx, scope, defined(fields.userId))
  const blockReason = await findBlockReason(
    tx,
    scope.ownerId,
    project,
    'access',
    { userId: person.id, mobile: person.mobile, certNo: person.certNo },
    today,
  )
  if (blockReason)
    return refuse(`「${person.name}」在黑名单中（${blockReason}），不能发放门禁；请先移出黑名单`)
  if (person.state === 'cancelled') return refuse(`住户「${person.name}」已注销，不能发放门禁`)
  if (before?.userId === fields.userId && before?.roomId === fields.roomId) return
  const faults = await holderFaults(tx, { ownerId: scope.ownerId, projectCode: project, today }, fields)
  if (faults.length) throw invalidInput(faults)
}

/** ACS-4: those that end in the next days, today included. */
export const endingCondition = (endsSoon: boolean | undefined, today: Day) =>
  flagFilter(endsSoon, sql`t.end_date between ${today}::date and ${addDays(today, endingDays)}::date`)

/** Who had a credential that is another person's from now on: what follows from it for them ends. */
export function publishFormerHolder(
  tx: Tx,
  ownerId: Id,
  before: Pick<IdentityCard, 'userId' | 'staffId'>,
  after: Pick<IdentityCard, 'userId' | 'staffId'>,
): void {
  for (const [entity, was, is] of [
    [resident.name, before.userId, after.userId],
    [staff.name, before.staffId, after.staffId],
  ] as const) {
    if (was !== undefined && was !== is) {
      publishRecordsWritten(tx, ownerId, { entity, action: 'update', ids: [was] })
    }
  }
}
