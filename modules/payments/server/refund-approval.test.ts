import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { asFen, formatYuan, type Fen } from '#kit/domain/money.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalMessageOf, refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { getInstanceOfRecord } from '#modules/approvals/contract/instance.ts'
import {
  approveRequest,
  refuseRequest,
  resubmitRequest,
  withdrawRequest,
} from '#modules/approvals/contract/instance-actions.ts'
import { processes, setProcessState } from '#modules/approvals/contract/process.ts'
import { getWorkQueues } from '#modules/system/contract/work-queue.ts'
import { refundState } from '../contract/choices.ts'
import { settleEnding } from '../contract/ended-charge-credit.ts'
import { payBills } from '../contract/payment.ts'
import { getRecord, voidRecord } from '../contract/record.ts'
import {
  auditRefund,
  cancelRefund,
  getRefund,
  listRefunds,
  requestRefund,
  retryRefund,
} from '../contract/refund.ts'

const projectCode = 'GOLD0001'

let t: GoldenApp
let me: CallOptions
let other: CallOptions
let first: CallOptions
let second: CallOptions
let processId: Id
let item: Id
let n = 0

const idOf = async (login: string): Promise<Id> =>
  defined(
    await t.database
      .reader(t.ownerId)
      .one<{ id: Id }>(sql`select id from manager where login_code = ${login}`),
  ).id

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
  other = await t.signedInAs(golden.first.estateOnly)
  item = await t.addFeeItem('REFAPR', { name: '退款审批', multi: true })
  const clerks = [await t.addClerk([]), await t.addClerk([])]
  first = defined(clerks[0]).as
  second = defined(clerks[1]).as
  const ids = await Promise.all(clerks.map(clerk => idOf(clerk.loginCode)))
  const [one, two] = ids.map((id, i) => ({
    key: `n${i}`,
    name: `审批${i}`,
    rule: 'people' as const,
    managerIds: [String(id)],
    mode: 'all' as const,
    refuseTo: 'end' as const,
    conditions: [{ field: 'amount', operator: 'atLeast' as const, value: '100.00' }],
  }))
  const process = await t.call(
    processes.save,
    {
      bizType: 'refund',
      processName: '退款审批',
      nodes: [defined(one), defined(two)],
      emptyPolicy: 'administrator',
      skipsRepeated: true,
      state: 'on',
    },
    me,
  )
  processId = process.id
})

afterAll(() => t?.close())

async function addBill(amount: Fen): Promise<Id> {
  const no = `RA${++n}`
  const added = await t.database.tx(t.ownerId, tx =>
    tx.one<{ id: Id }>(sql`
      insert into bill (
        owner_id, project_code, bill_no, source_type, source_code, source_name, fee_item_id, fee_item_name,
        fee_type, begin_date, end_date, belong_month, amount, due_date, state, bill_source, run_split_root
      )
      values (
        ${t.ownerId}, ${projectCode}, ${no}, 10, ${no}, '1-1-101', ${item}, '退款审批', 10, '2026-09-01',
        '2026-09-30', '2026-09', ${formatYuan(amount)}::numeric, '2026-12-13', 20, 20, 0
      )
      returning id
    `),
  )
  return defined(added).id
}

async function pay(amount: Fen): Promise<Id> {
  const billId = await addBill(amount)
  const { recordId } = await t.call(
    payBills,
    { projectCode, billIds: [String(billId)], expectAmount: amount, methods: [{ method: 'cash', amount }] },
    me,
  )
  return recordId
}

/** A payment of one bill, and the request to give it back. */
async function askBack(amount: Fen) {
  const recordId = await pay(amount)
  const record = await t.call(getRecord, { id: recordId }, me)
  const lines = [{ detailId: defined(record.details[0]).id, principal: amount, late: asFen(0) }]
  return t.call(
    requestRefund,
    { recordId, lines, refundWay: 'cash', billAfter: 'owed', reason: '多收退回' },
    me,
  )
}

const approvalOf = (bizId: Id, as = me) => t.call(getInstanceOfRecord, { bizType: 'refund', bizId }, as)
const stateOf = async (id: Id) => (await t.call(getRefund, { id }, me)).state
const refundingOf = async (id: Id) =>
  (await t.call(getRecord, { id: (await t.call(getRefund, { id }, me)).recordId }, me)).refundingAmount

