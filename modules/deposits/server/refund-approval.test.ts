import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { asFen } from '#kit/domain/money.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalMessageOf, refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { getInstanceOfRecord } from '#modules/approvals/contract/instance.ts'
import {
  approveRequest,
  refuseRequest,
  resubmitRequest,
} from '#modules/approvals/contract/instance-actions.ts'
import { processes, setProcessState } from '#modules/approvals/contract/process.ts'
import { listRecords } from '#modules/payments/contract/record.ts'
import { cancelRefund, listRefunds } from '#modules/payments/contract/refund.ts'
import {
  getAccount,
  listAccounts,
  refundAccount,
  topUp,
  type PrestoreAccount,
} from '#modules/prestore/contract/account.ts'
import { addDeposit, deductDeposit, deposits, refundDeposit, type Deposit } from '../contract/deposit.ts'

const projectCode = 'GOLD0001'

let t: GoldenApp
let me: CallOptions
let approver: CallOptions
let processId: Id
let roomCode: string

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
  const clerk = await t.addClerk([])
  approver = clerk.as
  const db = t.database.reader(t.ownerId)
  const account = await db.one<{ id: Id }>(sql`select id from manager where login_code = ${clerk.loginCode}`)
  const room = await db.one<{ code: string }>(sql`
    select code from room where project_code = ${projectCode} and delete_tag = 0 order by sort_key limit 1
  `)
  roomCode = defined(room).code
  const node = {
    key: 'a',
    name: '经理',
    rule: 'people' as const,
    managerIds: [String(defined(account).id)],
    mode: 'all' as const,
    refuseTo: 'end' as const,
    conditions: [{ field: 'amount', operator: 'atLeast' as const, value: '100.00' }],
  }
  const process = await t.call(
    processes.save,
    {
      bizType: 'refund',
      processName: '退款审批',
      nodes: [node],
      emptyPolicy: 'administrator',
      skipsRepeated: true,
      state: 'on',
    },
    me,
  )
  processId = process.id
})

beforeEach(() => t.call(setProcessState, { id: processId, state: 'on' }, me))
afterAll(() => t?.close())

async function openAccount(): Promise<PrestoreAccount> {
  await t.call(
    topUp,
    {
      projectCode,
      ownerKind: 'room',
      ownerCode: roomCode,
      feeItemId: 0,
      methods: [{ method: 'cash', amount: asFen(50_000) }],
    },
    me,
  )
  const { rows } = await t.call(listAccounts, { ownerCode: roomCode, ownerKind: ['room'] }, me)
  return defined(rows.find(row => row.feeItemId === 0))
}

const openDeposit = (): Promise<Deposit> =>
  t.call(
    addDeposit,
    {
      projectCode,
      kind: 'fitting',
      roomCode,
      amount: asFen(50_000),
      methods: [{ method: 'cash', amount: asFen(50_000) }],
    },
    me,
  )

const back = { method: 'cash' as const, reason: '业主要求退还' }
const refundOf = async (refundNo: string | undefined) =>
  defined((await t.call(listRefunds, { keyword: defined(refundNo) }, me)).rows[0])
const approvalOf = (bizId: Id) => t.call(getInstanceOfRecord, { bizType: 'refund', bizId }, me)
const paidBack = async (): Promise<number> =>
  (await t.call(listRecords, { size: 2000, projectCode }, me)).rows.filter(row => row.tenderedAmount < 0)
    .length

const kinds = [
  {
    subject: 'prestore' as const,
    open: openAccount,
    refund: (id: Id, amount: number) => t.call(refundAccount, { id, amount: asFen(amount), ...back }, me),
    read: (id: Id) => t.call(getAccount, { id }, me),
    tooMuch: '最多可退',
  },
  {
    subject: 'deposit' as const,
    open: openDeposit,
    refund: (id: Id, amount: number) => t.call(refundDeposit, { id, amount: asFen(amount), ...back }, me),
    read: (id: Id) => t.call(deposits.get, { id }, me),
    tooMuch: '正在退款审批',
  },
]

