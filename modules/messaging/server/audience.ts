import { parseId } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { residencyStatus, residentState } from '#modules/residents/contract/labels.ts'
import { relation } from '#modules/residents/contract/relation.ts'
import { residencyDomainFilter, residentDomainFilter } from '#modules/residents/server/public.ts'
import { staffState } from '#modules/staff/contract/labels.ts'
import type { Audience, AudienceValues } from '../contract/audience.ts'
import { receiverKind } from '../contract/choices.ts'
import { arrearsRooms } from './arrears-source.ts'
import { fileNumberQuery } from './number-file-store.ts'

type Sql = RawBuilder<unknown>

const joined = (conditions: readonly Sql[]): Sql => sql.join([...conditions], sql` and `)
const ids = (values: readonly string[] = []): number[] => values.map(value => parseId(value))

/** Keys of several parts (`项目/楼栋`), compared with as many columns. */
const inKeys = (columns: Sql, keys: readonly string[] = []): Sql => {
  const parts = keys.map(key => key.split('/'))
  const count = parts[0]?.length ?? 0
  const arrays = Array.from({ length: count }, (_, i) => sql`${parts.map(p => p[i] ?? '')}::text[]`)
  return count === 0 ? sql`false` : sql`${columns} in (select * from unnest(${sql.join(arrays)}))`
}

/** Which homes `l` in rooms `r` of residents `p` a scope chooses. */
function homeConditions({ scopeType, scopeJson: values = {} }: Audience): Sql[] {
  switch (scopeType) {
    case 'projects':
      return [sql`l.project_code = any(${[...(values.projectCodes ?? [])]}::text[])`]
    case 'buildings':
      return [inKeys(sql`(l.project_code, l.build_code)`, values.buildingCodes)]
    case 'units':
      return [inKeys(sql`(l.project_code, l.build_code, r.unit_name)`, values.units)]
    case 'rooms':
      return [sql`l.room_id = any(${ids(values.roomIds)}::bigint[])`]
    case 'tags':
      return [sql`p.tags && ${[...(values.tags ?? [])]}::text[]`]
    default:
      return []
  }
}

function narrowingConditions(scope: Scope, values: AudienceValues): Sql[] {
  const { relations = [], arrearsAmount: amount, arrearsMonths: months } = values
  return [
    ...(relations.length
      ? [sql`l.relation = any(${relations.map(key => codeOf(relation, key))}::smallint[])`]
      : []),
    ...(amount === undefined && months === undefined
      ? []
      : [sql`l.room_id in (${arrearsRooms(scope, { amount, months })})`]),
  ]
}

/** Residents by their present homes; of several homes the one that somebody owns or pays for. */
const residentQuery = (scope: Scope, audience: Audience): Sql => sql`
  select distinct on (p.id) ${code(receiverKind, 'resident')}::smallint as receiver_kind,
    p.id as receiver_id, l.project_code, l.room_id, r.path as room, p.name, p.mobile, p.email,
    p.run_wechat as open_id, null::integer as line, null::jsonb as variables
  from user_room l
  join room r on r.owner_id = ${scope.ownerId} and r.id = l.room_id
  join resident p on p.owner_id = ${scope.ownerId} and p.id = l.user_id
  where l.owner_id = ${scope.ownerId}
    and l.status = ${code(residencyStatus, 'living')}
    and ${notDeleted('l')}
    and ${notDeleted('r')}
    and ${notDeleted('p')}
    and p.state = ${code(residentState, 'normal')}
    and ${joined([
      sql`true`,
      ...residencyDomainFilter(scope.domain, 'l'),
      ...homeConditions(audience),
      ...narrowingConditions(scope, audience.scopeJson ?? {}),
    ])}
  order by p.id, l.is_main desc, l.is_payer desc, l.id
`

