import { defined } from '#kit/domain/defined.ts'
import { asId } from '#kit/domain/id.ts'
import { expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { keysOfRecord } from '#kit/domain/records.ts'
import type { Bill } from './bill.ts'
import {
  actionRules,
  billStateMachine,
  stateChange,
  refusalOf,
  searchRefusal,
  planUndo,
  type BillAction,
} from './actions.ts'

const now = '2025-04-10 09:00:00'

const bill = (overrides: Partial<Bill> = {}): Bill => ({
  id: asId(1),
  begin: '2025-03-01',
  end: '2025-03-31',
  dueDate: '2025-03-31',
  state: 'normal',
  payState: 'unpaid',
  refundState: 'none',
  invoiceState: 'none',
  deleted: false,
  source: 'auto',
  deposit: false,
  notified: false,
  amount: asFen(32645),
  discount: 0,
  paidPrincipal: 0,
  lateDue: 0,
  latePaid: 0,
  lateWaived: 0,
  lateManual: false,
  ...overrides,
})

const refusal = (action: BillAction, overrides: Partial<Bill> = {}, facts = {}) =>
  refusalOf(action, bill(overrides), { now, ...facts })

it('C3.2 every action: allowed where the table says, refused elsewhere, never on deleted or locked bills', () => {
  const allowed: Record<BillAction, readonly string[]> = {
    audit: ['pending'],
    abolish: ['pending', 'normal'],
    reprice: ['pending', 'normal'],
    recover: ['abolished'],
    delete: ['abolished', 'normal'],
    discount: ['normal'],
    lateFee: ['normal'],
    split: ['normal'],
    mergeBack: ['split'],
    writeOff: ['normal'],
    reverseWriteOff: ['writtenOff'],
    changePayer: ['pending', 'normal'],
    editAmount: ['pending', 'normal'],
    pay: ['normal'],
  }
  for (const action of keysOfRecord(actionRules)) {
    for (const state of ['pending', 'normal', 'abolished', 'split', 'writtenOff'] as const) {
      const imported = { state, source: 'imported' } as const
      const facts = { children: [bill(), bill()] }
      expect([action, state, refusal(action, imported, facts) === undefined]).toEqual([
        action,
        state,
        allowed[action].includes(state),
      ])
      expect(refusal(action, { ...imported, deleted: true }, facts)).toBeDefined()
      if (allowed[action].includes(state)) {
        expect(refusal(action, { ...imported, lockedUntil: '2025-04-10 09:10:00' }, facts)).toContain(
          '账单正在支付中',
        )
        expect(refusal(action, { ...imported, lockedUntil: '2025-04-10 08:59:59' }, facts)).toBeUndefined()
        const to = actionRules[action].to
        if (to) {
          expect([action, billStateMachine.canTransition(state, to)]).toEqual([action, true])
        }
      }
    }
  }
  expect(refusal('recover')).toBe('当前为“正常”，不能恢复；只有“已作废”的账单可以恢复')
})

it('T-BILL-03 a bill with a fen paid is not abolished', () => {
  expect([
    refusal('abolish', { paidPrincipal: asFen(1) }),
    refusal('abolish', { latePaid: asFen(1) }),
  ]).toEqual(Array(2).fill('已缴费账单不能作废，请先退款'))
  expect(refusal('abolish', { invoiceState: 'part' })).toContain('已开票')
  expect(stateChange('abolish')).toEqual({ state: 'abolished' })
})

it('FEE-6 after a price change: bills that are paid, invoiced, split, discounted or adjusted by hand are not reissued', () => {
  expect(
    [
      refusal('reprice'),
      refusal('reprice', { paidPrincipal: asFen(1) }),
      refusal('reprice', { invoiceState: 'part' }),
      refusal('reprice', {}, { isSplitPart: true }),
      refusal('reprice', { discount: asFen(1) }),
      refusal('reprice', { lateManual: true }),
      refusal('reprice', { lateWaived: asFen(1) }),
      refusal('reprice', {}, { isSameAmount: true }),
    ].map(x => x?.slice(0, 5)),
  ).toEqual([
    undefined,
    '已缴费账单',
    '账单已开票',
    '由另一张账',
    '账单有减免',
    '违约金已人',
    '违约金已人',
    '金额不变，',
  ])
})

it('T-BILL-04 abolished, reissued, then not recovered', () => {
  expect(refusal('recover', { state: 'abolished' }, { overlapped: true })).toContain('本期已有有效账单')
  expect([
    refusal('recover', { state: 'abolished' }, { sourceDeleted: true }),
    refusal('recover', { state: 'abolished' }, { readingBilledElsewhere: true }),
  ]).toEqual([expect.stringContaining('已删除'), expect.stringContaining('读数')])
  expect([stateChange('recover'), stateChange('recover', '2025-05-01')]).toEqual([
    { state: 'normal' },
    { state: 'normal', dueDate: '2025-05-01' },
  ])
})

it('C3.2 the other conditions', () => {
  expect([
    refusal('delete', { notified: true }),
    refusal('delete', { refundState: 'full' }),
    refusal('delete', { state: 'abolished', notified: true }),
  ]).toEqual([expect.stringContaining('先作废'), expect.stringContaining('缴过费'), undefined])
  expect(
    [
      refusal('delete', { paidPrincipal: asFen(1) }),
      refusal('delete', { latePaid: asFen(1) }),
      refusal('delete', { refundState: 'part' }),
      refusal('delete'),
    ].map(x => x === undefined),
  ).toEqual([false, false, false, true])
  expect([stateChange('delete'), stateChange('audit', '2025-05-01'), stateChange('discount')]).toEqual([
    { deleted: true },
    { state: 'normal' },
    {},
  ])
  expect(
    [
      refusal('split', { paidPrincipal: asFen(1) }),
      refusal('changePayer', { paidPrincipal: asFen(1) }),
      refusal('discount', { payState: 'paid' }),
    ].every(Boolean),
  ).toBe(true)
  expect([
    refusal('editAmount'),
    refusal('editAmount', { source: 'temporary' }),
    refusal('editAmount', { source: 'imported', paidPrincipal: asFen(1) }),
  ]).toEqual([expect.stringContaining('作废后重新生成'), undefined, expect.stringContaining('退款')])
  expect([
    refusal('writeOff', {}, { approval: 'needed' }),
    refusal('writeOff', {}, { approval: 'given' }),
  ]).toEqual([expect.stringContaining('审批'), undefined])
  const back = (child: Partial<Bill>) =>
    refusal('mergeBack', { state: 'split' }, { children: [bill(), bill(child)] })
  expect(
    [
      back({}),
      refusal('mergeBack', { state: 'split' }),
      back({ state: 'abolished' }),
      back({ latePaid: asFen(1) }),
      back({ lockedUntil: '2025-04-10 10:00:00' }),
      back({ invoiceState: 'full' }),
    ].map(x => x?.slice(0, 8)),
  ).toEqual([
    undefined,
    '未找到拆分出的账',
    '拆分出的账单有的',
    '拆分出的账单已有',
    '拆分出的账单正在',
    '拆分出的账单已开',
  ])
})

it('BILL-1, GEN-7 searches and batches', () => {
  expect(searchRefusal(true, { count: 0, sum: 0 }, { count: 0, sum: 0 })).toContain('筛选条件')
  expect([
    searchRefusal(false, { count: 2, sum: asFen(100) }, { count: 3, sum: asFen(100) }),
    searchRefusal(false, { count: 2, sum: asFen(100) }, { count: 2, sum: asFen(101) }),
    searchRefusal(false, { count: 2, sum: asFen(100) }, { count: 2, sum: asFen(100) }),
  ]).toEqual([
    '数据已变化：原为 2 张 1.00 元，现为 3 张 1.00 元，请核对后重试',
    '数据已变化：原为 2 张 1.00 元，现为 2 张 1.01 元，请核对后重试',
    undefined,
  ])
  const batch = [
    bill(),
    bill({ id: asId(2), paidPrincipal: asFen(1) }),
    bill({ id: asId(3), state: 'abolished' }),
    bill({ id: asId(4), invoiceState: 'full' }),
  ]
  expect(planUndo(batch, false, now)).toBe('该批次有 1 张账单已缴费，不能整批撤销；可勾选“仅撤销未缴”')
  expect(planUndo(batch, true, now)).toEqual({
    abolish: [1],
    kept: [
      { id: 2, why: '已缴费账单不能作废，请先退款' },
      { id: 4, why: '账单已开票，请先红冲或作废发票' },
    ],
  })
  expect(planUndo([defined(batch[0])], false, now)).toEqual({ abolish: [1], kept: [] })
})

it('C3.2: a fen paid on a half, an invoice or an allocated pool forbids the way back', () => {
  const mergeBack = (child: Partial<Bill>) =>
    refusal('mergeBack', { state: 'split' }, { children: [bill(), bill(child)] })
  expect([mergeBack({ paidPrincipal: asFen(1) }), mergeBack({ latePaid: asFen(1) })]).toEqual(
    Array(2).fill('拆分出的账单已有缴费，请先退款'),
  )
  expect(refusal('changePayer', { invoiceState: 'part' })).toContain('已开票')
  expect(refusal('recover', { state: 'abolished' }, { poolReshared: true })).toContain('公摊')
})

it('BILL-3: an invoice keeps a bill from being deleted, remade, split or given to another payer', () => {
  for (const [action, state] of [
    ['delete', 'abolished'],
    ['delete', 'normal'],
    ['abolish', 'normal'],
    ['reprice', 'normal'],
    ['split', 'normal'],
    ['changePayer', 'normal'],
  ] as const) {
    expect([action, refusal(action, { state, invoiceState: 'part' })]).toEqual([
      action,
      '账单已开票，请先红冲或作废发票',
    ])
  }
  expect(refusal('editAmount', { source: 'imported', invoiceState: 'part' })).toBe(
    '账单已开票，请先红冲或作废发票',
  )
})
