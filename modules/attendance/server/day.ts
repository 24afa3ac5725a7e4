import { parseId, type Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { keyOf, labelOf } from '#kit/contract/field.ts'
import { invalidField, refuse } from '#kit/contract/wire.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { codes } from '#kit/server/sql.ts'
import { requireById, requireByIds, updateAll } from '#kit/server/table.ts'
import { dayState, leaveType, punchSource } from '../contract/choices.ts'
import {
  dayRecord,
  dayRecords,
  explainDayRecord,
  exportDayRecords,
  getDayGrid,
  updateDayState,
} from '../contract/day.ts'
import { recomputeDays } from '../contract/month.ts'
import { explainDay } from '../domain/explanation.ts'
import { minuteOf } from '../domain/intervals.ts'
import { manualFault } from '../domain/manual.ts'
import { assertOpen, assertSpanOpen, keepMonthsOpen } from './closed-months.ts'
import { loadDayGrid } from './day-grid.ts'
import { loadInputs } from './inputs.ts'
import { addDepartments, departmentFilter } from './people.ts'
import { computePerson } from './person-days.ts'
import { findMembers, recomputePeople } from './recompute.ts'

/** What somebody has to look into. */
export const anomalyStates = codes(
  dayState,
  'late',
  'early',
  'lateAndEarly',
  'missing',
  'absent',
  'unscheduled',
)

export const dayServer = crudHandlers(dayRecords, {
  filter: (q, { scope }) => [
    ...departmentFilter(q, scope),
    ...(q.isAnomaly ? [sql`coalesce(t.manual_state, t.state) in ${anomalyStates}`] : []),
  ],
  enrich: addDepartments,
  export: exportDayRecords,
})

/** A day as it is computed at this moment, with its reasons; the result set by hand comes last. */
async function explain(db: Db, scope: Scope, id: Id, now: number) {
  const record = await requireById(db, dayRecord, scope, id)
  const { staffId, workDate, manualLeaveType: kind } = record
  const span = { from: workDate, to: workDate }
  const inputs = await loadInputs(db, scope.ownerId, [staffId], span, false)
  // A closed month is explained as well: it is only not written any more.
  const [day] = computePerson({ ...inputs, closedMonths: new Set() }, staffId, span, now).days
  const manual = record.manualState
    ? [
        {
          label: '人工结果',
          text: `${labelOf(dayState, record.manualState)}${kind ? ` ${labelOf(leaveType, kind)}` : ''}（${record.manualReason ?? ''}）`,
        },
      ]
    : []
  if (!day) return [{ label: '说明', text: '当日不在考勤组或为免考勤人员' }, ...manual]
  const matched = computePerson({ ...inputs, closedMonths: new Set() }, staffId, span, now).matched
  const lines = explainDay({
    plan: day.plan,
    figures: day.figures,
    punches: (inputs.punches.get(staffId) ?? [])
      .filter(({ minute }) => matched.dateOf.get(minute) === workDate)
      .map(({ minute, source }) => ({
        minute,
        source: labelOf(punchSource, defined(keyOf(punchSource, source))),
      })),
    covers: (inputs.covers.get(staffId) ?? []).map(cover => ({
      ...cover,
      label:
        cover.kind === 'leave'
          ? cover.leaveType
            ? labelOf(leaveType, cover.leaveType)
            : '请假'
          : { trip: '出差', out: '外出' }[cover.kind],
    })),
    overtimes: inputs.overtimes.get(staffId) ?? [],
  })
  return [...lines, ...manual]
}

export const dayHandlers = [
  reads(getDayGrid, (query, { db, scope }) => loadDayGrid(db, scope, query)),
  reads(explainDayRecord, ({ id }, { db, scope, now }) => explain(db, scope, id, minuteOf(now))),
  writes(updateDayState, async ({ ids, state, leaveType: kind, reason }, { tx, scope }) => {
    await keepMonthsOpen(tx, scope)
    const rows = await requireByIds(tx, dayRecord, scope, ids, { lock: true })
    await assertOpen(
      tx,
      scope,
      rows.map(({ workDate }) => workDate),
      'Ids',
    )
    if (!state && !rows.some(({ manualState }) => manualState)) refuse('所选记录无人工结果，无需恢复')
    for (const { staffName = '', workDate, dueMinutes } of rows) {
      const fault = manualFault(state, kind, dueMinutes)
      if (fault?.field === 'leaveType') throw invalidField('LeaveType', fault.message)
      if (fault) throw invalidField('State', `「${staffName}」${workDate}：${fault.message}`)
    }
    await updateAll(
      tx,
      dayRecord,
      scope,
      rows,
      {
        manualState: state,
        manualLeaveType: state === 'leave' ? kind : undefined,
        manualReason: state ? reason : undefined,
      },
      { reason },
    )
  }),
  writes(recomputeDays, async ({ from, to, groupId, staffIds }, { tx, scope, now }) => {
    if (to < from) throw invalidField('EndDate', '止日不能早于起日')
    const span = { from, to }
    await assertSpanOpen(tx, scope, span, 'BeginDate')
    const ids = staffIds?.length
      ? staffIds.map(parseId)
      : await findMembers(tx, scope, span, groupId?.length ? groupId.map(parseId) : undefined)
    return { count: await recomputePeople(tx, scope, ids, span, now) }
  }),
]
