import { call } from '#kit/contract/call.ts'
import { choice, day, flag, idOf, int, lines, list, money, text, type ValueOf } from '#kit/contract/field.ts'
import { bulkResult, idRule, extendShape, shape, reasonField } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { billState } from './choices.ts'

const { permissions } = menu.bill

/** A bill computed with an outdated price: its amount and its new amount. */
export const repricedBillFields = {
  id: idOf('编号', { required: true, wire: 'ID' }),
  billNo: text('账单号', { required: true }),
  sourceName: text('收费对象', { required: true }),
  payerName: text('缴费人'),
  beginDate: day('账期起', { required: true }),
  endDate: day('账期止', { required: true }),
  dueDate: day('应缴日', { required: true }),
  state: choice('账单状态', billState, { required: true }),
  overdue: flag('逾期'),
  amount: money('原金额', { required: true }),
  next: money('新金额'),
  change: money('增减'),
  parts: int('新账单数'),
  sentence: text('计算依据'),
  reason: text('不能重新生成的原因'),
}

export type RepricedBill = ValueOf<typeof repricedBillFields>

/** Listed and done at once; more than these are a task's (G-11). */
export const repriceLimit = 2000

/**
 * FEE-6: unpaid bills of a standard that were made by a price that does not hold for their days any more,
 * with old and new amounts.
 */
export const listRepriceable = call({
  route: 'GET Feebill/GetRepriceable',
  title: '调价前出的未缴账单',
  needs: permissions.reprice,
  input: shape({ standardId: idOf('收费标准', { required: true, min: 1, wire: 'StandardID' }) }),
  output: shape(
    {
      standardName: text('收费标准', { required: true }),
      itemName: text('收费项目', { required: true }),
      projectCode: text('项目', { required: true }),
      count: int('张数', { required: true }),
      hasMore: flag('未列全', { required: true, wire: 'More' }),
      amount: money('原金额合计', { required: true }),
      runId: idOf('正在重新生成的批次', { wire: 'RunID' }),
      rows: lines('账单', repricedBillFields, { required: true }),
    },
    { entity: 'bill' },
  ),
})

/**
 * Abolishes bills and generates them again at today's prices (FEE-6, BILL-9); each new bill names the one it
 * replaces; bills that cannot be replaced are reported.
 */
export const repriceBills = call({
  route: 'POST Feebill/PostReprice',
  title: '按新价格重新生成账单',
  needs: permissions.reprice,
  affects: ['bill', 'billRun', 'feeRelation', 'meterReading', 'feeStandard'],
  input: shape({
    ids: list('账单', { required: true, max: repriceLimit, wire: ['Ids', 'ID'], rule: idRule }),
    reason: reasonField,
  }),
  output: extendShape(bulkResult, {
    batchNos: list('批次'),
    made: int('新账单数', { required: true }),
    before: money('原金额', { required: true }),
    amount: money('新金额', { required: true }),
  }),
})

/**
 * Replaces all bills of a standard in the background as one batch; `count` is what the screen showed,
 * `without` what was unselected.
 */
export const repriceAllBills = call({
  route: 'POST Feebill/PostRepriceAll',
  title: '按新价格重新生成全部账单',
  needs: permissions.reprice,
  affects: ['bill', 'billRun', 'feeRelation', 'meterReading', 'feeStandard'],
  input: shape({
    standardId: idOf('收费标准', { required: true, min: 1, wire: 'StandardID' }),
    count: int('张数', { required: true, min: 1 }),
    without: list('不重新生成的账单', { max: repriceLimit, rule: idRule, wire: 'WithoutIds' }),
    reason: reasonField,
  }),
  output: shape({
    runId: idOf('批次', { required: true, wire: 'RunID' }),
    batchNo: text('批次号', { required: true }),
    taskId: idOf('任务', { required: true, wire: 'TaskID' }),
    count: int('张数', { required: true }),
  }),
})
