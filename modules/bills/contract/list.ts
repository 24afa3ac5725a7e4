import { call } from '#kit/contract/call.ts'
import { choice, day, flag, int, lines, list, moment, money, month, part, text } from '#kit/contract/field.ts'
import type { Rule } from '#kit/contract/field.ts'
import { also, byId, pageOf, rowsOf, search, shape } from '#kit/contract/shape.ts'
import { exports } from '#kit/contract/transfer.ts'
import { estateOf } from '#modules/estates/contract/estate.ts'
import { payerSide, sourceType } from '#modules/fees/contract/choices.ts'
import { menu } from '../module.ts'
import { bill, billAdjust } from './bill.ts'
import { adjustType, age, urgeChannel, urgeState } from './choices.ts'

/** Texts that are ids. */
const ids: Rule = { name: 'ids', test: s => (/^\d{1,15}$/.test(s) ? undefined : '编号应为整数') }

export const someBills = (more: { readonly required?: true } = {}) =>
  list('账单', { max: 2000, wire: ['Ids', 'ID'], rule: ids, ...more })

export const billFilters = [
  'sourceType',
  'buildCode',
  'feeItemId',
  'standardId',
  'feeType',
  'belongMonth',
  'dueDate',
  'beginDate',
  'endDate',
  'payState',
  'state',
  'billSource',
  'batchNo',
  'refundState',
  'invoiceState',
  'isPre',
  'receivable',
  'unpaid',
  'payTime',
  'createTime',
  'abolishTime',
  'disputed',
  'promiseDate',
  'urgeCount',
] as const

/** Beside the bill's own fields: what clerks narrow by. */
const beside = {
  sourceCode: text('对象编码', { max: 40, wire: ['SourceCode', 'RoomCode'] }),
  payerKind: choice('缴费人类别', payerSide),
  payerId: int('缴费人', { min: 1, wire: 'PayerID' }),
  overdue: flag('已逾期'),
  overdueDaysFrom: int('逾期天数起', { min: 1, max: 36_500 }),
  overdueDaysTo: int('逾期天数止', { min: 1, max: 36_500 }),
  partly: flag('部分缴纳'),
  locked: flag('支付中', { wire: 'Paying' }),
  discounted: flag('有减免'),
  /**
   * One letter per bill and no more: everything of one state, whatever it is (BILL-14 asks for 正常 where
   * nothing is said).
   */
  anyState: flag('所有状态', { wire: 'AnyState' }),
}

export const billSearch = search(bill, billFilters, beside)
export type BillAsk = NonNullable<typeof billSearch.T>
const sums = ['receivable', 'discountAmount', 'paidPrincipal', 'lateFeeUnpaid', 'unpaid'] as const

/**
 * BILL-14: bills in force, by due day, where nothing else is asked. The keyword is a room, payer, telephone,
 * plate, company or bill number.
 */
export const listBills = call({
  at: 'GET finance/v1/FeeBill/GetPagedList',
  names: ['Feebill/Get'],
  title: '查询账单',
  needs: menu.bill.may.view,
  input: billSearch,
  output: pageOf(bill, { sums }),
})

/** What a company is asked to pay, and what is charged to it. */
export const companyBills = call({
  at: 'GET Company/GetFeebillList',
  title: '企业的账单',
  needs: menu.bill.may.view,
  input: also(billSearch, { companyId: int('企业', { required: true, min: 1, wire: 'CompanyID' }) }),
  output: pageOf(bill, { sums }),
})

const figure = { count: int('张数', { required: true }), sum: money('金额', { required: true }) }

export const summary = call({
  at: 'GET finance/v1/FeeBill/summary',
  title: '账单汇总',
  needs: menu.bill.may.view,
  input: billSearch,
  output: shape({
    count: int('张数', { required: true }),
    households: int('对象数', { required: true }),
    amount: money('原始金额', { required: true }),
    discount: money('减免', { required: true }),
    receivable: money('应收', { required: true }),
    paid: money('已缴', { required: true }),
    lateFee: money('未收违约金', { required: true }),
    unpaid: money('未缴', { required: true }),
    overdue: part('已逾期', figure, { required: true }),
    ages: lines('账龄', { age: choice('账龄', age, { required: true }), ...figure }, { required: true }),
  }),
})

