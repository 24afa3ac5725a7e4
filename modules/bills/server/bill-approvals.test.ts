import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { asFen, formatYuan, type Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import type { ApprovalKindKey } from '#modules/approvals/contract/choices.ts'
import { approveRequest, refuseRequest } from '#modules/approvals/contract/instance-actions.ts'
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
  expect(await refusalMessageOf(t.call(setDiscount, large, me))).toContain('已在审批中')
  expect((await billOf(first)).off).toBe('50.00')
  await t.call(approveRequest, { id: await approvalOf('discount', first) }, approver)
  expect([(await billOf(first)).off, (await billOf(second)).off]).toEqual(['100.00', '100.00'])
  await t.call(setProcessState, { id: process.id, state: 'off' }, me)
  const again = await t.call(setDiscount, { ids, kind: 'amount', amount: asFen(19_000), reason: '补偿' }, me)
  expect(again.success).toBe(2)
})

it('a discount is not approved once another has changed its bills (APR-5)', async () => {
  await t.database.tx(t.ownerId, tx =>
    tx.execute(sql`update process set state = 20 where owner_id = ${t.ownerId}`),
  )
  await define('discount', '100.00', '减免二')
  const bill = await addBill(asFen(40_000))
  const ids = [String(bill)]
  await t.call(setDiscount, { ids, kind: 'rate', percent: '50', reason: '疫情减免' }, me)
  await t.call(setDiscount, { ids, kind: 'amount', amount: asFen(1000), reason: '补偿' }, me)
  const request = await approvalOf('discount', bill)
  expect(await refusalMessageOf(t.call(approveRequest, { id: request }, approver))).toContain('账单已有变动')
  await t.call(refuseRequest, { id: request, opinion: '重新申请' }, approver)
  expect((await billOf(bill)).off).toBe('10.00')
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
