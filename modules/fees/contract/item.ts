import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, day, decimal, flag, int, lines, money, text } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { inUse } from '#modules/estates/contract/estate.ts'
import { billMode, capMode, feeType, graceMode, incomeKind, itemCategory, scene } from './choices.ts'

const aside = { notIn: ['table', 'filter'] } as const
/** A rate per day from a day on; one without a day holds before all (LATE-14). */
export const lateRate = { from: day('起'), rate: decimal('日费率', { required: true, scale: 8, min: 0, max: 1 }) }

/** What is charged (FEE-1). */
export const feeItem = entity('feeItem', '收费项目', { table: 'fee_item', reach: 'company', title: 'name', order: ['sort', 'code'] }, {
  code: text('编码', { required: true, max: 20, rule: rules.lettersDigits, fixed: true, sought: true, wire: 'ItemCode' }),
  name: text('名称', { required: true, max: 40, sought: true, wire: 'ItemName', synonyms: ['收费项目', '费用名称', '项目名称'] }),
  feeType: choice('费用类型', feeType, { required: true, fixed: true }),
  category: choice('大类', itemCategory, { required: true, initial: 'property' }),
  incomeKind: choice('收入性质', incomeKind, { required: true, initial: 'own' }),
  inRate: flag('计入收缴率', { required: true, initial: true }),
  billMode: choice('出账方式', billMode, { required: true, initial: 'auto' }),
  scene: choice('适用场景', scene, { required: true, initial: 'roomShop' }),
  allowMulti: flag('允许同一对象多个标准', { required: true, initial: false, ...aside }),
  allowOnline: flag('允许线上缴', { required: true, initial: true }),
  autoDeduct: flag('允许预存抵扣', { required: true, initial: true }),
  principalSettles: flag('本金缴清即结清', { required: true, initial: false, ...aside }),
  taxRate: decimal('税率', { scale: 8, min: 0, max: 1, ...aside }),
  invoiceGoodId: int('开票商品', { min: 1, wire: 'InvoiceGoodID', notIn: ['table', 'form', 'filter', 'detail', 'sheet'] }),
  lateFeeSwitch: flag('启用违约金', { required: true, initial: false }),
  lateRates: lines('日费率', lateRate, { max: 20, ...aside }),
  graceDays: int('宽限天数', { min: 0, max: 365, ...aside }),
  graceMode: choice('宽限方式', graceMode, aside),
  lateFeeCapMode: choice('违约金封顶', capMode, aside),
  lateFeeCapValue: decimal('封顶值', { min: 0, ...aside }),
  lateFeeMinPrincipal: money('起算本金', { min: 0, ...aside }),
  lateFeeMinAmount: money('最低违约金', { min: 0, ...aside }),
  lateFeeBeginDate: day('违约金起算日期', aside),
  sort: int('冲抵顺序', { min: 0, max: 9999, notIn: ['filter'] }),
  remark: text('备注', { max: 200, ...aside }),
  state: choice('状态', inUse, { required: true, initial: 'on' }),
})
export type FeeItem = Row<typeof feeItem>