const explained = {
  label: text('步骤', { required: true }),
  words: text('说明', { required: true }),
  amount: money('金额'),
}

/** One bill with everything about it: how it came about, what moved, what was changed, who was asked. */
export const oneBill = call({
  at: 'GET finance/v1/FeeBill/GetOne',
  names: ['Feebill/GetOne'],
  title: '查看账单',
  needs: menu.bill.may.view,
  input: byId,
  output: shape({
    ...bill.fields,
    standardName: text('收费标准'),
    operatorName: text('出账人'),
    parentNo: text('拆分自'),
    replacesNo: text('替换'),
    replacedByNo: text('被替换为'),
    children: lines('拆分出的账单', {
      id: int('编号', { required: true }),
      billNo: text('账单号', { required: true }),
      beginDate: day('起', { required: true }),
      endDate: day('止', { required: true }),
      receivable: money('应收', { required: true }),
      unpaid: money('未缴', { required: true }),
    }),
    explanation: lines('怎么算的', explained, { required: true }),
    exact: flag('与快照一致', { required: true }),
    moves: lines(
      '收退款',
      {
        day: day('日期', { required: true }),
        principal: money('本金', { required: true }),
        lateFee: money('违约金', { required: true }),
      },
      { required: true },
    ),
    adjusts: lines(
      '调整',
      {
        time: moment('时间', { required: true }),
        adjustType: choice('类型', adjustType, { required: true }),
        oldValue: text('原值'),
        newValue: text('新值'),
        amount: money('影响金额', { required: true }),
        reason: text('原因'),
        operatorName: text('操作人'),
      },
      { required: true },
    ),
    notices: lines(
      '催缴',
      {
        id: int('编号', { required: true }),
        time: moment('时间', { required: true }),
        channel: choice('渠道', urgeChannel, { required: true }),
        level: int('级别', { required: true }),
        state: choice('结果', urgeState, { required: true }),
        content: text('内容', { required: true }),
        promiseDate: day('承诺缴费日'),
      },
      { required: true },
    ),
  }),
})

/** What was done to a bill, latest first: made, changed, abolished, recovered … with what was and what is. */
export const billHistory = call({
  at: 'GET Feebill/GetHistory',
  title: '账单变更记录',
  needs: menu.bill.may.view,
  input: byId,
  output: rowsOf({
    time: moment('时间', { required: true }),
    operatorName: text('操作人', { required: true }),
    what: text('变更', { required: true }),
    oldValue: text('原值'),
    newValue: text('新值'),
    reason: text('原因'),
  }),
})

export const listAdjusts = call({
  at: 'GET Feebill/GetAdjusts',
  title: '账单调整记录',
  needs: menu.bill.may.view,
  input: search(billAdjust, ['adjustType', 'createTime'], {
    billId: int('账单', { min: 1, wire: 'BillID' }),
  }),
  output: pageOf(billAdjust, { sums: ['amount'] }),
})

/** How often, and for how much, bills of a filter were changed, by kind (BILL-13). */
export const logStatistics = call({
  at: 'GET Feebill/GetLogStatistics',
  title: '账单变更统计',
  needs: menu.bill.may.view,
  input: billSearch,
  output: rowsOf({
    adjustType: choice('类型', adjustType, { required: true }),
    count: int('次数', { required: true }),
    bills: int('账单数', { required: true }),
    sum: money('金额', { required: true }),
  }),
})

const source = {
  sourceType: choice('对象类型', sourceType, { required: true }),
  sourceCode: text('对象编码', { required: true }),
  sourceName: text('收费对象', { required: true }),
  projectCode: estateOf(),
  buildCode: text('楼栋', { wire: 'Buildcode' }),
}

