import type { Id } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { sqlArray } from '#kit/server/sql-array.ts'
import { passageDirection } from '#modules/access/contract/choices.ts'
import type { Sql } from '#modules/access/server/public.ts'
import { blockScope } from '#modules/residents/contract/labels.ts'
import { visitState } from '../contract/choices.ts'
import { openStates } from '../domain/pass.ts'

/** Whose codes may open something: of visitors `v`. */
export const isOpen = sql`v.state in ${codes(visitState, ...openStates)}`

/** By the visitors' black list, or that of the residents (VIS-4, BASE-15). */
export const isBlocked = (ownerId: Id, today: string): Sql => sql`(
  exists (
    select 1
    from visitor_block b
    where b.owner_id = ${ownerId}
      and b.project_code = v.project_code
      and ${notDeleted('b')}
      and (b.mobile = v.mobile or b.cert_no = v.cert_no or b.plate_no = v.plate_no)
      and (b.expire_date is null or b.expire_date >= ${today}::date)
  )
  or exists (
    select 1
    from user_blocklist b
    where b.owner_id = ${ownerId}
      and b.project_code = v.project_code
      and ${notDeleted('b')}
      and (b.mobile = v.mobile or b.cert_no = v.cert_no)
      and ${String(codeOf(blockScope, 'visit'))} = any(b.scope)
      and (b.expire_date is null or b.expire_date >= ${today}::date)
  )
)`

/** VIS-1: nothing is missing of what the rule asks for; `missingPapers` for one visitor. */
export const hasPapers = (ownerId: Id): Sql => sql`
  exists (
    select 1
    from visitor_invitation i
    join invite_rule p on p.owner_id = ${ownerId} and p.id = i.rule_id
    where i.owner_id = ${ownerId}
      and i.id = v.invitation_id
      and (not p.needs_cert or v.cert_no is not null)
      and (not p.needs_face or v.face is not null or v.check_photo is not null)
  )
`

const isInHours = (at: string): Sql => sql`
  v.begin_time <= ${at}::timestamptz and v.end_time >= ${at}::timestamptz
`

/** Who came in may leave, also when the time is over. */
const canLeave = sql`v.state = ${code(visitState, 'arrived')} and v.exit_times < v.used_times`

/** VIS-2: what is left of a code at a moment; without one, at some time. */
export const isLeft = (at: string | undefined): Sql =>
  at === undefined
    ? sql`(v.used_times < v.max_times or v.exit_times < v.used_times)`
    : sql`((v.used_times < v.max_times and ${isInHours(at)}) or (${canLeave}))`

const directionsOf = (...names: readonly (keyof typeof passageDirection.rows)[]): Sql =>
  sqlArray(
    'smallint',
    names.map(name => codeOf(passageDirection, name)),
  )

/**
 * The directions of doors that a code opens at a moment: all while an entrance is left, then those that lead
 * out, and lifts until the time is over.
 */
export const directionsAt = (at: string | undefined): Sql =>
  at === undefined
    ? sql`null::smallint[]`
    : sql`
        case
          when v.used_times < v.max_times and ${isInHours(at)} then null::smallint[]
          when ${isInHours(at)} then ${directionsOf('exit', 'both')}
          else ${directionsOf('exit')}
        end
      `

/** Devices end it themselves, also where no server reaches them; who may leave alone is not kept in. */
export const endTimeAt = (at: string | undefined): Sql =>
  at === undefined
    ? sql`null::text`
    : sql`
        case
          when v.used_times < v.max_times and ${isInHours(at)}
            then to_char(v.end_time at time zone 'Asia/Shanghai', 'YYYY-MM-DD"T"HH24:MI:SS')
        end
      `

/** Entrances are counted while any is left: no device decides on them alone. */
export const entrancesAt = (at: string | undefined): Sql =>
  at === undefined
    ? sql`null::jsonb`
    : sql`
        case
          when v.used_times < v.max_times and ${isInHours(at)}
            then jsonb_build_object(
              'maxTimes', v.max_times, 'usedTimes', v.used_times,
              'isInside', v.state = ${code(visitState, 'arrived')}
            )
        end
      `