/** Residents by name, also those who have no home at present. */
const namedResidentQuery = (scope: Scope, { userIds, ...values }: AudienceValues): Sql => sql`
  select distinct on (t.id) ${code(receiverKind, 'resident')}::smallint as receiver_kind,
    t.id as receiver_id, coalesce(l.project_code, t.home_project) as project_code, l.room_id,
    r.path as room, t.name, t.mobile, t.email, t.run_wechat as open_id, null::integer as line,
    null::jsonb as variables
  from resident t
  left join user_room l on l.owner_id = ${scope.ownerId}
    and l.user_id = t.id
    and l.status = ${code(residencyStatus, 'living')}
    and ${notDeleted('l')}
  left join room r on r.owner_id = ${scope.ownerId} and r.id = l.room_id
  where t.owner_id = ${scope.ownerId}
    and t.id = any(${ids(userIds)}::bigint[])
    and ${notDeleted('t')}
    and t.state = ${code(residentState, 'normal')}
    and ${joined([sql`true`, ...residentDomainFilter(scope), ...narrowingConditions(scope, values)])}
  order by t.id, l.is_main desc nulls last, l.is_payer desc nulls last, l.id
`

const staffQuery = (scope: Scope, where: Sql): Sql => sql`
  select ${code(receiverKind, 'staff')}::smallint as receiver_kind, s.id as receiver_id,
    null::text as project_code, null::bigint as room_id, null::text as room, s.name, s.mobile,
    m.email, m.wechat_open_id as open_id, null::integer as line, null::jsonb as variables
  from staff s
  left join manager m on m.owner_id = ${scope.ownerId} and m.id = s.manager_id and ${notDeleted('m')}
  where s.owner_id = ${scope.ownerId}
    and ${notDeleted('s')}
    and s.state in ${codes(staffState, 'active')}
    and ${where}
`

/** The departments with all below them. */
const inDepartments = ({ ownerId }: Scope, departmentIds: AudienceValues['departmentIds']): Sql => sql`
  s.department_id in (
    with recursive branch as (
      select d.id
      from department d
      where d.owner_id = ${ownerId} and d.id = any(${ids(departmentIds)}::bigint[]) and ${notDeleted('d')}
      union
      select d.id
      from department d
      join branch b on d.parent_id = b.id
      where d.owner_id = ${ownerId} and ${notDeleted('d')}
    )
    select id from branch
  )
`

const numberQuery = (mobiles: readonly string[] = []): Sql => sql`
  select ${code(receiverKind, 'number')}::smallint as receiver_kind, 0::bigint as receiver_id,
    null::text as project_code, null::bigint as room_id, null::text as room, null::text as name,
    n.mobile, null::text as email, null::text as open_id, null::integer as line,
    null::jsonb as variables
  from unnest(${[...mobiles]}::text[]) as n(mobile)
`

/** Typed ones and those of a file. */
const ownNumbersQuery = (scope: Scope, { mobiles, numberFileId }: AudienceValues): Sql =>
  numberFileId === undefined
    ? numberQuery(mobiles)
    : sql`
        (${numberQuery(mobiles)})
        union all
        (${fileNumberQuery(scope, numberFileId)})
      `

/**
 * Whom an audience means, in the caller's data domain: one row a person, as `receiver_kind`, `receiver_id`,
 * `project_code`, `room_id`, `room`, `name`, `mobile`, `email`, `open_id`; a line of a file of numbers also
 * has its `line` and the `variables` that it fills in.
 */
export function audienceQuery(scope: Scope, audience: Audience): Sql {
  const values = audience.scopeJson ?? {}
  switch (audience.scopeType) {
    case 'departments':
      return staffQuery(scope, inDepartments(scope, values.departmentIds))
    case 'persons':
      return sql`
        (${namedResidentQuery(scope, values)})
        union all
        ${staffQuery(scope, sql`s.id = any(${ids(values.staffIds)}::bigint[])`)}
      `
    case 'numbers':
      return ownNumbersQuery(scope, values)
    default:
      return residentQuery(scope, audience)
  }
}
