import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { asFen, formatYuan, type Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalMessageOf, refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import type { ApprovalKindKey } from '#modules/approvals/contract/choices.ts'
import {
  approveRequest,
  refuseRequest,
  resubmitRequest,
} from '#modules/approvals/contract/instance-actions.ts'
import { getInstanceOfRecord } from '#modules/approvals/contract/instance.ts'
import { processes, setProcessState } from '#modules/approvals/contract/process.ts'
import { writeOffBills } from '../contract/actions.ts'
import { setDiscount } from '../contract/adjustments.ts'

let t: GoldenApp
let me: CallOptions
let approver: CallOptions
let approverId: Id
let item: Id
let n = 0

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
  item = await t.addFeeItem('BILLAPR', { name: '账单审批', multi: true })
  const clerk = await t.addClerk([])
  approver = clerk.as
  approverId = defined(
    await t.database
      .reader(t.ownerId)
      .one<{ id: Id }>(sql`select id from manager where login_code = ${clerk.loginCode}`),
  ).id
})

afterAll(() => t?.close())

const define = (bizType: ApprovalKindKey, limit: string, processName = `流程 ${bizType}`) =>
  t.call(
    processes.save,
    {
      bizType,
      processName,
      nodes: [
        {
          key: 'n1',
          name: '财务审批',
          rule: 'people',
          managerIds: [String(approverId)],
          mode: 'all',
          refuseTo: 'end',
          conditions: [{ field: 'amount', operator: 'more', value: limit }],
        },
      ],
      emptyPolicy: 'administrator',
      skipsRepeated: true,
      state: 'on',
    },
    me,
  )

async function addBill(amount: Fen): Promise<Id> {
  const no = `BA${++n}`
  const added = await t.database.tx(t.ownerId, tx =>
    tx.one<{ id: Id }>(sql`
      insert into bill (
        owner_id, project_code, bill_no, source_type, source_code, source_name, fee_item_id, fee_item_name,
        fee_type, begin_date, end_date, belong_month, amount, due_date, state, bill_source, run_split_root
      )
      values (
        ${t.ownerId}, 'GOLD0001', ${no}, 10, ${no}, '1-1-101', ${item}, '账单审批', 10, '2026-09-01',
        '2026-09-30', '2026-09', ${formatYuan(amount)}::numeric, '2026-12-13', 20, 20, 0
      )
      returning id
    `),
  )
  return defined(added).id
}

const billOf = async (id: Id) =>
  defined(
    await t.database.reader(t.ownerId).one<{ state: number; off: string }>(sql`
      select state, discount_amount::text as off
      from bill
      where owner_id = ${t.ownerId} and id = ${id}
    `),
  )

const approvalOf = async (bizType: ApprovalKindKey, bizId: Id) =>
  (await t.call(getInstanceOfRecord, { bizType, bizId }, me)).id

it('a discount above the limit of the definition waits; below it is done at once (BILL-3, APR-5)', async () => {
  const process = await define('discount', '100')
  const [first, second] = [await addBill(asFen(20_000)), await addBill(asFen(20_000))]
  const ids = [String(first), String(second)]
  const small = await t.call(setDiscount, { ids, kind: 'amount', amount: asFen(5000), reason: '补偿' }, me)
  expect([small.success, (await billOf(first)).off]).toEqual([2, '50.00'])
  const large = { ids, kind: 'rate', percent: '50', reason: '疫情减免' } as const
  expect(await t.call(setDiscount, large, me)).toMatchObject({
    success: 0,
    skipped: 2,
    rows: [{ reason: '已提交审批，通过后生效' }, { reason: '已提交审批，通过后生效' }],
  })
  // Only the bill that waits is left out of a batch.
  const third = await addBill(asFen(40_000))
  const batch = await t.call(setDiscount, { ...large, ids: [String(second), String(third)] }, me)
  expect(batch.rows).toEqual([
    expect.objectContaining({ id: second, reason: '已在审批中，请等待审批结果' }),
    expect.objectContaining({ id: third, reason: '已提交审批，通过后生效' }),
  ])
  const waiting = await t.call(getInstanceOfRecord, { bizType: 'discount', bizId: third }, me)
  expect(waiting.title).toContain('减免 1 张账单')
  expect(await t.call(setDiscount, large, me)).toMatchObject({
    success: 0,
    rows: [{ reason: '已在审批中，请等待审批结果' }, { reason: '已在审批中，请等待审批结果' }],
  })
  expect((await billOf(first)).off).toBe('50.00')
  await t.call(approveRequest, { id: await approvalOf('discount', first) }, approver)
  expect([(await billOf(first)).off, (await billOf(second)).off]).toEqual(['100.00', '100.00'])
  await t.call(setProcessState, { id: process.id, state: 'off' }, me)
  const again = await t.call(setDiscount, { ids, kind: 'amount', amount: asFen(19_000), reason: '补偿' }, me)
  expect(again.success).toBe(2)
})

