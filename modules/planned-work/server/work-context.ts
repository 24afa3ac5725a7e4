import { parseId, type Id } from '#kit/domain/id.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { loadAbsences } from '#modules/attendance/server/public.ts'
import { staffState } from '#modules/staff/contract/labels.ts'
import { codeOf } from '#kit/contract/field.ts'
import { loadDayKinds } from '#modules/system/server/public.ts'
import type { TargetType, WorkKind } from '../contract/choices.ts'
import type { WorkPlan } from '../contract/plan.ts'
import type { Calendar } from '../domain/cycle.ts'
import { findTargetRules, findWorkKind, type WorkSubject, type WorkTarget } from './kinds.ts'

export type PlannedWork = Pick<
  WorkPlan,
  | 'projectCode'
  | 'kind'
  | 'planName'
  | 'subjectId'
  | 'targetType'
  | 'targetIds'
  | 'cycleType'
  | 'cycle'
  | 'calendarRule'
  | 'times'
  | 'staffMode'
  | 'staffIds'
  | 'beginDate'
  | 'endDate'
  | 'remindMinutes'
  | 'lateEndMinutes'
> & { readonly id?: Id }

/** Everything beside the plans themselves from which their tasks are made. */
export interface WorkContext {
  readonly calendar: Calendar
  readonly subjectOf: (plan: PlannedWork) => WorkSubject | undefined
  readonly targetOf: (plan: PlannedWork, id: Id) => WorkTarget | undefined
  readonly nameOf: (staffId: Id) => string
  readonly absenceOf: (staffId: Id, begin: Moment, end: Moment) => string | undefined
}

interface StaffRow {
  readonly id: Id
  readonly name: string
  readonly leaveDate?: Day
  readonly hasLeft: boolean
}

export const idsOf = (texts: readonly string[] | undefined): Id[] => (texts ?? []).map(parseId)

export const targetTypeOf = ({
  kind,
  targetType,
}: Pick<PlannedWork, 'kind' | 'targetType'>): TargetType | undefined =>
  targetType ?? findWorkKind(kind)?.targetType

/** What plans are made from, by kind and id. */
export async function loadSubjects(db: Db, ownerId: Id, plans: readonly PlannedWork[]) {
  const byKind = new Map<WorkKind, ReadonlyMap<Id, WorkSubject>>()
  for (const [kind, ofKind] of Map.groupBy(plans, plan => plan.kind)) {
    byKind.set(kind, (await findWorkKind(kind)?.loadSubjects(db, { ownerId }, ofKind)) ?? new Map())
  }
  return byKind
}

/** What plans are about, by sort and id; for a caller, only what its data domain has. */
export async function loadTargets(db: Db, ownerId: Id, plans: readonly PlannedWork[], caller?: Scope) {
  const byType = new Map<TargetType, ReadonlyMap<Id, WorkTarget>>()
  for (const [type, ofType] of Map.groupBy(plans, targetTypeOf)) {
    const ids = [...new Set(ofType.flatMap(plan => idsOf(plan.targetIds)))]
    const rules = type && findTargetRules(type)
    if (!type || !rules || !ids.length) continue
    const found = await rules.load(db, { ownerId }, { ids, ...(caller ? { caller } : {}) })
    byType.set(type, new Map(found.map(target => [target.id, target])))
  }
  return byType
}

export async function loadStaff(db: Db, ownerId: Id, ids: readonly Id[]): Promise<ReadonlyMap<Id, StaffRow>> {
  if (!ids.length) return new Map()
  const rows = await db.rows<StaffRow>(sql`
    select id, name, leave_date, state = ${Number(codeOf(staffState, 'left'))} as has_left
    from staff
    where owner_id = ${ownerId} and id = any(${[...ids]}::bigint[]) and ${notDeleted()}
  `)
  return new Map(rows.map(row => [row.id, row]))
}

/** What people are called; those who were deleted have no name any more. */
export const staffNames =
  (staff: ReadonlyMap<Id, StaffRow>) =>
  (staffId: Id): string =>
    staff.get(staffId)?.name ?? '已删除人员'

/** Loaded once for any number of plans; `assignedIds` are people whom these do not name. */
export async function loadWorkContext(
  db: Db,
  ownerId: Id,
  plans: readonly PlannedWork[],
  { from, to }: { readonly from: Day; readonly to: Day },
  assignedIds: readonly Id[] = [],
): Promise<WorkContext> {
  const staffIds = [...new Set(plans.flatMap(plan => idsOf(plan.staffIds)))]
  const calendar = await loadDayKinds(db, ownerId)
  const subjects = await loadSubjects(db, ownerId, plans)
  const targets = await loadTargets(db, ownerId, plans)
  const staff = await loadStaff(db, ownerId, [...new Set([...staffIds, ...assignedIds])])
  // A time over midnight ends on the day after the last one.
  const absences = await loadAbsences(db, ownerId, staffIds, { from, to: addDays(to, 1) })
  return {
    calendar,
    subjectOf: plan => subjects.get(plan.kind)?.get(plan.subjectId),
    targetOf: (plan, id) => {
      const type = targetTypeOf(plan)
      return type && targets.get(type)?.get(id)
    },
    nameOf: staffNames(staff),
    absenceOf: (staffId, begin, end) => {
      const person = staff.get(staffId)
      if (
        !person ||
        person.hasLeft ||
        (person.leaveDate !== undefined && person.leaveDate < begin.slice(0, 10))
      )
        return '已离职'
      return absences(staffId, begin, end)
    },
  }
}
