import { call } from '#kit/contract/call.ts'
import {
  choice,
  day,
  flag,
  idOf,
  int,
  lines,
  list,
  money,
  month,
  part,
  text,
  type Rule,
} from '#kit/contract/field.ts'
import { extendShape, pageOf, listOfRows, search, shape } from '#kit/contract/shape.ts'
import { inParts } from '#kit/contract/list-parts.ts'
import { declareExport } from '#kit/contract/import-export.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { payerSide, sourceType } from '#modules/fees/contract/choices.ts'
import { menu } from '../module.ts'
import { bill } from './bill.ts'
import { adjustType, billAge } from './choices.ts'

/** Texts that are ids. */
const idRule: Rule = { name: 'ids', test: s => (/^\d{1,15}$/.test(s) ? undefined : '编号应为整数') }

export const billIdsField = <const R extends boolean = false>(options: { readonly required?: R } = {}) =>
  list('账单', { max: 2000, wire: ['Ids', 'ID'], rule: idRule, ...options })

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

/** Filters beyond the fields of a bill. */
const extraFilters = {
  sourceCode: text('对象编码', { max: 40, wire: ['SourceCode', 'RoomCode'] }),
  payerKind: choice('缴费人类别', payerSide),
  payerId: idOf('缴费人', { min: 1, wire: 'PayerID' }),
  overdue: flag('已逾期'),
  overdueDaysFrom: int('逾期天数起', { min: 1, max: 36_500 }),
  overdueDaysTo: int('逾期天数止', { min: 1, max: 36_500 }),
  isPartlyPaid: flag('部分缴纳', { wire: 'Partly' }),
  locked: flag('支付中', { wire: 'Paying' }),
  discounted: flag('有减免'),
  /** Deposits are no income: what reports count of bills (C27-8). */
  feesOnly: flag('不含押金', { wire: 'FeesOnly' }),
  /**
   * One letter per bill and no more: everything of one state, whatever it is (BILL-14 asks for 正常 by
   * default).
   */
  anyState: flag('所有状态', { wire: 'AnyState' }),
}

export const billSearch = search(bill, billFilters, extraFilters)
export type BillFilter = NonNullable<typeof billSearch.T>
const sumKeys = ['receivable', 'discountAmount', 'paidPrincipal', 'lateFeeUnpaid', 'unpaid'] as const

/**
 * Bills in force by due date, unless the filter says otherwise (BILL-14). The keyword is a room, payer,
 * phone, plate, company or bill number.
 */
export const listBills = call({
  route: 'GET finance/v1/FeeBill/GetPagedList',
  aliases: ['Feebill/Get'],
  title: '查询账单',
  needs: menu.bill.permissions.view,
  input: inParts(billSearch),
  output: pageOf(bill, { sums: sumKeys }),
})

/** Bills of which a company is the payer or the object. */
export const listCompanyBills = call({
  route: 'GET Company/GetFeebillList',
  title: '企业的账单',
  needs: menu.bill.permissions.view,
  input: extendShape(billSearch, {
    companyId: idOf('企业', { required: true, min: 1, wire: 'CompanyID' }),
  }),
  output: pageOf(bill, { sums: sumKeys }),
})

const figureFields = { count: int('张数', { required: true }), sum: money('金额', { required: true }) }

export const getBillSummary = call({
  route: 'GET finance/v1/FeeBill/summary',
  title: '账单汇总',
  needs: menu.bill.permissions.view,
  input: billSearch,
  output: shape({
    count: int('张数', { required: true }),
    households: int('对象数', { required: true }),
    amount: money('原始金额', { required: true }),
    discount: money('减免', { required: true }),
    receivable: money('应收', { required: true }),
    paid: money('已收本金', { required: true }),
    lateFee: money('未收违约金', { required: true }),
    unpaid: money('未缴', { required: true }),
    overdue: part('已逾期', figureFields, { required: true }),
    ages: lines(
      '账龄',
      { age: choice('账龄', billAge, { required: true }), ...figureFields },
      { required: true },
    ),
  }),
})

/** How often bills of a filter were changed, and by how much, by kind (BILL-13). */
export const getBillLogStatistics = call({
  route: 'GET Feebill/GetLogStatistics',
  title: '账单变更统计',
  needs: menu.bill.permissions.view,
  input: billSearch,
  output: listOfRows({
    adjustType: choice('类型', adjustType, { required: true }),
    count: int('次数', { required: true }),
    bills: int('账单数', { required: true }),
    sum: money('金额', { required: true }),
  }),
})

