import { choice, decimal, int, list, money, text } from '#kit/contract/field.ts'
import { declareApprovalKind } from '#modules/approvals/contract/kind.ts'
import { discountKind } from './adjustments.ts'

/** The most bills that one request names. */
export const maxApprovedBills = 1000

const shared = {
  billCount: int('账单数', { required: true }),
  objects: text('收费对象', { required: true, max: 200 }),
  billNos: text('账单号', { max: 200 }),
  /** For a request that came back: its bills that cannot be in it any more, with the reason. */
  leftOut: text('移出的账单', { max: 500 }),
  amount: money('金额', { required: true }),
  reason: text('原因', { required: true, max: 200 }),
  /** The values at the time of the request: an approval of other values does not count. */
  unpaidPrincipal: money('未收本金', { hiddenIn: ['detail'] }),
  ids: list('账单编号', { required: true, max: maxApprovedBills, hiddenIn: ['detail'] }),
}

/** Bad debts that a definition of the company has approved (BILL-1). */
export const writeOffKind = declareApprovalKind({
  key: 'writeOff',
  isMoney: true,
  offersNoChoice: true,
  form: shared,
})

/** A discount above the limit of a definition; `amount` is that of all its bills together. */
export const discountApprovalKind = declareApprovalKind({
  key: 'discount',
  onlyWith: { each: { field: 'kind', option: 'amount' }, percent: { field: 'kind', option: 'rate' } },
  isMoney: true,
  offersNoChoice: true,
  form: {
    ...shared,
    kind: choice('减免方式', discountKind, { required: true }),
    each: money('每张减免', { min: 0 }),
    percent: decimal('减免比例（%）', { min: 0, max: 100, scale: 4 }),
    mostEach: text('每张最多可减免', { max: 40 }),
  },
})
