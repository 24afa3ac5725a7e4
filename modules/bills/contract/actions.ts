import { call } from '#kit/contract/call.ts'
import {
  choice,
  choiceTable,
  day,
  decimal,
  flag,
  int,
  list,
  money,
  text,
  type ValueOf,
} from '#kit/contract/field.ts'
import { also, bulk, byIds, oneOf, rowsOf, shape, type Shape } from '#kit/contract/shape.ts'
import { payerSide, sourceType } from '#modules/fees/contract/choices.ts'
import { menu } from '../module.ts'
import { bill } from './bill.ts'
import { billSearch, someBills, type BillAsk } from './list.ts'

const { may } = menu.bill
const affects = ['bill', 'billAdjust', 'feeRelation', 'meterReading']
const reason = { reason: text('原因', { required: true, min: 2, max: 200, wire: 'Reason' }) }
const why = also(byIds, reason)

/** Done at once up to 2,000 bills; beyond that `taskId` names the task that does it (G-11). */
export const searched = also(bulk, { taskId: int('任务', { wire: 'TaskID' }) })

/**
 * What the screen counted and summed (应收) by the same filter: the server refuses when it no longer holds
 * (BILL-1).
 */
const seen = {
  count: int('张数', { required: true, min: 0, wire: 'Count' }),
  sum: money('应收合计', { required: true, wire: 'Sum' }),
}

const { page: _p, size: _s, order: _o, ...filter } = billSearch.fields as Record<string, never>

export const counted = { ...billSearch, fields: { ...filter, ...seen } } as unknown as Shape<
  BillAsk & ValueOf<typeof seen>
>

const bySearch = also(counted, reason)
export type BySearch = NonNullable<typeof bySearch.T>

export const auditBills = call({
  at: 'PUT finance/v1/FeeBill/Audit',
  title: '审核账单',
  needs: may.audit,
  input: byIds,
  output: bulk,
  affects,
})

export const auditSearch = call({
  at: 'PUT finance/v1/FeeBill/AuditSearch',
  title: '按筛选审核账单',
  needs: may.audit,
  input: counted,
  output: searched,
  affects,
})

/** Each bill by itself: paid, held and invoiced ones are skipped with the reason (BILL-2). */
export const abolishBills = call({
  at: 'PUT finance/v1/FeeBill/BatchAbolish',
  title: '作废账单',
  needs: may.abolish,
  input: why,
  output: bulk,
  affects,
})

export const abolishSearch = call({
  at: 'PUT finance/v1/FeeBill/AbolishSearch',
  title: '按筛选作废账单',
  needs: may.abolish,
  input: bySearch,
  output: searched,
  affects,
})

/** `resetDue`: due anew from today, so that the time of being abolished bears no late fee. */
const recovering = { resetDue: flag('应缴日改为今天', { initial: false, wire: 'ResetDue' }) }

export const recoverBills = call({
  at: 'PUT finance/v1/FeeBill/RecoveryAbolish',
  names: ['POST Feebill/postrecovery', 'POST Feebill/PostBatchRecovery'],
  title: '恢复账单',
  needs: may.recover,
  input: also(byIds, { ...recovering, reason: text('原因', { max: 200 }) }),
  output: bulk,
  affects,
})

/** The batch variant by filter: what the screen counted must still hold (BILL-1). */
export const recoverSearch = call({
  at: 'POST Feebill/PostBatchRecoveryPro',
  title: '按筛选恢复账单',
  needs: may.recover,
  input: also(bySearch, recovering),
  output: searched,
  affects,
})

export const deleteBills = call({
  at: 'DELETE Feebill/Delete',
  names: ['POST Feebill/PostBatchDelete'],
  title: '删除账单',
  needs: may.del,
  input: why,
  output: bulk,
  affects,
})

export const deleteSearch = call({
  at: 'POST Feebill/DeleteBySearch',
  title: '按筛选删除账单',
  needs: may.del,
  input: bySearch,
  output: searched,
  affects,
})

/** Whom a change is for: bills by id, or the open bills of objects (2§3). */
const meant = {
  ids: someBills(),
  sourceType: choice('对象类型', sourceType),
  sourceCodes: list('对象编码', { max: 200, wire: ['SourceCodes', 'SourceCode'] }),
  feeItemId: int('收费项目', { min: 1, wire: 'FeeItemID' }),
}

export const discountKind = choiceTable('DiscountKind', '减免方式', {
  amount: [10, '减免金额'],
  rate: [20, '减免比例'],
})

/** `rate`: the part that is let off, 15 for 15 %. */
export const discounting = {
  kind: choice('方式', discountKind, { required: true, initial: 'amount', wire: 'DiscountType' }),
  amount: money('减免金额', { min: 0, wire: ['DiscountAmount', 'Amount'] }),
  percent: decimal('减免比例', { min: 0, max: 100, scale: 4, unit: '%', wire: ['DiscountRate', 'Percent'] }),
  ...reason,
}

/** The whole discount, not one more; 0 takes it back. */
export const putDiscount = call({
  at: 'PUT finance/v1/FeeBill/ModifyDiscount',
  names: ['PUT Feebill/PutDiscount'],
  title: '减免账单',
  needs: may.discount,
  output: bulk,
  affects,
  input: shape({ ...meant, ...discounting }),
})

