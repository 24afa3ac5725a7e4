import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, day, idOf, keyRef, lookup, money, moment, ref, text } from '#kit/contract/field.ts'
import { bulkResult, byIdsWithReason, pageOf, search } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { payerSide } from '#modules/fees/contract/choices.ts'
import { menu } from '../module.ts'
import { affectedEntities } from './actions.ts'
import { followUpAdvice, followUpKind, followUpState } from './choices.ts'

const hiddenEverywhere = { hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const

/** A figure of the bill itself: it keeps its kind, so that it is written and totalled as one. */
const ofBill = (key: string) =>
  ({ lookup: ['billId', key], derived: true, hiddenIn: ['form', 'filter'] }) as const

/**
 * A bill that no longer fits, because a change was entered late or its charge ended, and what to do with it
 * (PRO-7, BASE-17, CYC-9).
 */
export const billFollowUp = entity(
  'billFollowUp',
  '待处理账单',
  { table: 'bill_follow_up', tenancy: 'project', title: 'billNo', order: ['-id'] },
  {
    projectCode: estateField(),
    buildCode: keyRef('楼栋', 'building', {
      dataDomain: 'building',
      wire: 'Buildcode',
      immutable: true,
      hiddenIn: ['table', 'form', 'detail'],
    }),
    billId: ref('账单', 'bill', { required: true, wire: 'BillID', hiddenIn: ['table', 'filter'] }),
    billNo: lookup('账单号', 'billId', 'billNo', { searchable: true }),
    sourceName: lookup('收费对象', 'billId', 'sourceName', { searchable: true }),
    feeItemName: lookup('收费项目', 'billId', 'feeItemName'),
    beginDate: day('账期起', ofBill('beginDate')),
    endDate: day('账期止', ofBill('endDate')),
    billAmount: money('账单金额', ofBill('amount')),
    paidPrincipal: money('已收本金', ofBill('paidPrincipal')),
    oldPayerName: lookup('账单缴费人', 'billId', 'payerName'),
    kind: choice('事由', followUpKind, { required: true }),
    effectiveDate: day('生效日期', { required: true }),
    payerKind: choice('新缴费人类别', payerSide, hiddenEverywhere),
    payerId: idOf('新缴费人编号', { wire: 'PayerID', ...hiddenEverywhere }),
    payerName: text('应由', { max: 100 }),
    amount: money('涉及金额', { required: true }),
    discount: money('建议减免', { required: true, initial: 0, hiddenIn: ['filter'] }),
    advice: choice('建议', followUpAdvice, { derived: true, hiddenIn: ['form', 'filter', 'sheet'] }),
    state: choice('处理状态', followUpState, { required: true, initial: 'open' }),
    result: text('处理结果', { max: 200, hiddenIn: ['filter'] }),
    handleTime: moment('处理时间', { hiddenIn: ['filter'] }),
    handlerName: text('处理人', { max: 40, hiddenIn: ['filter'] }),
  },
)

export type BillFollowUp = Row<typeof billFollowUp>

const { permissions } = menu.bill
const affects = [...affectedEntities, 'billFollowUp', 'billRun']

/** Open ones whose bill was dealt with in another way are left out. */
export const listFollowUps = call({
  route: 'GET Feebill/GetFollowUps',
  title: '查询待处理账单',
  needs: permissions.view,
  input: search(billFollowUp, ['kind', 'state', 'effectiveDate', 'buildCode', 'createTime'], {
    sourceCode: text('对象编码', { max: 40 }),
  }),
  output: pageOf(billFollowUp, { sums: ['billAmount', 'paidPrincipal', 'amount', 'discount'] }),
})

/** Splits unpaid bills at the day, or gives them to the payer who holds from then on (BILL-12, BILL-5). */
export const reassignFollowUps = call({
  route: 'POST Feebill/PostFollowUpPayer',
  title: '按生效日拆分并改缴费人',
  needs: permissions.payer,
  input: byIdsWithReason,
  output: bulkResult,
  affects,
})

/** Abolishes unpaid bills and issues them again with the areas that hold (PRO-7, BILL-9). */
export const reissueFollowUps = call({
  route: 'POST Feebill/PostFollowUpReissue',
  title: '按新面积重新出账',
  needs: permissions.reprice,
  input: byIdsWithReason,
  output: bulkResult,
  affects,
})

/** The bill stays as it is. */
export const ignoreFollowUps = call({
  route: 'POST Feebill/PostFollowUpIgnore',
  title: '待处理账单不处理',
  needs: permissions.payer,
  input: byIdsWithReason,
  output: bulkResult,
  affects,
})