it.each(kinds)(
  'a refund of $subject waits for its approval and is paid once with it (APR-5, REF-1)',
  async kind => {
    const source = await kind.open()
    const before = await paidBack()
    const asked = await kind.refund(source.id, source.balance - 1000)
    expect(asked).toMatchObject({ balance: source.balance, refunding: source.balance - 1000 })
    const refund = await refundOf(asked.refundNo)
    expect(refund).toMatchObject({ state: 'approving', subject: kind.subject, amount: source.balance - 1000 })
    expect(await refusalTextOf(kind.refund(source.id, 1001))).toContain(kind.tooMuch)
    expect(await paidBack()).toBe(before)
    await t.call(approveRequest, { id: (await approvalOf(refund.id)).id }, approver)
    expect(await kind.read(source.id)).toMatchObject({ balance: 1000, refunding: 0 })
    expect(await paidBack()).toBe(before + 1)
    const done = await refundOf(asked.refundNo)
    expect(done).toMatchObject({ state: 'done', auditNote: '审批通过' })
    expect(await refusalMessageOf(t.call(cancelRefund, { id: done.id, reason: '重复办理' }, me))).toContain(
      '不能撤销',
    )
  },
)

it.each(kinds)('a refund of $subject that is refused or cancelled lets the money go', async kind => {
  const source = await kind.open()
  const refused = await refundOf((await kind.refund(source.id, 20_000)).refundNo)
  await t.call(refuseRequest, { id: (await approvalOf(refused.id)).id, opinion: '凭证不全' }, approver)
  expect(await kind.read(source.id)).toMatchObject({ balance: source.balance, refunding: 0 })
  const cancelled = await refundOf((await kind.refund(source.id, 20_000)).refundNo)
  await t.call(cancelRefund, { id: cancelled.id, reason: '业主不退了' }, me)
  expect(await kind.read(source.id)).toMatchObject({ balance: source.balance, refunding: 0 })
  expect([(await refundOf(refused.refundNo)).state, (await refundOf(cancelled.refundNo)).state]).toEqual([
    'rejected',
    'cancelled',
  ])
  expect((await approvalOf(cancelled.id)).state).toBe('terminated')
})

it.each(kinds)('a returned refund of $subject goes in again with less money, never with more', async kind => {
  const source = await kind.open()
  const refund = await refundOf((await kind.refund(source.id, 30_000)).refundNo)
  const { id } = await approvalOf(refund.id)
  await t.call(refuseRequest, { id, opinion: '金额有误', refuseTo: 'requester' }, approver)
  const amend = (amount: string) =>
    t.call(resubmitRequest, { id, form: JSON.stringify({ amount, reason: '按实际退还' }) }, me)
  expect(await refusalTextOf(amend('300.01'))).toContain('不能高于原申请')
  expect(await refusalTextOf(amend('0.00'))).toContain('大于 0')
  await amend('200.00')
  expect(await refundOf(refund.refundNo)).toMatchObject({ amount: 20_000, reason: '按实际退还' })
  expect((await kind.read(source.id)).refunding).toBe(20_000)
  await t.call(approveRequest, { id }, approver)
  expect(await kind.read(source.id)).toMatchObject({ balance: source.balance - 20_000, refunding: 0 })
  // So little that nobody has to be asked any more is paid at once.
  const small = await refundOf((await kind.refund(source.id, 20_000)).refundNo)
  const second = await approvalOf(small.id)
  await t.call(refuseRequest, { id: second.id, opinion: '金额有误', refuseTo: 'requester' }, approver)
  const less = { id: second.id, form: JSON.stringify({ amount: '10.00', reason: '按实际退还' }) }
  await t.call(resubmitRequest, less, me)
  expect((await refundOf(small.refundNo)).state).toBe('done')
  expect(await kind.read(source.id)).toMatchObject({ balance: source.balance - 21_000, refunding: 0 })
})

it.each(kinds)(
  'below the limit, and without a flow in use, $subject is paid at once as before',
  async kind => {
    const source = await kind.open()
    expect(await kind.refund(source.id, 5000)).toMatchObject({ balance: source.balance - 5000, refunding: 0 })
    await t.call(setProcessState, { id: processId, state: 'off' }, me)
    expect((await kind.refund(source.id, 20_000)).balance).toBe(source.balance - 25_000)
  },
)

it.each(kinds)('two refunds of $subject in the same instant never ask for more than there is', async kind => {
  const source = await kind.open()
  const half = source.balance / 2 + 1000
  const asked = await Promise.allSettled([kind.refund(source.id, half), kind.refund(source.id, half)])
  const refunds = asked.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
  expect(refunds).toHaveLength(1)
  expect((await kind.read(source.id)).refunding).toBe(half)
})

it('what a refund under approval asks for is deducted from a deposit by nobody (REF-1)', async () => {
  const source = await openDeposit()
  await t.call(refundDeposit, { id: source.id, amount: asFen(40_000), ...back }, me)
  expect(
    await refusalTextOf(
      t.call(
        deductDeposit,
        { id: source.id, amount: asFen(20_000), reason: '墙面损坏', evidence: ['k1'] },
        me,
      ),
    ),
  ).toContain('正在退款审批')
})