/**
 * Over all that a filter finds; beyond 2,000 a task goes through them bill by bill and tells which were
 * refused.
 */
export const discountSearch = call({
  at: 'PUT finance/v1/FeeBill/DiscountSearch',
  title: '按筛选减免账单',
  needs: may.discount,
  output: searched,
  affects,
  input: also(counted, discounting),
})

export const lateKind = choiceTable('LateFeeKind', '违约金调整', {
  waive: [10, '减免'],
  fix: [20, '定额'],
  auto: [30, '恢复自动'],
})

const lateFee = {
  kind: choice('方式', lateKind, { required: true, initial: 'waive', wire: 'LateFeeType' }),
  amount: money('金额', { min: 0, wire: ['LateFee', 'Amount'] }),
  ...reason,
}

/** LATE-8 A, B, C. For several bills `waive` without an amount lets all of it off. */
export const putLateFee = call({
  at: 'PUT finance/v1/FeeBill/ModifyLateFee',
  names: ['PUT Feebill/PutLateFee'],
  title: '调整违约金',
  needs: may.lateFee,
  output: bulk,
  affects,
  input: shape({ ...meant, ...lateFee }),
})

export const lateFeeSearch = call({
  at: 'PUT finance/v1/FeeBill/LateFeeSearch',
  title: '按筛选调整违约金',
  needs: may.lateFee,
  output: searched,
  affects,
  input: also(counted, lateFee),
})

const one = { id: int('账单', { required: true, min: 1, wire: 'ID' }), version: int('版本') }

/** By date (the second half begins on it) or by amount (of the first half): BILL-12. */
export const splitBill = call({
  at: 'PUT finance/v1/FeeBill/Split',
  title: '拆分账单',
  needs: may.split,
  output: rowsOf({ ...bill.fields }),
  affects,
  input: shape({
    ...one,
    on: day('拆分日期', { wire: 'SplitDate' }),
    amount: money('第一张金额', { min: 1, wire: 'SplitAmount' }),
    secondDue: day('第二张应缴日', { wire: 'SecondDueDate' }),
    ...reason,
  }),
})

export const mergeBill = call({
  at: 'PUT finance/v1/FeeBill/MergeBack',
  title: '合并还原账单',
  needs: may.split,
  input: shape({ ...one, ...reason }),
  output: oneOf(bill),
  affects,
})

export const changePayer = call({
  at: 'PUT finance/v1/FeeBill/ChangePayer',
  title: '变更缴费人',
  needs: may.payer,
  output: bulk,
  affects,
  input: also(byIds, {
    payerKind: choice('缴费人类别', payerSide, { required: true, initial: 'resident' }),
    payerId: int('缴费人', { required: true, min: 1, wire: 'PayerID' }),
    ...reason,
  }),
})

export const editAmount = call({
  at: 'PUT finance/v1/FeeBill/ModifyAmount',
  title: '修改账单金额',
  needs: may.amount,
  input: shape({ ...one, amount: money('金额', { required: true, min: 1, max: 9_999_999_999 }), ...reason }),
  output: oneOf(bill),
  affects,
})

export const writeOffBills = call({
  at: 'PUT finance/v1/FeeBill/WriteOff',
  title: '坏账核销',
  needs: may.writeOff,
  input: why,
  output: bulk,
  affects,
})

export const reverseWriteOff = call({
  at: 'PUT finance/v1/FeeBill/ReverseWriteOff',
  title: '撤销核销',
  needs: may.writeOff,
  input: why,
  output: bulk,
  affects,
})

/** BILL-9: the old one is abolished, the new one says which it replaces. What is left out stays as it was. */
export const reissueBill = call({
  at: 'POST finance/v1/FeeBill/Reissue',
  title: '重开账单',
  needs: may.amount,
  output: oneOf(bill),
  affects,
  input: shape({
    ...one,
    amount: money('金额', { min: 1, max: 9_999_999_999 }),
    beginDate: day('账期起'),
    endDate: day('账期止'),
    dueDate: day('应缴日期'),
    remark: text('备注', { max: 200 }),
    ...reason,
  }),
})

/** URG-7, and the note on a bill. */
export const markBills = call({
  at: 'PUT finance/v1/FeeBill/Mark',
  title: '标记争议与承诺',
  needs: menu.notice.may.urge,
  output: bulk,
  affects: ['bill'],
  input: also(byIds, {
    disputed: flag('有争议', { wire: 'Disputed' }),
    promiseDate: day('承诺缴费日'),
    clearPromise: flag('取消承诺', { wire: 'ClearPromise' }),
    remark: text('备注', { max: 200 }),
    clearRemark: flag('清除备注', { wire: 'ClearRemark' }),
  }),
})

export const actionCalls = [
  auditBills,
  abolishBills,
  abolishSearch,
  recoverBills,
  recoverSearch,
  deleteBills,
  deleteSearch,
  auditSearch,
  putDiscount,
  discountSearch,
  putLateFee,
  lateFeeSearch,
  splitBill,
  mergeBill,
  changePayer,
  editAmount,
  writeOffBills,
  reverseWriteOff,
  reissueBill,
  markBills,
]