it('a refund above the limit of the definition goes through two approvers to the cashier (REF-3, APR-5)', async () => {
  const refund = await askBack(asFen(20_000))
  expect(refund.state).toBe('approving')
  expect(await refusalMessageOf(t.call(auditRefund, { id: refund.id, pass: true }, other))).toContain(
    '正在审批',
  )
  const { id } = await approvalOf(refund.id)
  await t.call(approveRequest, { id }, first)
  expect(await stateOf(refund.id)).toBe('approving')
  // What an approval decides on waits for no audit (REF-3).
  const audits = await t.call(getWorkQueues, undefined, other)
  expect(audits.queues.find(queue => queue.key === 'payments.refunds')?.count ?? 0).toBe(0)
  await t.call(approveRequest, { id, opinion: '同意退款' }, second)
  expect(await t.call(getRefund, { id: refund.id }, me)).toMatchObject({
    state: 'done',
    auditNote: '审批通过',
  })
})

it('below the limit, and without a definition in use, the threshold of the project decides as before', async () => {
  const small = await askBack(asFen(5000))
  expect(small.state).toBe('pending')
  expect((await t.call(auditRefund, { id: small.id, pass: true }, other)).state).toBe('done')
  await t.call(setProcessState, { id: processId, state: 'off' }, me)
  const large = await askBack(asFen(20_000))
  expect((await t.call(auditRefund, { id: large.id, pass: true }, other)).state).toBe('done')
  await t.call(setProcessState, { id: processId, state: 'on' }, me)
})

it('a refusal and a withdrawal let the money go; a cancelled refund ends its approval', async () => {
  const refused = await askBack(asFen(20_000))
  await t.call(refuseRequest, { id: (await approvalOf(refused.id)).id, opinion: '凭证不全' }, first)
  expect([await stateOf(refused.id), await refundingOf(refused.id)]).toEqual(['rejected', 0])
  expect(await t.call(getRefund, { id: refused.id }, me)).toMatchObject({
    auditName: expect.stringMatching(/./),
    auditNote: '审批驳回：凭证不全',
  })
  const withdrawn = await askBack(asFen(20_000))
  await t.call(withdrawRequest, { id: (await approvalOf(withdrawn.id)).id }, me)
  expect([await stateOf(withdrawn.id), await refundingOf(withdrawn.id)]).toEqual(['cancelled', 0])
  const cancelled = await askBack(asFen(20_000))
  await t.call(cancelRefund, { id: cancelled.id, reason: '缴费人不退了' }, me)
  expect(await stateOf(cancelled.id)).toBe('cancelled')
  expect((await approvalOf(cancelled.id)).state).toBe('terminated')
})

it('the second approval against the cancelling of the refund: one of them happens', async () => {
  for (let i = 0; i < 4; i++) {
    const refund = await askBack(asFen(20_000))
    const { id } = await approvalOf(refund.id)
    await t.call(approveRequest, { id }, first)
    await Promise.allSettled([
      t.call(approveRequest, { id }, second),
      t.call(cancelRefund, { id: refund.id, reason: '同时取消' }, me),
    ])
    const { state } = await approvalOf(refund.id)
    const stateNow = await stateOf(refund.id)
    // A cash refund of the same day may be taken back after it was approved (REF-6).
    expect(['approved', 'terminated']).toContain(state)
    expect(state === 'terminated' ? stateNow : 'cancelled').toBe('cancelled')
    expect(await refundingOf(refund.id)).toBe(0)
  }
})

