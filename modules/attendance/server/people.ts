import { parseId, type Id } from '#kit/domain/id.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { firstDay, lastDay, type Month } from '#kit/domain/month.ts'
import { containsPattern } from '#kit/server/like-pattern.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { departmentsUnder } from '#modules/staff/server/public.ts'

type Condition = RawBuilder<unknown>

/** People `staff_id` of a department and of those under it. */
export const inDepartment = (
  ownerId: Id,
  staffId: Condition,
  departmentIds: readonly string[],
): Condition => sql`
  ${staffId} in (
    select s.id
    from staff s
    where s.owner_id = ${ownerId} and s.department_id in ${departmentsUnder(ownerId, departmentIds)}
  )`

/** The condition of a list `t` whose rows are about people. */
export const departmentFilter = (
  { departmentId }: { readonly departmentId?: readonly string[] | undefined },
  { ownerId }: Pick<Scope, 'ownerId'>,
): Condition[] => (departmentId?.length ? [inDepartment(ownerId, sql`t.staff_id`, departmentId)] : [])

/** Rows about people, with their departments. */
export async function addDepartments<T extends { readonly staffId: Id }>(
  rows: readonly T[],
  { db, scope }: { readonly db: Db; readonly scope: Pick<Scope, 'ownerId'> },
): Promise<readonly T[]> {
  if (!rows.length) return rows
  const found = await db.rows<{ id: Id; name: string }>(sql`
    select s.id, d.name
    from staff s
    join department d on d.owner_id = ${scope.ownerId} and d.id = s.department_id
    where s.owner_id = ${scope.ownerId} and s.id = any(${[...new Set(rows.map(row => row.staffId))]}::bigint[])
  `)
  const names = new Map(found.map(({ id, name }) => [id, name]))
  return rows.map(row => {
    const departmentName = names.get(row.staffId)
    return departmentName === undefined ? row : { ...row, departmentName }
  })
}

export interface PeopleQuery {
  readonly groupId?: readonly string[] | undefined
  readonly departmentId?: readonly string[] | undefined
  readonly keyword?: string | undefined
  readonly page?: number | undefined
  readonly size?: number | undefined
}

export interface Person {
  readonly staffId: Id
  readonly staffName: string
  readonly staffNo?: string
  readonly departmentName?: string
  readonly groupName?: string
}

export interface Span {
  readonly from: Day
  readonly to: Day
}

export const spanOfMonth = (month: Month): Span => ({ from: firstDay(month), to: lastDay(month) })

export const daysOf = ({ from, to }: Span): Day[] => {
  const days: Day[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) {
    days.push(day)
  }
  return days
}

/** Those who belong to a group in a span of days, by number, a page of them. */
export async function findPeople(
  db: Db,
  { ownerId }: Pick<Scope, 'ownerId'>,
  { groupId, departmentId, keyword, page = 1, size = 50 }: PeopleQuery,
  { from, to }: Span,
): Promise<{ readonly total: number; readonly rows: readonly Person[] }> {
  const pattern = keyword ? containsPattern(keyword.trim()) : undefined
  const conditions = [
    sql`s.owner_id = ${ownerId}`,
    ...(departmentId?.length ? [inDepartment(ownerId, sql`s.id`, departmentId)] : []),
    ...(pattern
      ? [
          sql`(s.name like ${pattern} or s.staff_no like ${pattern} or s.search_text like ${pattern.toLowerCase()})`,
        ]
      : []),
  ]
  const rows = await db.rows<Person & { total: number }>(sql`
    with belonging as (
      select distinct on (m.staff_id) m.staff_id, m.group_id
      from attendance_member m
      where m.owner_id = ${ownerId}
        and m.begin_date <= ${to}::date
        and coalesce(m.end_date, ${to}::date) >= ${from}::date
        and ${notDeleted('m')}
        ${groupId?.length ? sql`and m.group_id = any(${groupId.map(parseId)}::bigint[])` : sql``}
      order by m.staff_id, m.begin_date desc
    )
    select s.id as staff_id, s.name as staff_name, s.staff_no, d.name as department_name, g.group_name,
      (count(*) over ())::int as total
    from belonging b
    join staff s on s.owner_id = ${ownerId} and s.id = b.staff_id
    join attendance_group g on g.owner_id = ${ownerId} and g.id = b.group_id
    left join department d on d.owner_id = ${ownerId} and d.id = s.department_id
    where ${sql.join(conditions, sql` and `)}
    order by s.staff_no, s.id
    limit ${size} offset ${(page - 1) * size}
  `)
  return { total: rows[0]?.total ?? 0, rows: rows.map(({ total: _total, ...person }) => person) }
}
