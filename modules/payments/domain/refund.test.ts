import { asId } from '#kit/domain/id.ts'
import { expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import {
  auditRefusal,
  findRefundLineFaults,
  hasInvoicedPart,
  isRefundedWhole,
  maxRefundOf,
  refundRequestRefusal,
  refundAmountRefusal,
  refundableAmount,
  refundablePartsOf,
  refundActionRefusal,
  refundStates,
  type RefundAction,
  splitNewestFirst,
  sumPendingLines,
  sumRefundLines,
  type RefundLine,
} from './refund.ts'

const paidRecord = {
  recordType: 'payment',
  state: 'normal',
  tenderedAmount: asFen(35000),
  changeAmount: asFen(3965),
  toPrestore: 0,
  refundedAmount: 0,
  refundingAmount: 0,
} as const

const details = [
  {
    id: asId(1),
    billNo: 'A',
    principal: asFen(30000),
    lateFee: asFen(1035),
    refundedPrincipal: asFen(10000),
    refundedLateFee: 0,
    invoicedAmount: 0,
  },
] as const

const pending = sumPendingLines([
  { state: 'pending', lines: [{ detailId: asId(1), principal: asFen(5000), late: asFen(35) }] },
  { state: 'rejected', lines: [{ detailId: asId(1), principal: asFen(9000), late: 0 }] },
])

it('REF-1: what may still go back of a record and of each bill; change never', () => {
  expect(refundableAmount(paidRecord)).toBe(31035)
  expect(refundRequestRefusal(paidRecord)).toBeUndefined()
  expect(
    refundRequestRefusal({ ...paidRecord, refundedAmount: asFen(10000), refundingAmount: asFen(21035) }),
  ).toBe('剩余金额均在退款中，请先办结')
  expect(refundRequestRefusal({ ...paidRecord, recordType: 'prestore' })).toBe('预存请在预存账户办理退款')
  expect(refundablePartsOf(details, pending).map(maxRefundOf)).toEqual([{ principal: 15000, late: 1000 }])
})

it('REF-1: a line may ask for no more than its bill has left, and for each bill once', () => {
  const parts = refundablePartsOf(details, pending)
  const faultsOf = (...lines: RefundLine[]): string[] =>
    findRefundLineFaults(parts, lines).map(fault => `${fault.index} ${fault.message}`)
  expect(faultsOf({ detailId: asId(1), principal: asFen(15000), late: asFen(1000) })).toEqual([])
  expect(faultsOf({ detailId: asId(1), principal: asFen(15001), late: 0 })).toEqual([
    '0 A 最多可退本金 150.00 元、违约金 10.00 元',
  ])
  expect(
    faultsOf(
      { detailId: asId(1), principal: 0, late: 0 },
      { detailId: asId(2), principal: asFen(1), late: 0 },
    ),
  ).toEqual(['0 退款金额应大于零', '1 该账单不在该收款中'])
  expect(
    faultsOf(
      { detailId: asId(1), principal: asFen(1), late: 0 },
      { detailId: asId(1), principal: asFen(1), late: 0 },
    ),
  ).toEqual(['1 同一账单只能填一行'])
})

it('REF-7: what was never invoiced may go back without the invoice', () => {
  const parts = refundablePartsOf([{ ...details[0], invoicedAmount: asFen(6000) }], pending)
  expect(hasInvoicedPart(parts, [{ detailId: asId(1), principal: asFen(10000), late: 0 }])).toBe(false)
  expect(hasInvoicedPart(parts, [{ detailId: asId(1), principal: asFen(10001), late: 0 }])).toBe(true)
})

it('REF-3: the applicant does not approve', () => {
  expect([auditRefusal(7, 7), auditRefusal(7, 8)]).toEqual([
    '申请人不能审核自己的退款，请由其他人审核',
    undefined,
  ])
})

it('C6.1: the transitions of a refund', () => {
  const states = ['pending', 'doing', 'done', 'rejected', 'cancelled', 'failed'] as const
  const transitions = states.flatMap(from =>
    states.filter(to => refundStates.canTransition(from, to)).map(to => `${from}→${to}`),
  )
  expect(transitions).toEqual([
    'pending→doing',
    'pending→rejected',
    'pending→cancelled',
    'doing→done',
    'doing→cancelled',
    'doing→failed',
    'done→cancelled',
    'failed→doing',
    'failed→cancelled',
  ])
})

it('C6.1: which action a refund allows in which state', () => {
  const states = ['pending', 'approving', 'doing', 'done', 'rejected', 'cancelled', 'failed'] as const
  const allowedFrom = (action: RefundAction) =>
    states.filter(state => refundActionRefusal(action, state) === undefined)
  expect(allowedFrom('audit')).toEqual(['pending'])
  expect(allowedFrom('approve')).toEqual(['approving'])
  expect(allowedFrom('retry')).toEqual(['failed'])
  expect(allowedFrom('cancel')).toEqual(['pending', 'approving', 'doing', 'done', 'failed'])
})

const part = {
  id: asId(1),
  billNo: 'A',
  principal: asFen(1000),
  late: asFen(100),
  refundedPrincipal: asFen(300),
  refundedLate: asFen(30),
  pendingPrincipal: asFen(200),
  pendingLate: asFen(20),
  invoiced: asFen(250),
}

it('REF-1: principal and late fee each go back less what has gone back and what is pending', () => {
  expect(maxRefundOf(part)).toEqual({ principal: 500, late: 50 })
  expect(findRefundLineFaults([part], [{ detailId: asId(1), principal: asFen(1), late: 0 }])).toEqual([])
  expect(findRefundLineFaults([part], [{ detailId: asId(1), principal: 0, late: asFen(51) }])).toHaveLength(1)
  expect(findRefundLineFaults([part], [{ detailId: asId(1), principal: 0, late: 0 }])).toEqual([
    { index: 0, message: '退款金额应大于零' },
  ])
})

it('REF-7: lines reach into the invoice once they ask for more than was not invoiced', () => {
  expect(hasInvoicedPart([part], [{ detailId: asId(1), principal: asFen(250), late: asFen(50) }])).toBe(false)
  expect(hasInvoicedPart([part], [{ detailId: asId(1), principal: asFen(251), late: asFen(50) }])).toBe(true)
  expect(hasInvoicedPart([part], [{ detailId: asId(2), principal: asFen(251), late: asFen(50) }])).toBe(false)
  expect(sumRefundLines([{ detailId: asId(1), principal: asFen(251), late: asFen(50) }])).toBe(301)
})

it('REF-1: what may be asked back is less change, prestore, and what went or goes back', () => {
  const amounts = {
    tenderedAmount: asFen(10_000),
    changeAmount: asFen(1000),
    toPrestore: asFen(200),
    refundedAmount: asFen(30),
    refundingAmount: asFen(4),
  }
  expect(refundableAmount(amounts)).toBe(8766)
  const oneFenLeft = {
    ...amounts,
    refundingAmount: asFen(8769),
    recordType: 'payment',
    state: 'normal',
  } as const
  expect(refundRequestRefusal(oneFenLeft)).toBeUndefined()
  expect(refundRequestRefusal({ ...oneFenLeft, refundingAmount: asFen(8770) })).toBe(
    '剩余金额均在退款中，请先办结',
  )
})

it('REF-1, REF-7: no more than is left, nothing of zero, and what is invoiced only where the project allows it', () => {
  const free = { isInvoiced: false, allowsInvoiced: false }
  expect(refundAmountRefusal(paidRecord, asFen(31035), free)).toBeUndefined()
  expect(refundAmountRefusal(paidRecord, asFen(31036), free)).toBe('最多可退 310.35 元')
  expect(refundAmountRefusal(paidRecord, asFen(0), free)).toBe('退款金额应大于零')
  const invoiced = { isInvoiced: true, allowsInvoiced: false }
  expect(refundAmountRefusal(paidRecord, asFen(1), invoiced)).toBe('该缴费已开票，请先红冲发票再退款')
  expect(refundAmountRefusal(paidRecord, asFen(1), { ...invoiced, allowsInvoiced: true })).toBeUndefined()
})

it('REF-1: what is asked for is summed over the refunds that are open, failed ones too', () => {
  const line = { detailId: asId(1), principal: asFen(7), late: asFen(3) }
  const openStates = ['pending', 'doing', 'failed'] as const
  for (const state of openStates) {
    expect(sumPendingLines([{ state, lines: [line] }]).get(asId(1))).toEqual({ principal: 7, late: 3 })
  }
  for (const state of ['done', 'rejected', 'cancelled'] as const) {
    expect(sumPendingLines([{ state, lines: [line] }]).size).toBe(0)
  }
  const all = sumPendingLines(
    openStates.map(state => ({ state, lines: [line, { ...line, detailId: asId(2) }] })),
  )
  expect([...all]).toEqual([
    [1, { principal: 21, late: 9 }],
    [2, { principal: 21, late: 9 }],
  ])
})

it('REF-1: a bill that nobody asks back has all of it left but what went back', () => {
  expect(refundablePartsOf(details, new Map()).map(maxRefundOf)).toEqual([{ principal: 20000, late: 1035 }])
})

it('REF-1: a late fee alone may go back, also one as large as the principal', () => {
  const faults = (principal: number, late: number) =>
    findRefundLineFaults([part], [{ detailId: asId(1), principal: asFen(principal), late: asFen(late) }])
  expect([faults(0, 50), faults(50, 50), faults(1, 2)]).toEqual([[], [], []])
})

it('PAY-14, REF-1: a part is refunded whole when principal and late fee both are, to the fen', () => {
  const paid = {
    principal: asFen(1000),
    lateFee: asFen(100),
    refundedPrincipal: asFen(300),
    refundedLateFee: asFen(30),
  }
  const isWhole = (principal: number, late: number) =>
    isRefundedWhole(paid, { principal: asFen(principal), late: asFen(late) })
  expect([isWhole(700, 70), isWhole(699, 70), isWhole(700, 69), isWhole(0, 0)]).toEqual([
    true,
    false,
    false,
    false,
  ])
  expect(
    isRefundedWhole({ ...paid, refundedPrincipal: asFen(1000), refundedLateFee: asFen(100) }, undefined),
  ).toBe(false)
})

it('REF-1: what is voided, gone back whole or no payment of bills is not asked back', () => {
  expect([
    refundRequestRefusal({ ...paidRecord, state: 'voided' }),
    refundRequestRefusal({ ...paidRecord, state: 'refunded' }),
    refundRequestRefusal({ ...paidRecord, state: 'partRefunded' }),
    refundRequestRefusal({ ...paidRecord, recordType: 'deduction' }),
    refundRequestRefusal({ ...paidRecord, recordType: 'deposit' }),
    refundRequestRefusal({ ...paidRecord, recordType: 'refund' }),
  ]).toEqual([
    '该收款已作废',
    '该收款已全部退款',
    undefined,
    undefined,
    '押金请在押金管理办理退还',
    '退款记录不能再退',
  ])
})

it('an amount comes out of payments in their order, all of one before the next (REF-2)', () => {
  const payments = [{ principal: asFen(200) }, { principal: asFen(0) }, { principal: asFen(300) }]
  const partsOf = (amount: number) => splitNewestFirst(payments, asFen(amount)).map(each => each.part)
  expect([0, 1, 200, 201, 500].map(partsOf)).toEqual([[], [1], [200], [200, 1], [200, 300]])
})