it('a discount is not approved once a payment has changed its bills (APR-5)', async () => {
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`update process set state = 20 where owner_id = ${t.ownerId}`),
  )
  await define('discount', '100.00', '减免二')
  const bill = await addBill(asFen(40_000))
  const ids = [String(bill)]
  await t.call(setDiscount, { ids, kind: 'rate', percent: '50', reason: '疫情减免' }, me)
  // Its payer may pay, whatever waits; another discount, however small, does not come in between.
  const small = await t.call(setDiscount, { ids, kind: 'amount', amount: asFen(1000), reason: '补偿' }, me)
  expect(small.rows).toMatchObject([{ id: bill, reason: '已在审批中，请等待审批结果' }])
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`
      update bill set paid_principal = 10 where owner_id = ${t.ownerId} and id = ${bill}
    `),
  )
  const request = await approvalOf('discount', bill)
  expect(await refusalMessageOf(t.call(approveRequest, { id: request }, approver))).toContain('账单已有变动')
  await t.call(refuseRequest, { id: request, opinion: '重新申请' }, approver)
  expect((await billOf(bill)).off).toBe('0.00')
})

it('a write-off waits for its approval, and is refused where the bill has changed since', async () => {
  await define('writeOff', '0')
  const bill = await addBill(asFen(30_000))
  const ids = [String(bill)]
  expect((await t.call(writeOffBills, { ids, reason: '无法收回' }, me)).skipped).toBe(1)
  const id = await approvalOf('writeOff', bill)
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`update bill set state = 30 where owner_id = ${t.ownerId} and id = ${bill}`),
  )
  expect(await refusalMessageOf(t.call(approveRequest, { id }, approver))).toContain('账单已有变动')
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`update bill set state = 20 where owner_id = ${t.ownerId} and id = ${bill}`),
  )
  await t.call(approveRequest, { id }, approver)
  expect((await billOf(bill)).state).toBe(50)
  const other = await addBill(asFen(30_000))
  await t.call(writeOffBills, { ids: [String(other)], reason: '无法收回' }, me)
  await t.call(refuseRequest, { id: await approvalOf('writeOff', other), opinion: '继续催缴' }, approver)
  expect((await billOf(other)).state).toBe(20)
  // Asked for again, it leads to what was refused.
  await t.call(writeOffBills, { ids: [String(other)], reason: '仍无法收回' }, me)
  const { earlier } = await t.call(getInstanceOfRecord, { bizType: 'writeOff', bizId: other }, me)
  expect(earlier).toMatchObject([{ state: 'refused', instanceNo: expect.stringMatching(/^SP/) }])
})

it.each(['discount', 'writeOff'] as const)(
  'a %s asks for what it can do alone, and reports the paid bills with their reason (APR-5, BILL-3)',
  async kind => {
    await t.database.tx(t.ownerId, tx =>
      tx.execute(sql`update process set state = 20 where owner_id = ${t.ownerId}`),
    )
    await define(kind, '0', `缴清 ${kind}`)
    const [paid, open] = [await addBill(asFen(20_000)), await addBill(asFen(20_000))]
    await t.database.tx(t.ownerId, tx =>
      tx.execute(sql`
        update bill
        set paid_principal = amount, pay_state = 1
        where owner_id = ${t.ownerId} and id = ${paid}
      `),
    )
    const send = (ids: readonly string[]) =>
      kind === 'discount'
        ? t.call(setDiscount, { ids: [...ids], kind: 'rate', percent: '10', reason: '疫情减免' }, me)
        : t.call(writeOffBills, { ids: [...ids], reason: '无法收回' }, me)
    const nothing = await send([String(paid)])
    expect([nothing.success, nothing.skipped]).toEqual([0, 1])
    expect(nothing.rows[0]?.reason).toContain('已缴清')
    const mixed = await send([String(paid), String(open)])
    expect(mixed.rows.map(({ id, reason }) => [id, reason.includes('已缴清')])).toEqual([
      [paid, true],
      [open, false],
    ])
    await t.call(approveRequest, { id: await approvalOf(kind, open) }, approver)
    const { state, off } = await billOf(open)
    expect([state, off]).toEqual(kind === 'discount' ? [20, '20.00'] : [50, '0.00'])
  },
)