it('what nobody has approved is neither tried again nor audited out of its turn (C6.1, REF-3)', async () => {
  const states = ['pending', 'approving', 'doing', 'done', 'rejected', 'cancelled', 'failed'] as const
  const setState = (id: Id, state: (typeof states)[number]) =>
    t.database.tx(t.ownerId, tx =>
      tx.execute(sql`update fee_refund set state = ${code(refundState, state)} where id = ${id}`),
    )
  const refund = await askBack(asFen(20_000))
  const { id } = refund
  for (const state of states) {
    await setState(id, state)
    if (state !== 'failed') {
      expect(await refusalMessageOf(t.call(retryRefund, { id }, other)), state).toContain('可以重试')
    }
    if (state !== 'pending') {
      expect(await refusalMessageOf(t.call(auditRefund, { id, pass: true }, other)), state).toMatch(
        /可以审核|正在审批/,
      )
    }
    expect(await stateOf(id)).toBe(state)
  }
  const instance = await approvalOf(id)
  await t.call(approveRequest, { id: instance.id }, first)
  await setState(id, 'done')
  expect(await refusalMessageOf(t.call(approveRequest, { id: instance.id }, second))).toContain('审批通过')
  expect(await refundingOf(id)).toBe(20_000)
  // A refund that was paid past its approval stays paid, whatever becomes of the request.
  await t.call(refuseRequest, { id: instance.id, opinion: '已付' }, second)
  expect([await stateOf(id), await refundingOf(id)]).toEqual(['done', 20_000])
})

it('no node leaves the approver to a requester who is not asked (APR-1)', async () => {
  const { id: _, version: __, ...definition } = await t.call(processes.get, { id: processId }, me)
  const nodes = definition.nodes.slice(0, 1).map(node => ({ ...node, rule: 'requesterChoice' as const }))
  const save = t.call(processes.save, { ...definition, processName: '自选', state: 'off', nodes }, me)
  expect(await refusalMessageOf(save)).toContain('不能由申请人自选审批人')
})

it('what an ended charge has to give back waits again once its refund is refused (CYC-9)', async () => {
  const recordId = await pay(asFen(30_000))
  const { details } = await t.call(getRecord, { id: recordId }, me)
  const added = await t.database.tx(t.ownerId, tx =>
    tx.one<{ id: Id }>(sql`
      insert into bill_follow_up (owner_id, project_code, bill_id, kind, effective_date, amount)
      values (${t.ownerId}, ${projectCode}, ${defined(details[0]).billId}, 30, '2026-09-11', '200.00')
      returning id
    `),
  )
  const { id } = defined(added)
  const stateOfFollowUp = () =>
    t.database
      .reader(t.ownerId)
      .one<{ state: number; amount: string }>(sql`select state, amount from bill_follow_up where id = ${id}`)
  const settle = async (): Promise<Id> => {
    await t.call(settleEnding, { id, refundWay: 'cash', reason: '止收后多缴' }, me)
    const last = await t.database
      .reader(t.ownerId)
      .one<{ id: Id }>(sql`select max(id) as id from fee_refund where record_id = ${recordId}`)
    return defined(last).id
  }
  const open = { state: 10, amount: '200.00' }
  await t.call(refuseRequest, { id: (await approvalOf(await settle())).id, opinion: '凭证不全' }, first)
  expect(await stateOfFollowUp()).toEqual(open)
  await t.call(withdrawRequest, { id: (await approvalOf(await settle())).id }, me)
  expect(await stateOfFollowUp()).toEqual(open)
  await t.call(cancelRefund, { id: await settle(), reason: '缴费人不退了' }, me)
  expect(await stateOfFollowUp()).toEqual(open)
  const { id: request } = await approvalOf(await settle())
  await t.call(approveRequest, { id: request }, first)
  await t.call(approveRequest, { id: request }, second)
  expect((await stateOfFollowUp())?.state).not.toBe(10)
})

