import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, decimal, flag, lookup, money, month, ref, text, systemChoice } from '#kit/contract/field.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { weightType } from '#modules/fees/contract/choices.ts'
import { poolState } from './choices.ts'

/** A common cost of a month (C2.7). */
export const sharePool = entity(
  'sharePool',
  '公摊池',
  { table: 'share_pool', tenancy: 'project', title: 'name', order: ['-month', 'name'] },
  {
    projectCode: estateField(),
    name: text('名称', { required: true, max: 60, searchable: true, wire: 'PoolName' }),
    standardId: ref('公摊标准', 'feeStandard', {
      required: true,
      immutable: true,
      wire: 'StandardID',
      hiddenIn: ['table'],
    }),
    standardName: lookup('公摊标准', 'standardId', 'name', { wire: 'StandardName' }),
    feeItemId: ref('收费项目', 'feeItem', {
      required: true,
      immutable: true,
      wire: 'FeeItemID',
      hiddenIn: ['table', 'form'],
    }),
    feeItemName: lookup('收费项目', 'feeItemId', 'name', { wire: 'FeeItemName' }),
    month: month('月份', { required: true, immutable: true }),
    weightType: choice('分摊方式', weightType, { required: true, initial: 'area' }),
    totalUsage: decimal('总量', { min: 0 }),
    price: decimal('单价', { scale: 6, min: 0, hiddenIn: ['table'] }),
    totalAmount: money('总额', { min: 0, max: 9_999_999_999 }),
    vacantIncluded: flag('含空置', { required: true, initial: true, hiddenIn: ['table'] }),
    dayWeight: flag('按天加权', { required: true, initial: false, hiddenIn: ['table'] }),
    batchNo: text('批次', { max: 30, immutable: true, hiddenIn: ['form'] }),
    correctsId: ref('更正的公摊', 'sharePool', {
      immutable: true,
      wire: 'CorrectsID',
      hiddenIn: ['table', 'form', 'filter'],
    }),
    remark: text('备注', { max: 200, hiddenIn: ['table', 'filter'] }),
    state: systemChoice('状态', poolState, 'open', { struckOut: ['abolished'] }),
  },
)

export type SharePool = Row<typeof sharePool>
