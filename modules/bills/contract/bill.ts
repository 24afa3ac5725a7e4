import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  day,
  decimal,
  flag,
  idOf,
  int,
  keyRef,
  lines,
  list,
  moment,
  money,
  month,
  part,
  ref,
  text,
} from '#kit/contract/field.ts'
import { idRule } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import {
  feeType,
  formulaType,
  payerSide,
  prorateMode,
  roundType,
  roundUnit,
  skipReason,
  sourceType,
  periodAfter,
} from '#modules/fees/contract/choices.ts'
import {
  adjustType,
  billSource,
  billState,
  invoiceState,
  payState,
  refundState,
  runKind,
  runState,
} from './choices.ts'

const hiddenInList = { hiddenIn: ['table', 'filter'] } as const
const internalOnly = { immutable: true, hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const

const namedValueField = text('值')

/**
 * How an amount was computed; `modules/fees/domain/snapshot.ts` reads it (FEE-8). Values are keyed by the
 * name of the variable.
 */
export const snapshotFields = {
  type: choice('公式类型', formulaType, { required: true }),
  mode: choice('折算', prorateMode),
  unit: text('单位'),
  parts: lines(
    '各段',
    {
      begin: day('起', { required: true }),
      end: day('止', { required: true }),
      version: int('价格版本', { required: true }),
      formula: text('公式', { required: true }),
      values: part('变量', {} as Record<string, typeof namedValueField>, { required: true }),
      days: int('天数'),
      factor: text('月数'),
      extra: text('附加费'),
      extraFactor: text('附加费月数'),
    },
    { required: true },
  ),
  share: part('公摊', {
    pool: int('公摊池', { required: true }),
    total: int('总额', { required: true }),
    weight: text('权重', { required: true }),
    weights: text('权重合计', { required: true }),
    odd: int('尾差', { required: true }),
    unit: text('单位', { required: true }),
  }),
  least: int('最低'),
  most: int('最高'),
  exact: text('舍入前', { required: true }),
  rounding: part('舍入', {
    type: choice('舍入', roundType, { required: true }),
    unit: choice('精度', roundUnit, { required: true }),
  }),
  amount: int('金额', { required: true }),
}

/** One receivable of one object, fee item and period (C3.1). */
export const bill = entity(
  'bill',
  '账单',
  { table: 'bill', tenancy: 'project', title: 'billNo', order: ['dueDate', 'id'] },
  {
    projectCode: estateField(),
    billNo: text('账单号', { required: true, max: 30, immutable: true, searchable: true }),
    sourceType: choice('对象类型', sourceType, { required: true, immutable: true }),
    sourceCode: text('对象编码', { required: true, max: 40, immutable: true, hiddenIn: ['table'] }),
    sourceName: text('收费对象', { required: true, max: 100, immutable: true, searchable: true }),
    buildCode: keyRef('楼栋', 'building', {
      dataDomain: 'building',
      wire: 'Buildcode',
      immutable: true,
      hiddenIn: ['table', 'form', 'detail'],
    }),
    payerKind: choice('缴费人类别', payerSide, { ...hiddenInList }),
    payerId: idOf('缴费人', { min: 1, wire: 'PayerID', hiddenIn: ['table', 'filter', 'detail'] }),
    payerName: text('缴费人', { max: 80, searchable: true, immutable: true }),
    payerMobile: text('电话', { max: 20, masked: 'mobile', immutable: true, hiddenIn: ['filter'] }),
    feeItemId: ref('收费项目', 'feeItem', {
      required: true,
      immutable: true,
      wire: 'FeeItemID',
      hiddenIn: ['table', 'detail'],
    }),
    feeItemName: text('收费项目', { required: true, max: 40, immutable: true, hiddenIn: ['form', 'filter'] }),
    standardId: ref('收费标准', 'feeStandard', { immutable: true, wire: 'StandardID', hiddenIn: ['table'] }),
    relationId: ref('收费关联', 'feeRelation', {
      immutable: true,
      wire: 'RelationID',
      hiddenIn: ['table', 'form', 'filter', 'detail'],
    }),
    feeType: choice('费用类型', feeType, { required: true, immutable: true }),
    beginDate: day('账期起', { required: true, immutable: true }),
    endDate: day('账期止', { required: true, immutable: true }),
    belongMonth: month('所属月份', { required: true, immutable: true }),
    qty: decimal('数量', { immutable: true, help: '面积、数量或用量' }),
    price: decimal('单价', { scale: 6, immutable: true }),
    lastNum: decimal('上期读数', { immutable: true, ...hiddenInList }),
    curNum: decimal('本期读数', { immutable: true, ...hiddenInList }),
    multiple: decimal('倍率', { immutable: true, ...hiddenInList }),
    calcSnapshot: part('计算快照', snapshotFields, internalOnly),
    amount: money('原始金额', { required: true, min: 0, max: 9_999_999_999 }),
    discountAmount: money('减免', { required: true, initial: 0, immutable: true }),
    receivable: money('应收', { required: true, immutable: true }),
    paidPrincipal: money('已收本金', { required: true, initial: 0, immutable: true }),
    unpaidPrincipal: money('未收本金', { required: true, immutable: true }),
    dueDate: day('应缴日期', { required: true }),
    lateFeeDue: money('应计违约金', { required: true, initial: 0, immutable: true }),
    lateFeePaid: money('已收违约金', { required: true, initial: 0, immutable: true }),
    lateFeeWaived: money('减免违约金', { required: true, initial: 0, immutable: true }),
    lateFeeManual: flag('人工违约金', { required: true, initial: false, immutable: true, ...hiddenInList }),
    lateFeeUnpaid: money('未收违约金', { required: true, immutable: true }),
    unpaid: money('未缴', { required: true, immutable: true }),
    lateDay: day('违约金算至', { immutable: true, ...hiddenInList }),
    overdueDays: int('逾期天数', { derived: true, hiddenIn: ['form', 'filter'] }),
    state: choice('账单状态', billState, {
      required: true,
      initial: 'normal',
      immutable: true,
      struckOut: ['abolished', 'split'],
    }),
    payState: choice('缴费状态', payState, { required: true, initial: 'unpaid', immutable: true }),
    lockOrderId: idOf('锁定订单', { ...internalOnly, wire: 'LockOrderID' }),
    lockUntil: moment('锁定至', internalOnly),
    paying: flag('支付中', { derived: true, wire: 'LockState', hiddenIn: ['form', 'filter', 'sheet'] }),
    refundState: choice('退款', refundState, { required: true, initial: 'none', immutable: true }),
    invoiceState: choice('开票', invoiceState, { required: true, initial: 'none', immutable: true }),
    invoicedAmount: money('已开票金额', { required: true, initial: 0, immutable: true, ...hiddenInList }),
    billSource: choice('来源', billSource, { required: true, immutable: true }),
    isPre: flag('预缴', { required: true, initial: false, immutable: true }),
    batchNo: text('批次', { max: 30, immutable: true }),
    parentId: ref('拆分自', 'bill', { immutable: true, wire: 'ParentID', ...hiddenInList }),
    replacesBillId: ref('替换', 'bill', { immutable: true, wire: 'ReplacesBillID', ...hiddenInList }),
    refType: text('业务来源', { max: 30, ...internalOnly }),
    refId: idOf('业务编号', { ...internalOnly, wire: 'RefID' }),
    disputed: flag('有争议', { required: true, initial: false, hiddenIn: ['table'] }),
    promiseDate: day('承诺缴费日', { hiddenIn: ['table'] }),
    lastUrgeTime: moment('最近催缴', { immutable: true, hiddenIn: ['form'] }),
    urgeCount: int('催缴次数', { required: true, initial: 0, immutable: true, hiddenIn: ['form'] }),
    payTime: moment('缴清时间', { immutable: true, hiddenIn: ['form'] }),
    abolishTime: moment('作废时间', { immutable: true, hiddenIn: ['table', 'form'] }),
    abolishBy: int('作废人', internalOnly),
    abolishReason: text('作废原因', { max: 200, immutable: true, hiddenIn: ['table', 'form', 'filter'] }),
    periodAfter: choice('账期处理', periodAfter, { immutable: true, hiddenIn: ['table', 'form', 'filter'] }),
    remark: text('备注', { max: 200, hiddenIn: ['filter'] }),
  },
)

export type Bill = Row<typeof bill>

/** Discounts, late fee adjustments, changed amounts and payers, with old and new values and the reason. */
export const billAdjust = entity(
  'billAdjust',
  '账单调整',
  { table: 'bill_adjust', tenancy: 'company', title: 'adjustType', order: ['-id'] },
  {
    billId: ref('账单', 'bill', { required: true, wire: 'BillID', hiddenIn: ['table'] }),
    adjustType: choice('类型', adjustType, { required: true }),
    oldValue: text('原值', { max: 60, searchable: true }),
    newValue: text('新值', { max: 60, searchable: true }),
    amount: money('影响金额', { required: true }),
    reason: text('原因', { max: 200, searchable: true }),
  },
)

export type BillAdjust = Row<typeof billAdjust>

/** What a run skipped, with the first fifty of each reason (GEN-6). */
export const skipSampleFields = {
  relationId: idOf('关联', { required: true, wire: 'RelationID' }),
  sourceType: choice('对象类型', sourceType, { required: true }),
  sourceCode: text('对象编码', { required: true }),
  sourceName: text('收费对象', { required: true }),
  itemName: text('收费项目', { required: true }),
  begin: day('起'),
  end: day('止'),
  detail: text('说明'),
}

export const skipCountFields = {
  reason: choice('原因', skipReason, { required: true }),
  count: int('数量', { required: true }),
  samples: lines('样例', skipSampleFields, { required: true }),
}

/** A gap is named by its relation and its first day. */
export const gapKeyRule = {
  name: 'gapKey',
  test: (key: string): string | undefined =>
    /^\d{1,15}\/\d{4}-\d\d-\d\d$/.test(key) ? undefined : '账期有误，请刷新后重新选择',
}

/** The scope of a run; a missing field means everything. */
export const runScopeFields = {
  standardIds: list('收费标准', { max: 500, rule: idRule, wire: 'StandardIDs' }),
  buildCodes: list('楼栋', { max: 500, wire: 'Buildcodes' }),
  sourceType: choice('对象类型', sourceType),
  sourceCodes: list('收费对象', { max: 2000, wire: 'SourceCodes' }),
  excluded: list('排除的关联', { max: 20_000, rule: idRule, wire: 'Excluded' }),
  excludeReason: text('排除原因', { max: 200 }),
  /** Gaps to bill, `relation/first day`; without it those that were abolished to be billed again (GEN-3). */
  gaps: list('补出的中间账期', { max: 20_000, rule: gapKeyRule, wire: 'Gaps' }),
}

/** A batch of bills: a run, an import or a shared pool (GEN-6, GEN-7, GEN-9). */
export const billRun = entity(
  'billRun',
  '出账批次',
  { table: 'bill_run', tenancy: 'project', title: 'batchNo', order: ['-id'] },
  {
    projectCode: estateField(),
    batchNo: text('批次', { required: true, max: 30, searchable: true }),
    kind: choice('方式', runKind, { required: true }),
    month: month('月份'),
    scope: part('范围', runScopeFields, { required: true, hiddenIn: ['table', 'filter'] }),
    total: int('关联数', { required: true, initial: 0, hiddenIn: ['filter'] }),
    done: int('已处理', { required: true, initial: 0, hiddenIn: ['filter'] }),
    afterId: idOf('处理到', { required: true, initial: 0, ...internalOnly }),
    made: int('账单数', { required: true, initial: 0, hiddenIn: ['filter'] }),
    amount: money('金额', { required: true, initial: 0 }),
    behind: int('未补完', { required: true, initial: 0, ...hiddenInList }),
    skips: lines('跳过', skipCountFields, hiddenInList),
    taskId: idOf('任务', { wire: 'TaskID', ...internalOnly }),
    state: choice('状态', runState, { required: true, initial: 'waiting', struckOut: ['undone'] }),
    message: text('说明', { max: 500, hiddenIn: ['filter'] }),
    endTime: moment('完成时间', { hiddenIn: ['filter'] }),
  },
)

export type BillRun = Row<typeof billRun>
