import type { Id } from '#kit/domain/id.ts'
import { addDays, addMonths, isDay, type Day } from '#kit/domain/day.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { shape, type Draft } from '#kit/contract/shape.ts'
import { invalidInput, notFound, refuse, type FieldFault } from '#kit/contract/wire.ts'
import type { CrudContext, CrudHooks } from '#kit/server/crud-hooks.ts'
import { sql } from '#kit/server/db.ts'
import type { ReadContext, WriteContext } from '#kit/server/handler.ts'
import { assertProjectsExist } from '#kit/server/handler/named-projects.ts'
import { hasProject, outOfDomain } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { requireByIds, updateAll } from '#kit/server/table.ts'
import { workKind, type WorkKind } from '../contract/choices.ts'
import { workPlan, type WorkPlan } from '../contract/plan.ts'
import { timesFault } from '../domain/occurrences.ts'
import { unreachableText } from '../domain/reachable.ts'
import type { ExistingTask } from './existing-tasks.ts'
import { generateForPlans, lockGeneration, removeOpenTasks } from './generate.ts'
import { requireWorkKind, type WorkSubject } from './kinds.ts'
import { targetFaults } from './plan-targets.ts'
import { scheduleText } from './plan-texts.ts'
import { loadTargetNames } from './target-names.ts'
import type { PlannedTask } from './task-writes.ts'
import { findWantedTasks } from './wanted-tasks.ts'
import {
  idsOf,
  loadStaff,
  loadSubjects,
  loadWorkContext,
  staffNames,
  type PlannedWork,
} from './work-context.ts'

type PlanFields = (typeof workPlan)['fields']
type PlanHooks = Pick<
  CrudHooks<PlanFields, unknown, Draft<PlanFields, 'kind'>>,
  | 'lock'
  | 'filter'
  | 'enrich'
  | 'check'
  | 'beforeInsert'
  | 'afterInsert'
  | 'afterUpdate'
  | 'beforeDelete'
  | 'afterDelete'
>

const previewDays = 14
const projectOfPlan = shape({ projectCode: workPlan.fields.projectCode })

/** What a plan is judged by: as it is saved, or only looked at. */
export type PlanContext = Pick<ReadContext, 'db' | 'scope'>

const fault = (Field: string, Message: string): FieldFault => ({ Field, Message })

const cycleFaults = ({ cycleType, cycle = {} }: PlannedWork): FieldFault[] => {
  const noDay = cycle.dates?.find(text => !isDay(text))
  if (cycleType === 'dates' && noDay !== undefined) return [fault('CycleJson', `日期 ${noDay} 不存在`)]
  const missing = {
    daily: false,
    weekly: !cycle.weekDays?.length,
    monthly: !cycle.monthDays?.length,
    everyDays: !cycle.everyDays,
    dates: !cycle.dates?.length,
  }[cycleType]
  if (!missing) return []
  const what = { daily: '', weekly: '星期', monthly: '日期', everyDays: '间隔天数', dates: '日期' }[cycleType]
  return [fault('CycleJson', `请填写${what}`)]
}

/** Why nothing can be made of what a plan is about. */
function subjectFaults(subject: WorkSubject | undefined): FieldFault[] {
  if (!subject) return [fault('SubjectID', '工作内容不存在或已停用，请重新选择')]
  return subject.steps.length ? [] : [fault('SubjectID', `「${subject.name}」没有检查项，请先添加`)]
}

/** A step that is due only when the time is over could never be signed (PAT-4). */
function reachFaults(
  { times, lateEndMinutes }: Pick<PlannedWork, 'times' | 'lateEndMinutes'>,
  subject: WorkSubject | undefined,
): FieldFault[] {
  const text = subject && unreachableText(times, lateEndMinutes, subject.steps)
  return text === undefined ? [] : [fault('TimesJson', text)]
}

