import { call } from '#kit/contract/call.ts'
import { choice, day, idOf, int, lines, list, money, text } from '#kit/contract/field.ts'
import { idRule, listOfRows, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { cycleType, feeType, skipReason, sourceType } from '#modules/fees/contract/choices.ts'
import { menu } from '../module.ts'

const { permissions } = menu.bill
const affectedEntities = ['bill', 'billRun', 'feeRelation', 'payOrder']

const madeFields = {
  batchNo: text('批次', { required: true }),
  count: int('张数', { required: true }),
  amount: money('金额', { required: true }),
  ids: list('账单', { required: true, wire: 'BillIDs' }),
}

/** The same amount for each of several objects, entered by hand (TMP-1). */
export const addTempFee = call({
  route: 'POST finance/v1/FeeBill/AddTempFee',
  aliases: ['Feebill/PostTemporaryFee'],
  title: '新增临时费用',
  needs: permissions.temporary,
  affects: affectedEntities,
  output: shape(madeFields),
  input: shape({
    projectCode: estateField<true>(),
    feeItemId: idOf('收费项目', { required: true, min: 1, wire: 'FeeItemID' }),
    amount: money('金额', { required: true, min: 1, max: 9_999_999_999 }),
    sources: lines(
      '收费对象',
      {
        sourceType: choice('对象类型', sourceType, { required: true, initial: 'room' }),
        sourceCode: text('对象编码', { required: true, max: 40 }),
      },
      { required: true, max: 2000, wire: 'Sources' },
    ),
    beginDate: day('账期起'),
    endDate: day('账期止'),
    dueDate: day('应缴日期'),
    remark: text('备注', { max: 200 }),
  }),
})

/**
 * Generates the next N periods of relations at today's prices and opens a pay order for them; the bills go
 * again when it ends unpaid (TMP-2). Relations that cannot be prepaid are reported.
 */
export const addPreFee = call({
  route: 'POST finance/v1/FeeBill/AddPreFee',
  aliases: ['Feebill/PostPreFee'],
  title: '生成预缴账单',
  needs: permissions.prepay,
  affects: affectedEntities,
  input: shape({
    relationIds: list('收费关联', {
      required: true,
      max: 200,
      rule: idRule,
      wire: ['RelationIDs', 'RelationID'],
    }),
    count: int('周期数', { required: true, min: 1, max: 36, wire: ['Count', 'PeriodCount'] }),
  }),
  output: shape({
    ...madeFields,
    orderNo: text('支付单', { required: true, wire: 'OrderId' }),
    skipped: lines(
      '未生成的',
      {
        relationId: idOf('关联', { required: true, wire: 'RelationID' }),
        sourceName: text('收费对象', { required: true }),
        reason: choice('原因', skipReason, { required: true }),
        detail: text('说明'),
      },
      { required: true, wire: 'Left' },
    ),
  }),
})

/**
 * What may be paid ahead for an object: its cyclic relations, each with its next periods and what they come
 * to.
 */
export const listPrepayable = call({
  route: 'GET Feebill/GetPreFee',
  title: '可预缴的收费',
  needs: permissions.prepay,
  input: shape({
    projectCode: estateField<false>({ required: false }),
    sourceType: choice('对象类型', sourceType, { required: true }),
    sourceCode: text('对象编码', { required: true, max: 40 }),
    count: int('周期数', { min: 1, max: 36, initial: 1 }),
  }),
  output: listOfRows({
    relationId: idOf('关联', { required: true, wire: 'RelationID' }),
    itemName: text('收费项目', { required: true }),
    standardName: text('收费标准', { required: true }),
    cycleType: choice('账期方式', cycleType, { required: true }),
    cycleMonths: int('周期月数', { required: true }),
    billedTo: day('计费截至'),
    periods: lines(
      '账期',
      {
        begin: day('起', { required: true }),
        end: day('止', { required: true }),
        amount: money('金额', { required: true }),
        sentence: text('计算依据', { required: true }),
      },
      { required: true },
    ),
    amount: money('合计', { required: true }),
    reason: choice('不能预缴的原因', skipReason),
    detail: text('说明'),
  }),
})

/** Items that may be billed by hand in an estate (TMP-1). */
export const listTempItems = call({
  route: 'GET Feebill/GetTempItems',
  title: '可手工开单的收费项目',
  needs: permissions.temporary,
  input: shape({}),
  output: listOfRows({
    id: idOf('编号', { required: true, wire: 'ID' }),
    name: text('名称', { required: true }),
    feeType: choice('费用类型', feeType, { required: true }),
  }),
})
