import { call } from '#kit/contract/call.ts'
import { choice, day, flag, idOf, int, list, money, text, type ValueOf } from '#kit/contract/field.ts'
import { bulkResult, extendShape, listOfRows, shape, reasonField } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { periodAfter, sourceType } from '#modules/fees/contract/choices.ts'
import { menu } from '../module.ts'
import { gapKeyRule } from './bill.ts'

/** A free period in the middle of what a relation is billed for (GEN-3). */
export const gapFields = {
  /** `relation/first day`: what a run is asked to bill. */
  key: text('标识', { required: true, wire: 'GapKey' }),
  relationId: idOf('关联', { required: true, wire: 'RelationID' }),
  projectCode: text('项目', { required: true }),
  sourceType: choice('对象类型', sourceType, { required: true }),
  sourceCode: text('对象编码', { required: true }),
  sourceName: text('收费对象', { required: true }),
  itemName: text('收费项目', { required: true }),
  standardName: text('收费标准', { required: true }),
  payerName: text('缴费人'),
  begin: day('账期起', { required: true }),
  end: day('账期止', { required: true }),
  amount: money('金额', { required: true }),
  periodAfter: choice('账期处理', periodAfter),
  /** Which bill left the period, when and why. */
  cause: text('漏账原因', { required: true }),
  /** Why it cannot be billed now. */
  refusal: text('不能出账的原因'),
  isBilled: flag('勾选', { required: true, wire: 'Ticked' }),
}

export type Gap = ValueOf<typeof gapFields>

/** Listed at once; more are listed once these are dealt with. */
export const gapLimit = 500

const { permissions } = menu.bill
const affects = ['billRun', 'bill', 'feeRelation', 'gap']

/** GEN-3: periods that no operation bills automatically. Those that were given up are not among them. */
export const listGaps = call({
  route: 'GET Feebill/GetGaps',
  title: '漏账检查',
  needs: permissions.view,
  input: shape({ projectCode: estateField<true>() }),
  output: listOfRows(gapFields, { entity: 'gap' }),
})

const gapKeys = list('账期', { required: true, max: gapLimit, rule: gapKeyRule, wire: 'Gaps' })

export const billGaps = call({
  route: 'POST Feebill/PostGaps',
  title: '补出漏账',
  needs: permissions.generate,
  input: shape({ projectCode: estateField<true>(), keys: gapKeys }),
  output: extendShape(bulkResult, {
    batchNo: text('批次'),
    made: int('账单数', { required: true }),
    amount: money('金额', { required: true }),
  }),
  affects,
})

export const markGaps = call({
  route: 'POST Feebill/PostGapMark',
  title: '标记漏账',
  needs: permissions.abolish,
  input: shape({
    projectCode: estateField<true>(),
    keys: gapKeys,
    periodAfter: choice('账期处理', periodAfter, { required: true }),
    reason: reasonField,
  }),
  output: bulkResult,
  affects,
})