it('a returned refund shows so with its reason, and goes in again as it is or is cancelled (APR-4)', async () => {
  const { id: _, version: __, ...definition } = await t.call(processes.get, { id: processId }, me)
  await t.call(setProcessState, { id: processId, state: 'off' }, me)
  const nodes = definition.nodes.slice(0, 1).map(node => ({ ...node, refuseTo: 'requester' as const }))
  const returning = { ...definition, processName: '退款退回', nodes, state: 'on' as const }
  const { id: returningId } = await t.call(processes.save, returning, me)
  const refund = await askBack(asFen(20_000))
  const { id } = await approvalOf(refund.id)
  await t.call(refuseRequest, { id, opinion: '请补凭证' }, first)
  const returned = { state: 'approving', isReturned: true, returnReason: '请补凭证' }
  expect(await t.call(getRefund, { id: refund.id }, me)).toMatchObject(returned)
  const listed = await t.call(listRefunds, { isReturned: true }, { ...me, projectCode })
  expect(listed.rows.map(row => row.id)).toEqual([refund.id])
  const { amendFields, amendForm, amendLink } = await approvalOf(refund.id)
  expect(amendFields?.map(({ key }) => key)).toEqual(['refundWay', 'reason'])
  expect(JSON.parse(defined(amendForm))).toEqual({ refundWay: 'cash', reason: '多收退回' })
  expect(amendLink).toContain(`again=${id}`)
  const amend = (form: object) => t.call(resubmitRequest, { id, form: JSON.stringify(form) }, me)
  // Another amount is another refund (REF-2).
  expect(await refusalTextOf(amend({ amount: '1.00' }))).toContain('表单没有字段：amount')
  await amend({ refundWay: 'cash', reason: '多收退回，凭证已补' })
  const again = await t.call(getRefund, { id: refund.id }, me)
  expect([again.reason, again.amount]).toEqual(['多收退回，凭证已补', 20_000])
  expect((await approvalOf(refund.id)).formLines).toContainEqual(
    expect.objectContaining({ label: '原因', value: '多收退回，凭证已补' }),
  )
  expect([again.state, again.isReturned, again.returnReason]).toEqual(['approving', false, undefined])
  await t.call(refuseRequest, { id, opinion: '仍缺凭证' }, first)
  await t.call(cancelRefund, { id: refund.id, reason: '重新申请' }, me)
  const cancelled = await t.call(getRefund, { id: refund.id }, me)
  expect([cancelled.state, cancelled.isReturned]).toEqual(['cancelled', false])
  const later = await askBack(asFen(20_000))
  const { id: laterId } = await approvalOf(later.id)
  await t.call(refuseRequest, { id: laterId, opinion: '请补凭证' }, first)
  await t.call(resubmitRequest, { id: laterId }, me)
  await t.call(approveRequest, { id: laterId }, first)
  expect(await stateOf(later.id)).toBe('done')
  await t.call(setProcessState, { id: returningId, state: 'off' }, me)
  await t.call(setProcessState, { id: processId, state: 'on' }, me)
})

it('voiding a payment waits for its approval where a definition asks for it (PAY-21)', async () => {
  const { id: _, version: __, ...definition } = await t.call(processes.get, { id: processId }, me)
  const nodes = definition.nodes.slice(0, 1)
  await t.call(processes.save, { ...definition, bizType: 'void', processName: '作废审批', nodes }, me)
  const small = await pay(asFen(5000))
  expect(await t.call(voidRecord, { id: small, reason: '录入有误' }, me)).toEqual({ isPending: false })
  const record = await pay(asFen(20_000))
  expect(await t.call(voidRecord, { id: record, reason: '录入有误' }, me)).toEqual({ isPending: true })
  expect(await refusalMessageOf(t.call(voidRecord, { id: record, reason: '录入有误' }, me))).toContain(
    '审批中',
  )
  expect((await t.call(getRecord, { id: record }, me)).state).toBe('normal')
  const { id } = await t.call(getInstanceOfRecord, { bizType: 'void', bizId: record }, me)
  await t.call(refuseRequest, { id, opinion: '原因不详', refuseTo: 'requester' }, first)
  const form = JSON.stringify({ reason: '金额录入有误' })
  await t.call(resubmitRequest, { id, form }, me)
  await t.call(approveRequest, { id }, first)
  expect((await t.call(getRecord, { id: record }, me)).voidReason).toBe('金额录入有误')
  expect((await t.call(getRecord, { id: record }, me)).state).toBe('voided')
})

it('a payment that a later one is on is refused before its approval is asked for (PAY-21, APR-5)', async () => {
  const [before, later] = [await pay(asFen(20_000)), await pay(asFen(20_000))]
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`
      update pay_detail
      set bill_id = (select bill_id from pay_detail where owner_id = ${t.ownerId} and record_id = ${before})
      where owner_id = ${t.ownerId} and record_id = ${later}
    `),
  )
  expect(await refusalMessageOf(t.call(voidRecord, { id: before, reason: '录入有误' }, me))).toContain(
    '此后又有收款',
  )
})
