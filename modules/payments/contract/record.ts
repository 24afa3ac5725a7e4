import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, day, flag, idOf, int, keyRef, lines, moment, money, ref, text } from '#kit/contract/field.ts'
import { byId, noData, pageOf, pageOfRows, search, shape, byIdWithReason } from '#kit/contract/shape.ts'
import { inParts } from '#kit/contract/list-parts.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { payerSide, sourceType } from '#modules/fees/contract/choices.ts'
import { menu } from '../module.ts'
import { payMethod, recordState, recordType } from './choices.ts'

const hiddenInList = { hiddenIn: ['table', 'filter'] } as const
/** Details of the receipt; lists, sums and sheets say 实收 alone (C27-9). */
const receiptOnly = { hiddenIn: ['table', 'filter', 'sheet'] } as const

/** One way of paying and how much of it. */
export const methodLine = {
  method: choice('支付方式', payMethod, { required: true }),
  amount: money('金额', { required: true }),
}

/** A payment, a refund (negative, on its own day: REF-5), a top-up, a deposit or a deduction. */
export const payRecord = entity(
  'payRecord',
  '收款记录',
  { table: 'pay_record', tenancy: 'project', title: 'recordNo', order: ['-payTime', '-id'] },
  {
    projectCode: estateField(),
    recordNo: text('流水号', { required: true, max: 30, searchable: true }),
    recordType: choice('类型', recordType, { required: true }),
    receiptNo: text('收据号', { max: 30, searchable: true }),
    sourceName: text('收费对象', { required: true, max: 100, searchable: true }),
    buildCode: keyRef('楼栋', 'building', {
      dataDomain: 'building',
      wire: 'Buildcode',
      hiddenIn: ['table', 'form', 'detail'],
    }),
    payerKind: choice('缴费人类别', payerSide, hiddenInList),
    payerId: idOf('缴费人', { wire: 'PayerID', hiddenIn: ['table', 'filter', 'detail'] }),
    payerName: text('缴费人', { max: 80, searchable: true }),
    principalAmount: money('本金', { required: true, initial: 0 }),
    lateFeeAmount: money('违约金', { required: true, initial: 0 }),
    roundOff: money('抹零', { required: true, initial: 0 }),
    couponAmount: money('优惠券', { required: true, initial: 0 }),
    prestoreAmount: money('预存抵扣', { required: true, initial: 0 }),
    tenderedAmount: money('收到', { required: true, ...receiptOnly }),
    receivedAmount: money('实收', { required: true }),
    changeAmount: money('找零', { required: true, initial: 0, ...receiptOnly }),
    toPrestore: money('转预存', { required: true, initial: 0 }),
    payMethod: choice('支付方式', payMethod, { required: true }),
    methods: lines('支付组合', methodLine, { required: true, wire: 'MethodJson', ...hiddenInList }),
    payOrderId: idOf('支付单', { wire: 'PayOrderID', hiddenIn: ['table', 'filter', 'detail'] }),
    payTime: moment('缴费时间', { required: true }),
    payDay: day('缴费日期', { required: true, hiddenIn: ['table', 'detail'] }),
    cashierId: ref('收费员', 'manager', { wire: 'CashierID', hiddenIn: ['table', 'detail'] }),
    cashierName: text('收费员', { max: 40, hiddenIn: ['filter'] }),
    refundedAmount: money('已退', { required: true, initial: 0 }),
    refundingAmount: money('退款中', { required: true, initial: 0, ...hiddenInList }),
    invoicedAmount: money('已开票', { required: true, initial: 0 }),
    incomeAmount: money('押金转收入', { required: true, initial: 0, ...hiddenInList }),
    incomeTime: moment('转收入时间', { ...hiddenInList, help: '押金转收入或扣款的时间，从此可以开票' }),
    originRecordId: ref('原记录', 'payRecord', { wire: 'OriginRecordID', ...hiddenInList }),
    handoverId: idOf('交账单', { wire: 'HandoverID', hiddenIn: ['table', 'filter', 'detail'] }),
    dayClosed: flag('已日结', { derived: true, hiddenIn: ['form', 'filter'] }),
    isHistory: flag('历史导入', { required: true, initial: false }),
    printCount: int('打印次数', { required: true, initial: 0 }),
    printEditionId: idOf('打印版本', {
      wire: 'PrintEditionID',
      hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'],
    }),
    voidReason: text('作废原因', { max: 200, ...hiddenInList }),
    remark: text('备注', { max: 200, ...hiddenInList }),
    state: choice('状态', recordState, { required: true, initial: 'normal', struckOut: ['voided'] }),
  },
)

export type PayRecord = Row<typeof payRecord>

/** What one bill got of a record. */
export const payDetail = entity(
  'payDetail',
  '缴费明细',
  { table: 'pay_detail', tenancy: 'company', title: 'billNo', order: ['recordId', 'id'] },
  {
    recordId: ref('记录', 'payRecord', { required: true, wire: 'RecordID', hiddenIn: ['table'] }),
    billId: ref('账单', 'bill', { required: true, wire: 'BillID', hiddenIn: ['table'] }),
    billNo: text('账单号', { required: true, max: 30 }),
    sourceType: choice('对象类型', sourceType, { required: true }),
    sourceCode: text('对象编码', { required: true, max: 40, hiddenIn: ['table'] }),
    sourceName: text('收费对象', { required: true, max: 100 }),
    feeItemId: ref('收费项目', 'feeItem', { required: true, wire: 'FeeItemID', hiddenIn: ['table'] }),
    feeItemName: text('收费项目', { required: true, max: 40 }),
    beginDate: day('账期起', { required: true }),
    endDate: day('账期止', { required: true }),
    principal: money('本金', { required: true }),
    lateFee: money('违约金', { required: true }),
    refundedPrincipal: money('已退本金', { required: true, initial: 0 }),
    refundedLateFee: money('已退违约金', { required: true, initial: 0 }),
    invoicedAmount: money('已开票', { required: true, initial: 0 }),
  },
)