/** Objects that have bills of a filter, with what they owe; 200 at most. */
export const sourceEntities = call({
  at: 'GET Feebill/GetSourceEntities',
  title: '有账单的对象',
  needs: menu.bill.may.view,
  input: billSearch,
  output: rowsOf({
    ...source,
    count: int('张数', { required: true }),
    unpaid: money('未缴', { required: true }),
  }),
})

/** Who can be asked to pay for an object: its payer first. */
export const feeTarget = call({
  at: 'GET Feebill/GetFeeTarget',
  title: '收费对象',
  needs: menu.bill.may.view,
  input: shape({
    projectCode: estateOf<false>({ required: false }),
    sourceType: choice('对象类型', sourceType, { required: true }),
    sourceCode: text('对象编码', { required: true, max: 40 }),
  }),
  output: shape({
    ...source,
    payers: lines(
      '缴费人',
      {
        kind: choice('类别', payerSide, { required: true }),
        id: int('编号', { required: true, wire: 'ID' }),
        name: text('姓名', { required: true }),
        mobile: text('电话', { masked: 'mobile' }),
        role: text('身份'),
      },
      { required: true },
    ),
  }),
})

/**
 * At the cashier: a mobile, a room path, a plate, a company, a bill number; open bills grouped by object,
 * with totals (BILL-11). 50 objects at most.
 */
export const bySource = call({
  at: 'GET Feebill/GetByPhoneOrSourceCode',
  title: '按手机号或对象查欠费',
  needs: menu.bill.may.view,
  input: shape({
    projectCode: estateOf<false>({ required: false }),
    keyword: text('关键字', { required: true, min: 1, max: 40, wire: ['KeyWord', 'Phone', 'SourceCode'] }),
  }),
  output: shape({
    total: int('对象数', { required: true }),
    unpaid: money('未缴合计', { required: true }),
    sources: lines(
      '对象',
      {
        ...source,
        payerName: text('缴费人'),
        payerMobile: text('电话', { masked: 'mobile' }),
        count: int('张数', { required: true }),
        overdue: int('逾期张数', { required: true }),
        earliest: day('最早应缴'),
        principal: money('未缴本金', { required: true }),
        lateFee: money('违约金', { required: true }),
        unpaid: money('未缴', { required: true }),
      },
      { required: true },
    ),
  }),
})

const known = { ...bill.fields }

/** Bills that charge the same thing twice, with which to abolish (BILL-6). */
export const redundantBills = call({
  at: 'GET finance/v1/FeeBill/RedundantFeeBill',
  title: '查询重复账单',
  needs: menu.bill.may.view,
  input: shape({
    projectCode: estateOf<false>({ required: false }),
    feeItemId: list('收费项目', { max: 200, wire: 'FeeItemID', rule: ids }),
    monthFrom: month('所属月份起'),
    monthTo: month('所属月份止'),
  }),
  output: shape({
    groups: int('组数', { required: true }),
    more: flag('未列全', { required: true }),
    rows: lines(
      '账单',
      {
        ...known,
        group: int('组', { required: true }),
        abolish: flag('建议作废', { required: true }),
        why: text('说明', { required: true }),
      },
      { required: true },
    ),
  }),
})

export const exportBills = exports({
  at: 'GET finance/v1/FeeBill/export',
  names: ['Feebill/GetExport'],
  title: '导出账单',
  needs: menu.bill.may.export,
  of: listBills,
})

export const exportUnpaid = exports({
  at: 'GET Feebill/GetExportUnPay',
  title: '导出未缴账单',
  needs: menu.bill.may.export,
  of: listBills,
})

export const listCalls = [
  listBills,
  companyBills,
  summary,
  oneBill,
  billHistory,
  listAdjusts,
  logStatistics,
  sourceEntities,
  feeTarget,
  bySource,
  redundantBills,
  ...exportBills.calls,
  ...exportUnpaid.calls,
]