const sourceFields = {
  sourceType: choice('对象类型', sourceType, { required: true }),
  sourceCode: text('对象编码', { required: true }),
  sourceName: text('收费对象', { required: true }),
  projectCode: estateField(),
  buildCode: text('楼栋', { wire: 'Buildcode' }),
}

/** Objects that have bills of a filter, with what they owe; 200 at most. */
export const listBillSources = call({
  route: 'GET Feebill/GetSourceEntities',
  title: '有账单的对象',
  needs: menu.bill.permissions.view,
  input: billSearch,
  output: listOfRows({
    ...sourceFields,
    count: int('张数', { required: true }),
    unpaid: money('未缴', { required: true }),
  }),
})

/** Possible payers of an object, the current payer first. */
export const getFeeTarget = call({
  route: 'GET Feebill/GetFeeTarget',
  title: '收费对象',
  needs: menu.bill.permissions.view,
  input: shape({
    projectCode: estateField<false>({ required: false }),
    sourceType: choice('对象类型', sourceType, { required: true }),
    sourceCode: text('对象编码', { required: true, max: 40 }),
  }),
  output: shape({
    ...sourceFields,
    payers: lines(
      '缴费人',
      {
        kind: choice('类别', payerSide, { required: true }),
        id: idOf('编号', { required: true, wire: 'ID' }),
        name: text('姓名', { required: true }),
        mobile: text('电话', { masked: 'mobile' }),
        role: text('身份'),
      },
      { required: true },
    ),
  }),
})

/**
 * For the cashier: finds open bills by phone, room path, plate, company, the object's code, and the number
 * of a bill or a receipt, grouped by object with totals (BILL-11). 50 objects at most.
 */
export const findBillsBySource = call({
  route: 'GET Feebill/GetByPhoneOrSourceCode',
  title: '按手机号或对象查欠费',
  needs: menu.bill.permissions.view,
  input: shape({
    projectCode: estateField<false>({ required: false }),
    keyword: text('关键字', { required: true, min: 1, max: 40, wire: ['KeyWord', 'Phone', 'SourceCode'] }),
  }),
  output: shape({
    total: int('对象数', { required: true }),
    unpaid: money('未缴', { required: true }),
    sources: lines(
      '对象',
      {
        ...sourceFields,
        payerName: text('缴费人'),
        payerMobile: text('电话', { masked: 'mobile' }),
        count: int('张数', { required: true }),
        overdue: int('逾期张数', { required: true }),
        earliest: day('最早应缴'),
        principal: money('未收本金', { required: true }),
        lateFee: money('未收违约金', { required: true }),
        unpaid: money('未缴', { required: true }),
      },
      { required: true },
    ),
  }),
})

const redundantBillFields = { ...bill.fields }

/** Bills that charge the same thing twice, with the ones that should be abolished (BILL-6). */
export const listRedundantBills = call({
  route: 'GET finance/v1/FeeBill/RedundantFeeBill',
  title: '查询重复账单',
  needs: menu.bill.permissions.view,
  input: shape({
    projectCode: estateField<false>({ required: false }),
    feeItemId: list('收费项目', { max: 200, wire: 'FeeItemID', rule: idRule }),
    monthFrom: month('所属月份起'),
    monthTo: month('所属月份止'),
  }),
  output: shape({
    groups: int('组数', { required: true }),
    hasMore: flag('未列全', { required: true, wire: 'More' }),
    rows: lines(
      '账单',
      {
        ...redundantBillFields,
        group: int('组', { required: true }),
        abolish: flag('建议作废', { required: true }),
        why: text('说明', { required: true }),
      },
      { required: true },
    ),
  }),
})

export const exportBills = declareExport({
  route: 'GET finance/v1/FeeBill/export',
  aliases: ['Feebill/GetExport'],
  title: '导出账单',
  needs: menu.bill.permissions.export,
  list: listBills,
})

export const exportUnpaid = declareExport({
  route: 'GET Feebill/GetExportUnPay',
  title: '导出未缴账单',
  needs: menu.bill.permissions.export,
  list: listBills,
})