export type PayDetail = Row<typeof payDetail>

export const recordFilters = [
  'recordType',
  'payMethod',
  'payTime',
  'payDay',
  'cashierId',
  'buildCode',
  'receivedAmount',
  'isHistory',
  'state',
] as const

const detailFilters = {
  recordId: int('收款记录', { wire: 'RecordID' }),
  roomCode: text('房屋编码', { max: 40, wire: 'SourceCode' }),
  billId: idOf('账单', { wire: 'BillID' }),
  feeItem: int('收费项目', { wire: 'FeeItemID', target: 'feeItem' }),
  offset: flag('含预存或券抵扣', { wire: 'Offset' }),
}

export const recordSums = [
  'principalAmount',
  'lateFeeAmount',
  'receivedAmount',
  'prestoreAmount',
  'couponAmount',
  'toPrestore',
  'refundedAmount',
] as const

const listFilters = {
  ...detailFilters,
  number: text('流水号或收据号', { max: 30, wire: 'Number', help: '整个号码，按索引查找' }),
}

/** The keyword is a number of a record or receipt, a payer or an object. */
export const listRecords = call({
  route: 'GET finance/v1/FeePayRecord/GetList',
  aliases: ['finance/v1/FeePayRecord/Get', 'finance/v1/Feecenter/Get'],
  title: '查询收款记录',
  needs: menu.record.permissions.view,
  input: inParts(search(payRecord, recordFilters, listFilters)),
  output: pageOf(payRecord, { sums: [...recordSums] }),
})

export const summarizeRecords = call({
  route: 'GET finance/v1/FeePayRecord/summary',
  title: '收款汇总',
  needs: menu.record.permissions.view,
  input: search(payRecord, recordFilters, detailFilters),
  output: shape({
    count: int('笔数', { required: true }),
    received: money('实收', { required: true }),
    refunded: money('退款', { required: true }),
    net: money('净收', { required: true }),
    offset: money('预存与券抵扣', { required: true }),
    methods: lines(
      '分方式',
      {
        method: methodLine.method,
        count: int('笔数', { required: true }),
        received: money('实收', { required: true }),
        refunded: money('退款', { required: true }),
      },
      { required: true },
    ),
  }),
})

export const recordWithDetails = {
  ...payRecord.fields,
  details: lines('缴费明细', payDetail.fields, { required: true, wire: 'Details' }),
}

export const getRecord = call({
  route: 'GET finance/v1/FeePayRecord/GetOne',
  title: '查看收款记录',
  needs: menu.record.permissions.view,
  input: byId,
  output: shape(recordWithDetails),
})

/** What was paid for a bill of a deposit item: no principal of anything due (C27-8). */
export const heldDeposit = money('押金', { required: true, initial: 0, wire: 'DepositAmount' })

/** One row per bill and payment: what the trading centre lists. */
export const tradeRow = {
  ...payDetail.fields,
  deposit: heldDeposit,
  recordNo: payRecord.fields.recordNo,
  receiptNo: payRecord.fields.receiptNo,
  payTime: payRecord.fields.payTime,
  payMethod: payRecord.fields.payMethod,
  methods: { ...payRecord.fields.methods, help: '该笔明细各支付方式的金额' },
  payerName: payRecord.fields.payerName,
  cashierName: payRecord.fields.cashierName,
  recordType: payRecord.fields.recordType,
  state: payRecord.fields.state,
}

const derived = <T extends object>(field: T): T & { derived: true } => ({ ...field, derived: true })

/** The same as an entity: a detail with what its record says. No table: kept out of the module's entities. */
export const tradeLine = {
  entity: {
    ...payDetail,
    fields: {
      ...payDetail.fields,
      deposit: derived(heldDeposit),
      recordNo: derived(payRecord.fields.recordNo),
      receiptNo: derived(payRecord.fields.receiptNo),
      payTime: derived(payRecord.fields.payTime),
      payMethod: derived(payRecord.fields.payMethod),
      methods: derived(tradeRow.methods),
      payerName: derived(payRecord.fields.payerName),
      cashierName: derived(payRecord.fields.cashierName),
      recordType: derived(payRecord.fields.recordType),
      state: derived(payRecord.fields.state),
    },
  },
}

export const listTrades = call({
  route: 'GET finance/v1/Feecenter/GetFeeList',
  aliases: ['finance/v1/Feecenter/GetFeeListSimplify'],
  title: '查询缴费明细',
  needs: menu.record.permissions.view,
  input: search(payRecord, recordFilters, detailFilters),
  output: pageOfRows(tradeRow, { sums: ['principal', 'deposit', 'lateFee'] }),
})

/** PAY-21: entered by mistake, no money moved. */
export const voidRecord = call({
  route: 'DELETE finance/v1/FeePayRecord/delete',
  title: '作废收款',
  needs: menu.record.permissions.void,
  input: byIdWithReason,
  output: shape({ isPending: flag('待审批', { required: true }) }),
  affects: ['payRecord', 'bill', 'asset', 'processInstance'],
})

export const recoverRecord = call({
  route: 'POST finance/v1/FeePayRecord/PostRecovery',
  title: '恢复收款',
  needs: menu.record.permissions.recover,
  input: byId,
  output: noData,
  affects: ['payRecord', 'bill', 'asset'],
})
