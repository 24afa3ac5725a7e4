import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { code, notDeleted, flagFilter } from '#kit/server/sql.ts'
import { residencyStatus } from '#modules/residents/contract/labels.ts'
import { payerSide, relationState, sourceType } from '../contract/choices.ts'
import type { listRelations } from '../contract/relation-calls.ts'
import type { SourceType } from './chargeable-objects.ts'

type Sql = RawBuilder<unknown>

export type RelationListInput = NonNullable<typeof listRelations.input.T>

/** Relations `t` that have not ended yet. */
export const notEnded = (t: string): Sql => sql`${sql.id(t)}.state <> ${code(relationState, 'ended')}`

/** Relations `t` that have not ended, by state and by date, on a day. */
export const notEndedOn = (t: string, day: Day): Sql => sql`${notEnded(t)}
  and (${sql.id(t)}.end_date is null or ${sql.id(t)}.end_date >= ${day})`

export const toRelationColumnFilters = ({
  sourceCode: _sourceCode,
  hasPriceOverride: _hasPriceOverride,
  onlyCurrent: _onlyCurrent,
  ...columnFilters
}: RelationListInput) => columnFilters

/** What a search asks beyond its column filters. */
export const relationConditions = (query: RelationListInput, today: Day, type?: SourceType): Sql[] => [
  ...(type ? [sql`t.source_type = ${code(sourceType, type)}`] : []),
  ...(query.sourceCode ? [sql`t.source_code = ${query.sourceCode}`] : []),
  ...flagFilter(query.hasPriceOverride, sql`t.price_override is not null`),
  ...flagFilter(query.onlyCurrent, notEndedOn('t', today)),
]

/** Relations `t` that a resident pays: as the named payer, as the charged object, or living in the room. */
export const paidByUser = (ownerId: Id, userId: Id): Sql => sql`(
  t.payer_kind = ${code(payerSide, 'resident')}
  and t.payer_id = ${userId}
  or t.source_type = ${code(sourceType, 'resident')}
  and t.source_code = ${String(userId)}
  or t.source_type = ${code(sourceType, 'room')}
  and (t.project_code, t.source_code) in (
    select r.project_code, r.code
    from user_room u
    join room r on r.owner_id = ${ownerId} and r.id = u.room_id
    where u.owner_id = ${ownerId}
      and u.user_id = ${userId}
      and u.status = ${code(residencyStatus, 'living')}
      and ${notDeleted('u')}
  )
)`

/** Relations `t` that a company pays: as the named payer, as the charged object, or holding the room. */
export const paidByCompany = (ownerId: Id, companyId: Id, today: Day): Sql => sql`(
  t.payer_kind = ${code(payerSide, 'company')}
  and t.payer_id = ${companyId}
  or t.source_type = ${code(sourceType, 'company')}
  and (t.project_code, t.source_code) in (
    select c.project_code, c.company_no
    from company c
    where c.owner_id = ${ownerId} and c.id = ${companyId}
  )
  or t.source_type = ${code(sourceType, 'room')}
  and (t.project_code, t.source_code) in (
    select r.project_code, r.code
    from company_room x
    join room r on r.owner_id = ${ownerId} and r.id = x.room_id
    where x.owner_id = ${ownerId}
      and x.company_id = ${companyId}
      and ${notDeleted('x')}
      and x.begin_date <= ${today}
      and (x.end_date is null or x.end_date >= ${today})
  )
)`
