import { defined } from '#kit/domain/defined.ts'
import { asId, parseId, type Id } from '#kit/domain/id.ts'
import { keysOf, labelOf } from '#kit/contract/field.ts'
import { invalidField, refuse } from '#kit/contract/wire.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { findPage, insertAll, requireById, requireByIds, update } from '#kit/server/table.ts'
import { staffState } from '#modules/staff/contract/labels.ts'
import {
  addMembers,
  attendanceGroup,
  attendanceMember,
  endMembers,
  groups,
  listGroupTimes,
  listMembers,
  type AttendanceGroup,
  type AttendanceMember,
} from '../contract/group.ts'
import { weekDay } from '../contract/choices.ts'
import { overlapInWeek, type ShiftTime } from '../domain/shift.ts'
import { assertSpanOpen, keepMonthsOpen } from './closed-months.ts'
import { addDepartments, inDepartment } from './people.ts'
import { recomputePeople } from './recompute.ts'

async function countMembers(db: Db, scope: Scope, today: string): Promise<ReadonlyMap<Id, number>> {
  const rows = await db.rows<{ id: Id; count: number }>(sql`
    select group_id as id, count(*)::int as count
    from attendance_member
    where owner_id = ${scope.ownerId}
      and begin_date <= ${today}::date
      and coalesce(end_date, ${today}::date) >= ${today}::date
      and ${notDeleted()}
    group by group_id
  `)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

type GroupDraft = NonNullable<typeof groups.save.input.T>

async function groupFaults({ groupType, week = [], ...draft }: GroupDraft, { tx, scope }: WriteContext) {
  const faults = []
  const days = week.map(line => line.weekDay)
  if (new Set(days).size < days.length) {
    faults.push({ Field: 'WeekJson', Message: '同一星期只能设置一个班次' })
  }
  if (groupType !== 'schedule' && !week.some(({ shiftId }) => shiftId)) {
    faults.push({ Field: 'WeekJson', Message: '请设置周班表，至少一天上班' })
  }
  if (groupType === 'free' && !draft.minMinutes) {
    faults.push({ Field: 'MinMinutes', Message: '自由工时请填写最少工时' })
  }
  const ids = [...new Set(week.flatMap(({ shiftId }) => (shiftId ? [shiftId] : [])))]
  const known = await tx.rows<{ id: Id; shiftName: string; segments: readonly ShiftTime[] }>(sql`
    select id, shift_name, segments
    from attendance_shift
    where owner_id = ${scope.ownerId} and id = any(${ids}::bigint[]) and ${notDeleted()}
    for share
  `)
  if (known.length < ids.length) {
    faults.push({ Field: 'WeekJson', Message: '班次不存在或已删除，请重新选择' })
  }
  const overlap = weekOverlapText(week, new Map(known.map(shift => [shift.id, shift])))
  return overlap === undefined ? faults : [...faults, { Field: 'WeekJson', Message: overlap }]
}

/** Two days of a week that nobody can work both. */
function weekOverlapText(
  week: NonNullable<GroupDraft['week']>,
  shifts: ReadonlyMap<Id, { readonly shiftName: string; readonly segments: readonly ShiftTime[] }>,
): string | undefined {
  const days = keysOf(weekDay)
  const shiftOn = days.map(key => shifts.get(week.find(line => line.weekDay === key)?.shiftId ?? asId(0)))
  const overlap = overlapInWeek(shiftOn.map(shift => shift?.segments))
  if (!overlap) return undefined
  const [first, second] = overlap.map(
    i => `${labelOf(weekDay, defined(days[i]))}的「${shiftOn[i]?.shiftName ?? ''}」`,
  )
  return `${first}与${second}时间重叠，请更换班次`
}

async function assertEmpty(
  rows: readonly AttendanceGroup[],
  { tx, scope, today }: WriteContext,
): Promise<void> {
  const counts = await countMembers(tx, scope, today)
  const used = rows.find(({ id }) => counts.get(id))
  if (used) refuse(`「${used.groupName}」还有 ${counts.get(used.id)} 人，请先移出`)
}

export const groupServer = crudHandlers(groups, {
  unique: { attendance_group_name_live: '考勤组名称已存在，请更换' },
  enrich: async (rows, { db, scope, today }) => {
    const counts = await countMembers(db, scope, today)
    return rows.map(row => ({ ...row, memberCount: counts.get(row.id) ?? 0 }))
  },
  check: (draft, c) => groupFaults(draft, c),
  afterUpdate: async (row, { tx, scope, today, now }) => {
    // What was settled before stays; a change of the rules counts from today on.
    const ids = await tx.rows<{ staffId: Id }>(sql`
      select staff_id
      from attendance_member
      where owner_id = ${scope.ownerId}
        and group_id = ${row.id}
        and coalesce(end_date, ${today}::date) >= ${today}::date
        and ${notDeleted()}
    `)
    await recomputePeople(
      tx,
      scope,
      ids.map(({ staffId }) => staffId),
      { from: today, to: today },
      now,
    )
  },
  beforeDelete: assertEmpty,
})

/** The people to add: named ones, and everybody in the departments who has not left. */
async function findJoining(
  tx: Tx,
  { ownerId }: Scope,
  staffIds: readonly string[],
  departmentIds: readonly string[],
): Promise<readonly { readonly id: Id; readonly name: string; readonly isLeft: boolean }[]> {
  return tx.rows(sql`
    select s.id, s.name, s.state = ${code(staffState, 'left')} as is_left
    from staff s
    where s.owner_id = ${ownerId}
      and ${notDeleted('s')}
      and (
        s.id = any(${staffIds.map(parseId)}::bigint[])
        or s.state <> ${code(staffState, 'left')} and ${inDepartment(ownerId, sql`s.id`, departmentIds)}
      )
    order by s.id
    for share of s
  `)
}

interface Membership {
  readonly id: Id
  readonly staffId: Id
  readonly groupId: Id
  readonly beginDate: string
}

/** What they belong to on the day or after it, held. */
const laterMemberships = (
  tx: Tx,
  { ownerId }: Scope,
  ids: readonly Id[],
  day: string,
): Promise<Membership[]> =>
  tx.rows<Membership>(sql`
    select id, staff_id, group_id, begin_date
    from attendance_member
    where owner_id = ${ownerId}
      and staff_id = any(${[...ids]}::bigint[])
      and coalesce(end_date, ${day}::date) >= ${day}::date
      and ${notDeleted()}
    order by id
    for update
  `)

type Joining = NonNullable<typeof addMembers.input.T>

async function join({ groupId, staffIds = [], departmentIds = [], beginDate }: Joining, c: WriteContext) {
  const { tx, scope, today, now } = c
  if (!staffIds.length && !departmentIds.length) throw invalidField('StaffIds', '请选择员工或部门')
  await assertSpanOpen(tx, scope, { from: beginDate }, 'BeginDate')
  await requireById(tx, attendanceGroup, scope, groupId, { lock: true })
  const people = await findJoining(tx, scope, staffIds, departmentIds)
  if (!people.length) throw invalidField('StaffIds', '所选范围内无在职员工')
  const before = await laterMemberships(
    tx,
    scope,
    people.map(({ id }) => id),
    beginDate,
  )
  const inGroup = new Set(
    before.filter(m => m.groupId === groupId && m.beginDate <= beginDate).map(m => m.staffId),
  )
  const joining = people.filter(({ id, isLeft }) => !isLeft && !inGroup.has(id))
  const joiningIds = new Set(joining.map(({ id }) => id))
  for (const [isReplaced, rows] of Map.groupBy(
    before.filter(m => joiningIds.has(m.staffId)),
    m => m.beginDate >= beginDate,
  )) {
    // One that would have started later is replaced; the present one ends the day before.
    await tx.execute(sql`
      update attendance_member
      set ${isReplaced ? sql`delete_tag = 1` : sql`end_date = ${addDays(beginDate, -1)}::date`},
        version = version + 1, update_by = ${scope.operatorId}
      where owner_id = ${scope.ownerId} and id = any(${rows.map(({ id }) => id)}::bigint[])
    `)
  }
  await insertAll(
    tx,
    attendanceMember,
    scope,
    joining.map(({ id }) => ({ staffId: id, groupId, beginDate })),
  )
  await recomputePeople(tx, scope, [...joiningIds], { from: beginDate, to: today }, now)
  return {
    success: joining.length,
    fail: people.filter(({ isLeft }) => isLeft).length,
    skipped: inGroup.size,
    rows: people.flatMap(({ id, name, isLeft }) => {
      if (isLeft) return [{ id, code: name, reason: '已离职' }]
      return inGroup.has(id) ? [{ id, code: name, reason: '已在该考勤组' }] : []
    }),
  }
}

/** The first day that another end of a membership changes. */
const dayAfter = ({ endDate: before }: AttendanceMember, endDate: Day): Day =>
  addDays(before !== undefined && before < endDate ? before : endDate, 1)

async function leave(member: AttendanceMember, endDate: Day, c: WriteContext): Promise<void> {
  const { tx, scope, today, now } = c
  if (endDate < member.beginDate)
    throw invalidField('EndDate', `不能早于「${member.staffName ?? ''}」的起日 ${member.beginDate}`)
  await update(tx, attendanceMember, scope, member.id, { endDate })
  await recomputePeople(tx, scope, [member.staffId], { from: dayAfter(member, endDate), to: today }, now)
}

export const groupHandlers = [
  reads(listMembers, async ({ current, ...query }, { db, scope, today }) => {
    const page = await findPage(db, attendanceMember, scope, query, {
      filters: listMembers.input.filters ?? [],
      where: current
        ? [sql`t.begin_date <= ${today}::date and coalesce(t.end_date, ${today}::date) >= ${today}::date`]
        : [],
    })
    return { ...page, rows: await addDepartments(page.rows, { db, scope }) }
  }),
  writes(addMembers, join),
  writes(endMembers, async ({ ids, endDate }, c) => {
    await keepMonthsOpen(c.tx, c.scope)
    const members = await requireByIds(c.tx, attendanceMember, c.scope, ids, { lock: true })
    for (const member of members) {
      await assertSpanOpen(c.tx, c.scope, { from: dayAfter(member, endDate) }, 'EndDate')
    }
    for (const member of members) {
      await leave(member, endDate, c)
    }
  }),
  reads(listGroupTimes, async ({ groupId }, { db, scope }) => {
    const { week = [] } = await requireById(db, attendanceGroup, scope, groupId)
    const names = await db.rows<{ id: Id; name: string }>(sql`
      select id, shift_name as name
      from attendance_shift
      where owner_id = ${scope.ownerId} and id = any(${week.flatMap(({ shiftId }) => (shiftId ? [shiftId] : []))}::bigint[])
    `)
    const nameById = new Map(names.map(({ id, name }) => [id, name]))
    return keysOf(weekDay).map(key => {
      const shiftId = week.find(day => day.weekDay === key)?.shiftId ?? 0
      const shiftName = nameById.get(shiftId)
      return { groupId, weekDay: key, shiftId, ...(shiftName === undefined ? {} : { shiftName }) }
    })
  }),
]
