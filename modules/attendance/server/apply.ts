import { dayOfMoment } from '#kit/domain/moment.ts'
import { invalidInput, refuse } from '#kit/contract/wire.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { requireById, requireByIds, updateAll } from '#kit/server/table.ts'
import {
  applications,
  attendanceApply,
  cancelApplications,
  getLeaveDetail,
  getMendDetail,
} from '../contract/apply.ts'
import { applyApprovedApplication, assertApplicationOpen, revokeApplication } from './application-effects.ts'
import { applyFaults, hoursOf, mendRules } from './application-rules.ts'
import { keepMonthsOpen } from './closed-months.ts'
import { addDepartments, departmentFilter } from './people.ts'

export const applyServer = crudHandlers(applications, {
  filter: (q, { scope }) => departmentFilter(q, scope),
  enrich: addDepartments,
  lock: ({ tx, scope }) => keepMonthsOpen(tx, scope),
  beforeInsert: async (draft, c) => {
    const faults = await applyFaults(draft, c)
    if (faults.length) throw invalidInput(faults)
    return {
      state: 'passed',
      registrar: c.scope.name,
      hours: await hoursOf(draft, c),
      mendDate: draft.applyType === 'mend' && draft.beginTime ? dayOfMoment(draft.beginTime) : undefined,
    }
  },
  afterInsert: (row, c) => applyApprovedApplication(c, row),
})

export const applyHandlers = [
  reads(getLeaveDetail, async ({ id }, { db, scope }) => {
    const row = await requireById(db, attendanceApply, scope, id)
    return row.applyType === 'leave' ? row : refuse('该单据不是请假单')
  }),
  reads(getMendDetail, async ({ id }, { db, scope }) => {
    const row = await requireById(db, attendanceApply, scope, id)
    if (row.applyType !== 'mend' || !row.mendDate) return refuse('该单据不是补卡单')
    const rules = await mendRules(db, scope, row.staffId, row.mendDate)
    return { ...row, mendCount: rules?.mendCount ?? 0, mendLimit: rules?.mendLimit ?? 0 }
  }),
  writes(cancelApplications, async ({ ids, reason }, c) => {
    await keepMonthsOpen(c.tx, c.scope)
    const rows = await requireByIds(c.tx, attendanceApply, c.scope, ids, { lock: true })
    const ended = rows.find(({ state }) => state !== 'passed')
    if (ended) refuse('只有已通过的单据可以撤销')
    for (const row of rows) {
      await assertApplicationOpen(c.tx, c.scope, row, 'Ids')
    }
    await updateAll(c.tx, attendanceApply, c.scope, rows, { state: 'withdrawn' }, { action: 'state', reason })
    for (const row of rows) {
      await revokeApplication(c, row)
    }
  }),
]