/** Until when it goes to floors; a lift is no way out. */
export const stayEndTime = sql`
  to_char(v.end_time at time zone 'Asia/Shanghai', 'YYYY-MM-DD"T"HH24:MI:SS')
`

/** ELV-2: the visited room; of a company those that it has now. */
export const visitedRooms = (ownerId: Id, today: string): Sql => sql`
  case
    when v.room_id is not null then array[v.room_id]
    else (
      select array_agg(c.room_id order by c.room_id)
      from visitor_invitation i
      join company_room c on c.owner_id = ${ownerId}
        and c.company_id = i.company_id
        and ${notDeleted('c')}
        and c.begin_date <= ${today}::date
        and (c.end_date is null or c.end_date >= ${today}::date)
      where i.owner_id = ${ownerId} and i.id = v.invitation_id
    )
  end
`

/** The codes of visitors as doors know them. */
export const keysOfVisitors = (ownerId: Id, ids: readonly Id[]): Sql => sql`
  select v.project_code, 'qr:' || v.invite_no as item_key
  from invite_visitor v
  where v.owner_id = ${ownerId} and v.id = any(${[...ids]}::bigint[])
`

const keysWhere = (ownerId: Id, from: Sql, condition: Sql): Sql => sql`
  select v.project_code, 'qr:' || v.invite_no as item_key
  from ${from}
  join invite_visitor v on v.owner_id = ${ownerId} and ${condition}
    and ${isOpen}
    and ${isLeft(undefined)}
    and ${notDeleted('v')}
`

const listed = (ids: readonly Id[]): Sql => sql`any(${[...ids]}::bigint[])`

const sameProject = sql`v.project_code = l.project_code`

/** Codes of a project whose black list was changed: what stood in it before is not known any more. */
export const keysByBlock = (ownerId: Id, ids: readonly Id[]): Sql =>
  keysWhere(
    ownerId,
    sql`(
      select distinct b.project_code
      from visitor_block b
      where b.owner_id = ${ownerId} and b.id = ${listed(ids)}
    ) l`,
    sameProject,
  )

export const keysByResidentBlock = (ownerId: Id, ids: readonly Id[]): Sql =>
  keysWhere(
    ownerId,
    sql`(
      select distinct b.project_code
      from user_blocklist b
      where b.owner_id = ${ownerId} and b.id = ${listed(ids)}
    ) l`,
    sameProject,
  )

/** Codes of a project whose doors have other devices now: those of another gateway decide no more alone. */
export const keysByDoorwayDevice = (ownerId: Id, ids: readonly Id[]): Sql =>
  keysWhere(
    ownerId,
    sql`(
      select distinct d.project_code
      from doorway_device d
      where d.owner_id = ${ownerId} and d.id = ${listed(ids)}
    ) l`,
    sameProject,
  )

/** Codes of visitors of companies whose rooms changed. */
export const keysByCompanyRoom = (ownerId: Id, ids: readonly Id[]): Sql =>
  keysWhere(
    ownerId,
    sql`(
      select i.id
      from company_room c
      join visitor_invitation i on i.owner_id = ${ownerId} and i.company_id = c.company_id and ${notDeleted('i')}
      where c.owner_id = ${ownerId} and c.id = ${listed(ids)}
    ) l`,
    sql`v.invitation_id = l.id`,
  )

/** Codes of a rule, which may ask for more or less by now. */
export const keysByRule = (ownerId: Id, ids: readonly Id[]): Sql =>
  keysWhere(
    ownerId,
    sql`(
      select i.id
      from visitor_invitation i
      where i.owner_id = ${ownerId} and i.rule_id = ${listed(ids)} and ${notDeleted('i')}
    ) l`,
    sql`v.invitation_id = l.id`,
  )
