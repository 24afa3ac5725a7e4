import { refuse } from '#kit/contract/wire.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { requireById, requireByIds, updateAll } from '#kit/server/table.ts'
import { cancelApproval } from '#modules/approvals/server/public.ts'
import {
  applications,
  attendanceApply,
  cancelApplications,
  getLeaveDetail,
  getMendDetail,
} from '../contract/apply.ts'
import { kindByType } from '../contract/approval-kinds.ts'
import { approvalOf } from './application-approval.ts'
import { assertApplicationOpen, revokeApplication } from './application-effects.ts'
import { mendRules } from './application-rules.ts'
import { prepareApplication, settleApplication } from './application-submit.ts'
import { keepMonthsOpen } from './closed-months.ts'
import { addDepartments, departmentFilter } from './people.ts'
import { addReturns } from './returned-applications.ts'

export const applyServer = crudHandlers(applications, {
  filter: (q, { scope }) => departmentFilter(q, scope),
  enrich: async (rows, c) => addReturns(c.db, c.scope, await addDepartments(rows, c)),
  lock: ({ tx, scope }) => keepMonthsOpen(tx, scope),
  beforeInsert: prepareApplication,
  afterInsert: (row, c, draft) => settleApplication(row, c, draft),
})

export const applyHandlers = [
  reads(getLeaveDetail, async ({ id }, { db, scope }) => {
    const row = await requireById(db, attendanceApply, scope, id)
    if (row.applyType !== 'leave') return refuse('该单据不是请假单')
    return { ...row, ...(await approvalOf(db, scope, row)) }
  }),
  reads(getMendDetail, async ({ id }, { db, scope }) => {
    const row = await requireById(db, attendanceApply, scope, id)
    if (row.applyType !== 'mend' || !row.mendDate) return refuse('该单据不是补卡单')
    const rules = await mendRules(db, scope, row.staffId, row.mendDate)
    return {
      ...row,
      mendCount: rules?.mendCount ?? 0,
      mendLimit: rules?.mendLimit ?? 0,
      ...(await approvalOf(db, scope, row)),
    }
  }),
  writes(cancelApplications, async ({ ids, reason }, c) => {
    await keepMonthsOpen(c.tx, c.scope)
    const rows = await requireByIds(c.tx, attendanceApply, c.scope, ids, { lock: true })
    if (rows.some(({ state }) => state !== 'passed' && state !== 'pending'))
      refuse('只有审批中与已通过的单据可以撤销')
    for (const row of rows) {
      await assertApplicationOpen(c.tx, c.scope, row, 'Ids')
    }
    await updateAll(c.tx, attendanceApply, c.scope, rows, { state: 'cancelled' }, { action: 'state', reason })
    for (const row of rows) {
      if (row.state === 'pending') {
        await cancelApproval(c, kindByType[row.applyType], row.id, reason)
      } else {
        await revokeApplication(c, row)
      }
    }
  }),
]
