import { call } from '#kit/contract/call.ts'
import { int, lines, list, money, month, text, choice, type ValueOf } from '#kit/contract/field.ts'
import { idRule, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { skipReason } from '#modules/fees/contract/choices.ts'
import { menu } from '../module.ts'

const scopeFields = {
  projectCode: estateField<true>(),
  month: month('月份'),
  readingIds: list('抄表记录', { max: 5000, rule: idRule, wire: ['ReadingIDs', 'Ids'] }),
  meterIds: list('仪表', { max: 5000, rule: idRule, wire: 'MeterIDs' }),
}

const madeFields = {
  batchNo: text('批次'),
  count: int('张数', { required: true }),
  amount: money('金额', { required: true }),
  skipped: lines(
    '未出账的',
    {
      sourceName: text('收费对象', { required: true }),
      reason: choice('原因', skipReason, { required: true }),
      detail: text('说明'),
    },
    { required: true, wire: 'Left' },
  ),
}

const affectedEntities = ['bill', 'billRun', 'feeRelation', 'meterReading']

/**
 * Bills unbilled readings: chosen ones, those of chosen meters, or those of a month; 5,000 at most, and never
 * without any of the three. Those that cannot be billed are reported with the reason (MTR-9).
 */
export const generateMeterBills = call({
  route: 'POST Feebill/PostMeterFeeBatch',
  title: '抄表出账',
  needs: menu.bill.permissions.generate,
  affects: affectedEntities,
  input: shape(scopeFields),
  output: shape(madeFields),
})

/** For smart meters only. */
export const generateSmartMeterBills = call({
  route: 'POST SmartMeter/PostGenerateFee',
  title: '智能表出账',
  needs: menu.bill.permissions.generate,
  affects: affectedEntities,
  input: shape(scopeFields),
  output: shape(madeFields),
})

export type MeterBillScope = ValueOf<typeof scopeFields>
export type MadeMeterBills = ValueOf<typeof madeFields>