/** What is wrong with a plan of any kind, all at once. */
async function generalFaults({ db, scope }: PlanContext, draft: PlannedWork): Promise<FieldFault[]> {
  const { staffIds, beginDate, endDate, times } = draft
  const ids = idsOf(staffIds)
  const people = await loadStaff(db, scope.ownerId, ids)
  const context = await loadWorkContext(db, scope.ownerId, [draft], { from: beginDate, to: beginDate })
  const subject = context.subjectOf(draft)
  const time = timesFault(times)
  return [
    ...(time ? [fault('TimesJson', time)] : []),
    ...cycleFaults(draft),
    ...(ids.some(id => !people.has(id)) ? [fault('StaffIDs', '人员不存在或已被删除，请重新选择')] : []),
    ...(ids.some(id => people.get(id)?.hasLeft) ? [fault('StaffIDs', '所选人员已离职，请重新选择')] : []),
    ...(new Set(ids).size < ids.length ? [fault('StaffIDs', '同一人员重复')] : []),
    ...(endDate !== undefined && endDate < beginDate ? [fault('EndDate', '止日不能早于起日')] : []),
    ...(endDate !== undefined && endDate > addMonths(beginDate, 120)
      ? [fault('EndDate', '计划最长 10 年')]
      : []),
    ...subjectFaults(subject),
    ...(time ? [] : reachFaults(draft, subject)),
    ...(await targetFaults(db, scope.ownerId, draft, context)),
  ]
}

/** What is wrong with a plan of a kind: asked before it is saved, and before it is previewed. */
async function planFaults(
  c: PlanContext,
  draft: PlannedWork & Partial<Pick<WorkPlan, 'state'>>,
): Promise<FieldFault[]> {
  const ofKind = (await requireWorkKind(draft.kind).check?.(draft, c)) ?? []
  const named = new Set(ofKind.map(({ Field }) => Field))
  return [
    ...(draft.state === 'ended' ? [fault('State', '计划到期后自动结束，不能手工设为已结束')] : []),
    // The kind knows the better word for its subject.
    ...(await generalFaults(c, draft)).filter(({ Field }) => Field !== 'SubjectID' || !named.has(Field)),
    ...ofKind,
  ]
}

/** Adds names to the ids of plans, and their schedule as text. */
async function enrichPlans<P extends WorkPlan>(
  rows: readonly P[],
  { db, scope }: Pick<CrudContext, 'db' | 'scope'>,
): Promise<readonly P[]> {
  if (!rows.length) return rows
  const subjects = await loadSubjects(db, scope.ownerId, rows)
  const staffIds = [...new Set(rows.flatMap(plan => idsOf(plan.staffIds)))]
  const nameOf = staffNames(await loadStaff(db, scope.ownerId, staffIds))
  const targetNamesOf = await loadTargetNames(db, scope, rows)
  return rows.map(plan => ({
    ...plan,
    subjectName: subjects.get(plan.kind)?.get(plan.subjectId)?.name ?? '已停用或删除',
    targetNames: targetNamesOf(plan),
    staffNames: idsOf(plan.staffIds).map(nameOf).join('、'),
    schedule: scheduleText(plan),
  }))
}

const isFuture = (state: WorkPlan['state']): boolean => state === 'enabled'

/** What a saved plan makes of its tasks that nobody has started (PAT-3, PAT-10). */
async function followPlan(plan: WorkPlan, { tx, scope, now }: WriteContext): Promise<void> {
  if (isFuture(plan.state)) {
    await generateForPlans(tx, scope, [plan], now)
  } else {
    await removeOpenTasks(tx, scope, [plan.id], now, { keepsAssigned: true })
  }
}

/** The hooks of `crudHandlers` for the plans of one kind; those of the module may be beside them. */
export function planHooks(kind: WorkKind): PlanHooks {
  return {
    // What is switched off just now is not planned, and the other way round.
    lock: ({ tx, scope }) => lockGeneration(tx, scope),
    filter: () => [sql`t.kind = ${code(workKind, kind)}`],
    enrich: async (rows, c) => {
      // One record by its id: a plan of another kind is under other permissions.
      if (rows.some(plan => plan.kind !== kind)) throw notFound()
      return enrichPlans(rows, c)
    },
    check: async (draft, c, before) => {
      if (before && before.kind !== kind) return [fault('ID', '计划不存在或已被删除')]
      return planFaults({ db: c.tx, scope: c.scope }, { ...before, ...draft, kind, state: draft.state })
    },
    beforeInsert: () => ({ kind }),
    afterInsert: (row, c) => followPlan(row, c),
    afterUpdate: (row, c) => followPlan(row, c),
    beforeDelete: async rows => {
      if (rows.some(plan => plan.kind !== kind)) refuse('计划不存在或已被删除')
    },
    afterDelete: (rows, { tx, scope, now }) =>
      removeOpenTasks(
        tx,
        scope,
        rows.map(({ id }) => id),
        now,
      ),
  }
}