it('a returned discount is amended and goes in again with its bills as they are by then (APR-4)', async () => {
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`update process set state = 20 where owner_id = ${t.ownerId}`),
  )
  await define('discount', '100', '减免退回')
  const [paid, open] = [await addBill(asFen(40_000)), await addBill(asFen(40_000))]
  const ids = [String(paid), String(open)]
  await t.call(setDiscount, { ids, kind: 'rate', percent: '50', reason: '疫情减免' }, me)
  const id = await approvalOf('discount', paid)
  await t.call(refuseRequest, { id, opinion: '比例过高', refuseTo: 'requester' }, approver)
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`
      update bill set paid_principal = amount, pay_state = 1 where owner_id = ${t.ownerId} and id = ${paid}
    `),
  )
  const amend = (form: object) => t.call(resubmitRequest, { id, form: JSON.stringify(form) }, me)
  expect(await refusalTextOf(amend({ kind: 'rate', reason: '疫情减免' }))).toContain('请填写减免比例')
  await amend({ kind: 'amount', each: '120.00', reason: '按标准减免' })
  const { amount, title, form } = await t.call(getInstanceOfRecord, { bizType: 'discount', bizId: open }, me)
  expect([amount, title.includes('减免 1 张账单')]).toEqual([12_000, true])
  expect(JSON.parse(form)).not.toHaveProperty('percent')
  expect(JSON.parse(form).leftOut).toContain('已缴清')
  await t.call(approveRequest, { id }, approver)
  expect((await billOf(open)).off).toBe('120.00')
  // So little that nobody has to be asked any more is done at once.
  const next = await addBill(asFen(40_000))
  await t.call(setDiscount, { ids: [String(next)], kind: 'rate', percent: '50', reason: '疫情减免' }, me)
  const small = await approvalOf('discount', next)
  await t.call(refuseRequest, { id: small, opinion: '比例过高', refuseTo: 'requester' }, approver)
  const less = JSON.stringify({ kind: 'amount', each: '10.00', reason: '按标准减免' })
  await t.call(resubmitRequest, { id: small, form: less }, me)
  expect((await billOf(next)).off).toBe('10.00')
})

it('a returned write-off goes in again with another reason, and not once all of it is paid', async () => {
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`update process set state = 20 where owner_id = ${t.ownerId}`),
  )
  await define('writeOff', '0', '核销退回')
  const bill = await addBill(asFen(30_000))
  await t.call(writeOffBills, { ids: [String(bill)], reason: '无法收回' }, me)
  const id = await approvalOf('writeOff', bill)
  const giveBack = () => t.call(refuseRequest, { id, opinion: '请说明', refuseTo: 'requester' }, approver)
  const setPaid = (state: number) =>
    t.database.tx(t.ownerId, tx =>
      tx.execute(sql`
        update bill set paid_principal = amount * ${state}, pay_state = ${state}
        where owner_id = ${t.ownerId} and id = ${bill}
      `),
    )
  await giveBack()
  const form = JSON.stringify({ reason: '业主失联两年，无法收回' })
  await setPaid(1)
  const refusal = await refusalMessageOf(t.call(resubmitRequest, { id, form }, me))
  expect(refusal).toMatch(/已缴清.*请放弃该申请/)
  await setPaid(0)
  await t.call(resubmitRequest, { id, form }, me)
  await t.call(approveRequest, { id }, approver)
  expect((await billOf(bill)).state).toBe(50)
})
