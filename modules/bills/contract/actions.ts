import { call } from '#kit/contract/call.ts'
import { choice, flag, idOf, int, money, text } from '#kit/contract/field.ts'
import {
  extendShape,
  bulkResult,
  byIds,
  byIdsWithReason,
  omitFields,
  reasonField,
} from '#kit/contract/shape.ts'
import { periodAfter } from '#modules/fees/contract/choices.ts'
import { menu } from '../module.ts'
import { billSearch, type BillFilter } from './list.ts'

const { permissions } = menu.bill
export const affectedEntities = ['bill', 'billAdjust', 'feeRelation', 'meterReading']

/** Done at once up to 2,000 bills; beyond that `taskId` names the task that does it (G-11). */
export const bulkOutcome = extendShape(bulkResult, { taskId: idOf('任务', { wire: 'TaskID' }) })

/**
 * Count and receivable that the screen showed for the filter; the server refuses when they no longer hold
 * (BILL-1).
 */
const seenFields = {
  count: int('张数', { required: true, min: 0, wire: 'Count' }),
  sum: money('应收合计', { required: true, wire: 'Sum' }),
}

export const countedFilter = extendShape(
  omitFields<BillFilter, 'page' | 'size' | 'order'>(billSearch, ['page', 'size', 'order']),
  seenFields,
)

const filterWithReason = extendShape(countedFilter, { reason: reasonField })
export type FilterAction = NonNullable<typeof filterWithReason.T>

/** What becomes of the days of the bills; without it nothing is recorded and the gaps stay listed (GEN-3). */
export const periodAfterFields = {
  periodAfter: choice('账期处理', periodAfter, { help: '不填的列入「漏账检查」' }),
}

const abolishByFilter = extendShape(filterWithReason, periodAfterFields)

export const auditBills = call({
  route: 'PUT finance/v1/FeeBill/Audit',
  title: '审核账单',
  needs: permissions.audit,
  input: byIds,
  output: bulkResult,
  affects: affectedEntities,
})

export const auditBillsByFilter = call({
  route: 'PUT finance/v1/FeeBill/AuditSearch',
  title: '按筛选审核账单',
  needs: permissions.audit,
  input: countedFilter,
  output: bulkOutcome,
  affects: affectedEntities,
})

/** Bills that are paid, held by an order or invoiced are skipped with the reason (BILL-2). */
export const abolishBills = call({
  route: 'PUT finance/v1/FeeBill/BatchAbolish',
  title: '作废账单',
  needs: permissions.abolish,
  input: extendShape(byIdsWithReason, periodAfterFields),
  output: bulkResult,
  affects: affectedEntities,
})

export const abolishBillsByFilter = call({
  route: 'PUT finance/v1/FeeBill/AbolishSearch',
  title: '按筛选作废账单',
  needs: permissions.abolish,
  input: abolishByFilter,
  output: bulkOutcome,
  affects: affectedEntities,
})

/** `resetDue`: the bill is due today, so that no late fee accrues for the time it was abolished. */
const recoverFields = { resetDue: flag('应缴日改为今天', { initial: false, wire: 'ResetDue' }) }

export const recoverBills = call({
  route: 'PUT finance/v1/FeeBill/RecoveryAbolish',
  aliases: ['POST Feebill/postrecovery', 'POST Feebill/PostBatchRecovery'],
  title: '恢复账单',
  needs: permissions.recover,
  input: extendShape(byIds, { ...recoverFields, reason: text('原因', { max: 200 }) }),
  output: bulkResult,
  affects: affectedEntities,
})

/** By filter: refused when the filter no longer finds what the screen counted (BILL-1). */
export const recoverBillsByFilter = call({
  route: 'POST Feebill/PostBatchRecoveryPro',
  title: '按筛选恢复账单',
  needs: permissions.recover,
  input: extendShape(filterWithReason, recoverFields),
  output: bulkOutcome,
  affects: affectedEntities,
})

export const deleteBills = call({
  route: 'DELETE Feebill/Delete',
  aliases: ['POST Feebill/PostBatchDelete'],
  title: '删除账单',
  needs: permissions.del,
  input: byIdsWithReason,
  output: bulkResult,
  affects: affectedEntities,
})

export const deleteBillsByFilter = call({
  route: 'POST Feebill/DeleteBySearch',
  title: '按筛选删除账单',
  needs: permissions.del,
  input: filterWithReason,
  output: bulkOutcome,
  affects: affectedEntities,
})

export const writeOffBills = call({
  route: 'PUT finance/v1/FeeBill/WriteOff',
  title: '坏账核销',
  needs: permissions.writeOff,
  input: byIdsWithReason,
  output: bulkResult,
  affects: affectedEntities,
})

export const reverseWriteOff = call({
  route: 'PUT finance/v1/FeeBill/ReverseWriteOff',
  title: '撤销核销',
  needs: permissions.writeOff,
  input: byIdsWithReason,
  output: bulkResult,
  affects: affectedEntities,
})