/** Starts, stops or ends plans; the tasks that nobody has started follow. */
export async function setPlanState(
  c: WriteContext,
  kind: WorkKind,
  ids: readonly Id[],
  state: 'enabled' | 'disabled',
  reason?: string,
): Promise<void> {
  const { tx, scope } = c
  await lockGeneration(tx, scope)
  const plans = await requireByIds(tx, workPlan, scope, ids, { lock: true })
  if (plans.some(plan => plan.kind !== kind)) refuse('计划不存在或已被删除')
  const ended = plans.find(plan => plan.endDate !== undefined && plan.endDate < c.today)
  if (ended && state === 'enabled') refuse(`「${ended.planName}」的止日已过，请先修改止日`)
  if (state === 'enabled') {
    const context = await loadWorkContext(tx, scope.ownerId, plans, { from: c.today, to: c.today })
    for (const plan of plans) {
      const subject = context.subjectOf(plan)
      if (!subject) refuse(`「${plan.planName}」的工作内容已停用或删除，请先启用或在计划中更换`)
      const faults = [
        ...subjectFaults(subject),
        ...reachFaults(plan, subject),
        ...(await targetFaults(tx, scope.ownerId, plan, context)),
        ...((await requireWorkKind(plan.kind).check?.(plan, { db: tx, scope })) ?? []),
      ]
      const [first] = faults
      if (first) refuse(`「${plan.planName}」不能启用：${first.Message}`)
    }
  }
  await updateAll(tx, workPlan, scope, plans, { state }, { action: 'state', reason })
  for (const plan of plans) {
    await followPlan({ ...plan, state }, c)
  }
}

export interface PreviewTask {
  readonly day: Day
  readonly begin: Moment
  readonly end: Moment
  readonly targetName: string | undefined
  readonly staffNames: string
  /** 无人可派, and why. */
  readonly nobodyReason: string | undefined
  /** Those who are passed over: `张三休息`. */
  readonly absences: string | undefined
}

/** Tasks assigned by hand that no longer fit, as text for the next preview. */
function lostTexts(
  asked: readonly PlannedTask[],
  removed: readonly ExistingTask[],
  nameOf: (staffId: Id) => string,
): ReadonlyMap<PlannedTask, readonly string[]> {
  const lost = removed.flatMap(({ isAssigned, staffId, day, begin, targetId }) => {
    const beside = asked.filter(draft => draft.day >= day)
    const place = beside.find(draft => draft.day === day && draft.targetId === targetId) ?? beside[0]
    return isAssigned && staffId !== undefined && place
      ? [{ place, text: `${begin.slice(5, 16)} 指派给${nameOf(staffId)}的任务取消` }]
      : []
  })
  return new Map(
    [...Map.groupBy(lost, ({ place }) => place)].map(([place, of]) => [place, of.map(({ text }) => text)]),
  )
}

/**
 * What a plan will ask of whom in the next fourteen days, before it is saved; what saving refuses is refused
 * in the same words. Rounds of the night before that are not over belong to it as well.
 */
export async function previewPlan(
  { db, scope, now }: Pick<ReadContext, 'db' | 'scope' | 'now'>,
  plan: PlannedWork & Partial<Pick<WorkPlan, 'state'>>,
): Promise<readonly PreviewTask[]> {
  await assertProjectsExist(db, scope.ownerId, projectOfPlan, plan, '')
  if (!hasProject(scope.domain, plan.projectCode)) throw outOfDomain()
  const faults = await planFaults({ db, scope }, plan)
  if (faults.length) throw invalidInput(faults)
  const today = dayOfMoment(now)
  const span = { from: addDays(today, -1), to: addDays(today, previewDays - 1) }
  const stored = { ...plan, id: plan.id ?? 0 }
  const { asked, removed, context } = await findWantedTasks(db, scope, [stored], span, now)
  const lost = lostTexts(asked, removed, context.nameOf)
  return asked.map(draft => ({
    day: draft.day,
    begin: draft.begin,
    end: draft.end,
    targetName: draft.targetName,
    staffNames: (draft.staffId === undefined ? (draft.candidateIds ?? []) : [draft.staffId])
      .map(context.nameOf)
      .join('、'),
    nobodyReason: draft.nobodyReason,
    absences:
      [
        ...draft.absences.map(({ staffId, reason }) => `${context.nameOf(staffId)}${reason}`),
        ...(lost.get(draft) ?? []),
      ].join('、') || undefined,
  }))
}
