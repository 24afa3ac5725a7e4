import { call } from '#kit/contract/call.ts'
import { choice, choiceTable, day, decimal, flag, idOf, int, list, money, text } from '#kit/contract/field.ts'
import {
  extendShape,
  bulkResult,
  byIds,
  recordOf,
  listOfRows,
  shape,
  reasonField,
} from '#kit/contract/shape.ts'
import { payerSide, sourceType } from '#modules/fees/contract/choices.ts'
import { menu } from '../module.ts'
import { bill } from './bill.ts'
import { billIdsField } from './list.ts'
import { affectedEntities, bulkOutcome, countedFilter } from './actions.ts'

const { permissions } = menu.bill

/** The bills of a change: by id, or the open bills of objects (2§3). */
const selectionFields = {
  ids: billIdsField(),
  sourceType: choice('对象类型', sourceType),
  sourceCodes: list('对象编码', { max: 200, wire: ['SourceCodes', 'SourceCode'] }),
  feeItemId: idOf('收费项目', { min: 1, wire: 'FeeItemID' }),
}

export const discountKind = choiceTable('DiscountKind', '减免方式', {
  amount: [10, '减免金额'],
  rate: [20, '减免比例'],
})

/** `percent` is deducted from the amount: 15 for 15 %. */
export const discountFields = {
  kind: choice('方式', discountKind, { required: true, initial: 'amount', wire: 'DiscountType' }),
  amount: money('减免金额', { min: 0, wire: ['DiscountAmount', 'Amount'] }),
  percent: decimal('减免比例', { min: 0, max: 100, scale: 4, unit: '%', wire: ['DiscountRate', 'Percent'] }),
  reason: reasonField,
}

/** Sets the total discount, replacing an earlier one; 0 removes it. */
export const setDiscount = call({
  route: 'PUT finance/v1/FeeBill/ModifyDiscount',
  aliases: ['PUT Feebill/PutDiscount'],
  title: '减免账单',
  needs: permissions.discount,
  output: bulkResult,
  affects: affectedEntities,
  input: shape({ ...selectionFields, ...discountFields }),
})

/**
 * On all bills of a filter; above 2,000 a task judges them one by one and reports those that were refused.
 */
export const setDiscountByFilter = call({
  route: 'PUT finance/v1/FeeBill/DiscountSearch',
  title: '按筛选减免账单',
  needs: permissions.discount,
  output: bulkOutcome,
  affects: affectedEntities,
  input: extendShape(countedFilter, discountFields),
})

export const lateFeeKind = choiceTable('LateFeeKind', '违约金调整', {
  waive: [10, '减免'],
  fix: [20, '定额'],
  auto: [30, '恢复自动'],
})

const lateFeeFields = {
  kind: choice('方式', lateFeeKind, { required: true, initial: 'waive', wire: 'LateFeeType' }),
  amount: money('金额', { min: 0, wire: ['LateFee', 'Amount'] }),
  reason: reasonField,
}

/** LATE-8 A, B, C. For several bills, `waive` without an amount waives all of the late fee. */
export const setLateFee = call({
  route: 'PUT finance/v1/FeeBill/ModifyLateFee',
  aliases: ['PUT Feebill/PutLateFee'],
  title: '调整违约金',
  needs: permissions.lateFee,
  output: bulkResult,
  affects: affectedEntities,
  input: shape({ ...selectionFields, ...lateFeeFields }),
})

export const setLateFeeByFilter = call({
  route: 'PUT finance/v1/FeeBill/LateFeeSearch',
  title: '按筛选调整违约金',
  needs: permissions.lateFee,
  output: bulkOutcome,
  affects: affectedEntities,
  input: extendShape(countedFilter, lateFeeFields),
})

const billKeyFields = { id: idOf('账单', { required: true, min: 1, wire: 'ID' }), version: int('版本') }

/** Splits by date (the second half begins on it) or by amount (of the first half), BILL-12. */
export const splitBill = call({
  route: 'PUT finance/v1/FeeBill/Split',
  title: '拆分账单',
  needs: permissions.split,
  output: listOfRows({ ...bill.fields }),
  affects: affectedEntities,
  input: shape({
    ...billKeyFields,
    on: day('拆分日期', { wire: 'SplitDate' }),
    amount: money('第一张金额', { min: 1, wire: 'SplitAmount' }),
    secondDue: day('第二张应缴日', { wire: 'SecondDueDate' }),
    reason: reasonField,
  }),
})

export const mergeBill = call({
  route: 'PUT finance/v1/FeeBill/MergeBack',
  title: '合并还原账单',
  needs: permissions.split,
  input: shape({ ...billKeyFields, reason: reasonField }),
  output: recordOf(bill),
  affects: affectedEntities,
})

export const changePayer = call({
  route: 'PUT finance/v1/FeeBill/ChangePayer',
  title: '变更缴费人',
  needs: permissions.payer,
  output: bulkResult,
  affects: affectedEntities,
  input: extendShape(byIds, {
    payerKind: choice('缴费人类别', payerSide, { required: true, initial: 'resident' }),
    payerId: idOf('缴费人', { required: true, min: 1, wire: 'PayerID' }),
    reason: reasonField,
  }),
})

export const editBillAmount = call({
  route: 'PUT finance/v1/FeeBill/ModifyAmount',
  title: '修改账单金额',
  needs: permissions.amount,
  input: shape({
    ...billKeyFields,
    amount: money('金额', { required: true, min: 1, max: 9_999_999_999 }),
    reason: reasonField,
  }),
  output: recordOf(bill),
  affects: affectedEntities,
})

/** Abolishes a bill and writes a corrected one that names it (BILL-9). Fields left out keep their value. */
export const reissueBill = call({
  route: 'POST finance/v1/FeeBill/Reissue',
  title: '重开账单',
  needs: permissions.amount,
  output: recordOf(bill),
  affects: affectedEntities,
  input: shape({
    ...billKeyFields,
    amount: money('金额', { min: 1, max: 9_999_999_999 }),
    beginDate: day('账期起'),
    endDate: day('账期止'),
    dueDate: day('应缴日期'),
    remark: text('备注', { max: 200 }),
    reason: reasonField,
  }),
})

/** Marks disputes and promises (URG-7), and the remark of a bill. */
export const markBills = call({
  route: 'PUT finance/v1/FeeBill/Mark',
  title: '标记争议与承诺',
  needs: menu.notice.permissions.urge,
  output: bulkResult,
  affects: ['bill'],
  input: extendShape(byIds, {
    disputed: flag('有争议', { wire: 'Disputed' }),
    promiseDate: day('承诺缴费日'),
    clearPromise: flag('取消承诺', { wire: 'ClearPromise' }),
    remark: text('备注', { max: 200 }),
    clearRemark: flag('清除备注', { wire: 'ClearRemark' }),
  }),
})
