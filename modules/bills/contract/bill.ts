import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  day,
  decimal,
  flag,
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
import { ids } from '#kit/contract/shape.ts'
import { estateOf } from '#modules/estates/contract/estate.ts'
import {
  feeType,
  formulaType,
  payerSide,
  prorateMode,
  roundType,
  roundUnit,
  skipReason,
  sourceType,
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

const aside = { notIn: ['table', 'filter'] } as const
const inside = { fixed: true, notIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const

const namedText = text('值')

/**
 * How an amount came about; `modules/fees/domain/snapshot.ts` reads it (FEE-8). Values go by the variable's
 * name.
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
      values: part('变量', {} as Record<string, typeof namedText>, { required: true }),
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

/** One receivable for one object, one item, one period (C3.1). */
export const bill = entity(
  'bill',
  '账单',
  { table: 'bill', reach: 'project', title: 'billNo', order: ['dueDate', 'id'] },
  {
    projectCode: estateOf(),
    billNo: text('账单号', { required: true, max: 30, fixed: true, sought: true }),
    sourceType: choice('对象类型', sourceType, { required: true, fixed: true }),
    sourceCode: text('对象编码', { required: true, max: 40, fixed: true, notIn: ['table'] }),
    sourceName: text('收费对象', { required: true, max: 100, fixed: true, sought: true }),
    buildCode: keyRef('楼栋', 'building', {
      within: 'building',
      wire: 'Buildcode',
      fixed: true,
      notIn: ['table', 'form', 'detail'],
    }),
    payerKind: choice('缴费人类别', payerSide, { ...aside }),
    payerId: int('缴费人', { min: 1, wire: 'PayerID', notIn: ['table', 'filter', 'detail'] }),
    payerName: text('缴费人', { max: 80, sought: true, fixed: true }),
    payerMobile: text('电话', { max: 20, masked: 'mobile', fixed: true, notIn: ['filter'] }),
    feeItemId: ref('收费项目', 'feeItem', {
      required: true,
      fixed: true,
      wire: 'FeeItemID',
      notIn: ['table', 'detail'],
    }),
    feeItemName: text('收费项目', { required: true, max: 40, fixed: true, notIn: ['form', 'filter'] }),
    standardId: ref('收费标准', 'feeStandard', { fixed: true, wire: 'StandardID', notIn: ['table'] }),
    relationId: ref('收费关联', 'feeRelation', {
      fixed: true,
      wire: 'RelationID',
      notIn: ['table', 'form', 'filter', 'detail'],
    }),
    feeType: choice('费用类型', feeType, { required: true, fixed: true }),
    beginDate: day('账期起', { required: true, fixed: true }),
    endDate: day('账期止', { required: true, fixed: true }),
    belongMonth: month('所属月份', { required: true, fixed: true }),
    qty: decimal('数量', { fixed: true, help: '面积、数量或用量' }),
    price: decimal('单价', { scale: 6, fixed: true }),
    lastNum: decimal('上期读数', { fixed: true, ...aside }),
    curNum: decimal('本期读数', { fixed: true, ...aside }),
    multiple: decimal('倍率', { fixed: true, ...aside }),
    calcSnapshot: part('计算快照', snapshotFields, inside),
    amount: money('原始金额', { required: true, min: 0, max: 9_999_999_999 }),
    discountAmount: money('减免', { required: true, initial: 0, fixed: true }),
    receivable: money('应收', { required: true, fixed: true }),
    paidPrincipal: money('已收本金', { required: true, initial: 0, fixed: true }),
    unpaidPrincipal: money('未收本金', { required: true, fixed: true }),
    dueDate: day('应缴日期', { required: true }),
    lateFeeDue: money('应计违约金', { required: true, initial: 0, fixed: true }),
    lateFeePaid: money('已收违约金', { required: true, initial: 0, fixed: true }),
    lateFeeWaived: money('减免违约金', { required: true, initial: 0, fixed: true }),
    lateFeeManual: flag('人工违约金', { required: true, initial: false, fixed: true, ...aside }),
    lateFeeUnpaid: money('未收违约金', { required: true, fixed: true }),
    unpaid: money('未缴', { required: true, fixed: true }),
    lateDay: day('违约金算至', { fixed: true, ...aside }),
    overdueDays: int('逾期天数', { derived: true, notIn: ['form', 'filter'] }),
    state: choice('账单状态', billState, { required: true, initial: 'normal', fixed: true }),
    payState: choice('缴费状态', payState, { required: true, initial: 'unpaid', fixed: true }),
    lockOrderId: int('锁定订单', { ...inside, wire: 'LockOrderID' }),
    lockUntil: moment('锁定至', inside),
    paying: flag('支付中', { derived: true, wire: 'LockState', notIn: ['form', 'filter', 'sheet'] }),
    refundState: choice('退款', refundState, { required: true, initial: 'none', fixed: true }),
    invoiceState: choice('开票', invoiceState, { required: true, initial: 'none', fixed: true }),
    invoicedAmount: money('已开票金额', { required: true, initial: 0, fixed: true, ...aside }),
    billSource: choice('来源', billSource, { required: true, fixed: true }),
    isPre: flag('预缴', { required: true, initial: false, fixed: true }),
    batchNo: text('批次', { max: 30, fixed: true }),
    parentId: ref('拆分自', 'bill', { fixed: true, wire: 'ParentID', ...aside }),
    replacesBillId: ref('替换', 'bill', { fixed: true, wire: 'ReplacesBillID', ...aside }),
    refType: text('业务来源', { max: 30, ...inside }),
    refId: int('业务编号', { ...inside, wire: 'RefID' }),
    disputed: flag('有争议', { required: true, initial: false, notIn: ['table'] }),
    promiseDate: day('承诺缴费日', { notIn: ['table'] }),
    lastUrgeTime: moment('最近催缴', { fixed: true, notIn: ['form'] }),
    urgeCount: int('催缴次数', { required: true, initial: 0, fixed: true, notIn: ['form'] }),
    payTime: moment('缴清时间', { fixed: true, notIn: ['form'] }),
    abolishTime: moment('作废时间', { fixed: true, notIn: ['table', 'form'] }),
    abolishBy: int('作废人', inside),
    abolishReason: text('作废原因', { max: 200, fixed: true, notIn: ['table', 'form', 'filter'] }),
    remark: text('备注', { max: 200, notIn: ['filter'] }),
  },
)

export type Bill = Row<typeof bill>

/** Discounts, late-fee corrections, amounts and payers changed: what was, what is, why. */
export const billAdjust = entity(
  'billAdjust',
  '账单调整',
  { table: 'bill_adjust', reach: 'company', title: 'adjustType', order: ['-id'] },
  {
    billId: ref('账单', 'bill', { required: true, wire: 'BillID', notIn: ['table'] }),
    adjustType: choice('类型', adjustType, { required: true }),
    oldValue: text('原值', { max: 60 }),
    newValue: text('新值', { max: 60 }),
    amount: money('影响金额', { required: true }),
    reason: text('原因', { max: 200 }),
  },
)

export type BillAdjust = Row<typeof billAdjust>

/** What a run did not bill: the first fifty of each reason (GEN-6). */
export const skipSample = {
  relationId: int('关联', { required: true, wire: 'RelationID' }),
  sourceType: choice('对象类型', sourceType, { required: true }),
  sourceCode: text('对象编码', { required: true }),
  sourceName: text('收费对象', { required: true }),
  itemName: text('收费项目', { required: true }),
  begin: day('起'),
  end: day('止'),
  detail: text('说明'),
}

export const skipCount = {
  reason: choice('原因', skipReason, { required: true }),
  count: int('数量', { required: true }),
  samples: lines('样例', skipSample, { required: true }),
}

/** What a run was asked; what is left out is everything. */
export const runScope = {
  standardIds: list('收费标准', { max: 500, rule: ids, wire: 'StandardIDs' }),
  buildCodes: list('楼栋', { max: 500, wire: 'Buildcodes' }),
  sourceType: choice('对象类型', sourceType),
  sourceCodes: list('对象', { max: 2000, wire: 'SourceCodes' }),
  excluded: list('排除的关联', { max: 20_000, rule: ids, wire: 'Excluded' }),
  excludeReason: text('排除原因', { max: 200 }),
}

/** A batch: a run of the generator, an import, a share (GEN-6, GEN-7, GEN-9). */
export const billRun = entity(
  'billRun',
  '出账批次',
  { table: 'bill_run', reach: 'project', title: 'batchNo', order: ['-id'] },
  {
    projectCode: estateOf(),
    batchNo: text('批次', { required: true, max: 30, sought: true }),
    kind: choice('方式', runKind, { required: true }),
    month: month('月份'),
    scope: part('范围', runScope, { required: true, notIn: ['table', 'filter'] }),
    total: int('关联数', { required: true, initial: 0, notIn: ['filter'] }),
    done: int('已处理', { required: true, initial: 0, notIn: ['filter'] }),
    afterId: int('处理到', { required: true, initial: 0, ...inside }),
    made: int('账单数', { required: true, initial: 0, notIn: ['filter'] }),
    amount: money('金额', { required: true, initial: 0 }),
    behind: int('未补完', { required: true, initial: 0, ...aside }),
    skips: lines('跳过', skipCount, aside),
    taskId: int('任务', { wire: 'TaskID', ...inside }),
    state: choice('状态', runState, { required: true, initial: 'waiting' }),
    message: text('说明', { max: 500, notIn: ['filter'] }),
    endTime: moment('完成时间', { notIn: ['filter'] }),
  },
)

export type BillRun = Row<typeof billRun>
