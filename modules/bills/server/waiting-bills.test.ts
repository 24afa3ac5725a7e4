import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import { refusalMessageOf, refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import {
  approveRequest,
  terminateRequest,
  withdrawRequest,
} from '#modules/approvals/contract/instance-actions.ts'
import { endRelations } from '#modules/fees/contract/relation-calls.ts'
import { discountCashierBills } from '#modules/payments/contract/cashier.ts'
import { settleEnding } from '#modules/payments/contract/ended-charge-credit.ts'
import { abolishBills, deleteBills, writeOffBills } from '../contract/actions.ts'
import {
  changePayer,
  editBillAmount,
  mergeBill,
  reissueBill,
  setDiscount,
  setLateFee,
  splitBill,
} from '../contract/adjustments.ts'
import { undoRun } from '../contract/run.ts'
import { openBillApprovals } from './bill-approvals.fixtures.ts'
import { createBillActions } from './fen.fixtures.ts'
import type { SeededRoom } from './generate.fixtures.ts'
import { openBilling } from './golden.fixtures.ts'

type Kind = 'discount' | 'writeOff'

let s: Awaited<ReturnType<typeof openBillApprovals>>
const limits: Partial<Record<Kind, Id>> = {}

let rooms: SeededRoom[] = []
let d: ReturnType<typeof createBillActions>

beforeAll(async () => {
  const billing = await openBilling('GOLD0001')
  rooms = billing.rooms
  s = await openBillApprovals('WAIT', billing.t)
  d = createBillActions(s.t, s.me, s.t.ownerId, 'GOLD0001')
  limits.discount = (await s.define('discount', '100')).id
  limits.writeOff = (await s.define('writeOff', '0')).id
})

afterAll(() => s?.t.close())

const send = (kind: Kind, ids: readonly Id[], amount = asFen(15_000)) =>
  kind === 'discount'
    ? s.t.call(setDiscount, { ids: ids.map(String), kind: 'amount', amount, reason: '补偿业主' }, s.me)
    : s.t.call(writeOffBills, { ids: ids.map(String), reason: '无法收回' }, s.me)

const addBill = (): Promise<Id> => s.addBill(asFen(40_000))

const addBills = async (count: number, amount = asFen(40_000)): Promise<Id[]> => {
  const ids: Id[] = []
  while (ids.length < count) {
    ids.push(await s.addBill(amount))
  }
  return ids
}

describe('a bill that waits in an approval is changed by nothing but its payment (APR-5, BILL-3)', () => {
  const reason = '更正账单'
  const changes: Record<string, (id: Id) => Promise<unknown>> = {
    'a discount below the limit': id => send('discount', [id], asFen(1000)),
    'a discount above the limit': id => send('discount', [id]),
    'a discount at the cashier': id =>
      s.t.call(
        discountCashierBills,
        { ids: [String(id)], kind: 'amount', amount: asFen(1000), reason },
        s.me,
      ),
    'a write-off': id => send('writeOff', [id]),
    'a late fee': id =>
      s.t.call(setLateFee, { ids: [String(id)], kind: 'fix', amount: asFen(500), reason }, s.me),
    'a split': id => s.t.call(splitBill, { id, amount: asFen(10_000), reason }, s.me),
    'another amount': id => s.t.call(editBillAmount, { id, amount: asFen(30_000), reason }, s.me),
    'an abolition': id => s.t.call(abolishBills, { ids: [String(id)], reason }, s.me),
    'a deletion': id => s.t.call(deleteBills, { ids: [String(id)], reason }, s.me),
    'a reissue': id => s.t.call(reissueBill, { id, amount: asFen(30_000), reason }, s.me),
    'another payer': async id =>
      s.t.call(
        changePayer,
        { ids: [String(id)], payerKind: 'resident', payerId: await s.findResident(), reason },
        s.me,
      ),
  }
  const reasonOf = async (outcome: Promise<unknown>): Promise<string> => {
    const answer = await outcome.catch((err: unknown) => err)
    if (answer instanceof Error) return refusalTextOf(Promise.reject(answer))
    return JSON.stringify(answer)
  }
  const cases = Object.keys(changes).flatMap(way =>
    (['discount', 'writeOff'] as const).flatMap(kind =>
      [false, true].map(isReturned => ({ way, kind, isReturned })),
    ),
  )

  it.each(cases)('$way is refused while a $kind waits (returned: $isReturned)', async each => {
    const bills = await addBills(2)
    await send(each.kind, bills)
    const { id } = await s.approvalOf(each.kind, defined(bills[0]))
    if (each.isReturned) {
      await s.giveBack(id)
    }
    // The second of the batch, which the request is not known by.
    const bill = defined(bills[1])
    const { all } = await s.billOf(bill)
    expect(await reasonOf(defined(changes[each.way])(bill))).toContain('已在审批中，请等待审批结果')
    expect((await s.billOf(bill)).all).toBe(all)
    if (each.isReturned) {
      await s.t.call(terminateRequest, { id, reason: '不再申请' }, s.me)
    } else {
      await s.t.call(withdrawRequest, { id }, s.me)
    }
    expect(await reasonOf(defined(changes[each.way])(bill))).not.toContain('已在审批中')
  })

  it('only the bill that waits is left out of a batch below the limit', async () => {
    const [waits, free] = [await addBill(), await addBill()]
    await send('discount', [waits])
    const { success, rows } = await send('discount', [waits, free], asFen(2000))
    expect([success, rows]).toMatchObject([1, [{ id: waits, reason: '已在审批中，请等待审批结果' }]])
    expect([(await s.billOf(waits)).off, (await s.billOf(free)).off]).toEqual(['0.00', '20.00'])
    await s.t.call(approveRequest, { id: (await s.approvalOf('discount', waits)).id }, s.approver)
    expect((await s.billOf(waits)).off).toBe('150.00')
  })

  it('a bill whose definition was stopped waits on', async () => {
    const [bill] = [await addBill()]
    await send('discount', [bill])
    await s.stop(defined(limits.discount))
    expect((await send('discount', [bill], asFen(1000))).skipped).toBe(1)
    await s.t.call(approveRequest, { id: (await s.approvalOf('discount', bill)).id }, s.approver)
    expect((await s.billOf(bill)).off).toBe('150.00')
    limits.discount = (await s.define('discount', '100')).id
  })

  it.each(['discount', 'writeOff'] as const)('a payment is booked, and the %s is refused', async kind => {
    const [bill] = [await addBill()]
    await send(kind, [bill])
    const { id } = await s.approvalOf(kind, bill)
    await s.setFate(bill, 'part')
    const approve = () => s.t.call(approveRequest, { id }, s.approver)
    expect(await refusalMessageOf(approve())).toContain('账单已有变动')
    // Voided again, it is as it was asked for.
    await s.setFate(bill, 'voided')
    await approve()
  })
})

describe('nor by what changes many bills, or the charge behind them (GEN-7, CYC-9, BILL-12)', () => {
  it('a batch is undone without it, and its charge does not end before it', async () => {
    const room = defined(rooms[0])
    const fee = await d.fee({ formula: { formulaType: 'fixed' }, price: '500' }, [room, defined(rooms[1])])
    await d.run(fee, '2026-09')
    const made = await d.bills(fee)
    const [waits, free] = [defined(made[0]).id, defined(made[1]).id]
    await send('writeOff', [waits])
    const end = () =>
      s.t.call(
        endRelations,
        { ids: fee.relations.map(String), endDate: '2026-09-10', reason: '不再收费' },
        s.me,
      )
    expect(await refusalMessageOf(end())).toMatch(/已在审批中，请等待审批结果后再止收/)
    const id = await d.batchOf(waits)
    const undo = () => s.t.call(undoRun, { id, reason: '整批重来' }, s.me)
    expect(await undo()).toMatchObject({ abolished: 1, kept: 1 })
    expect([(await s.billOf(waits)).state, (await s.billOf(free)).state]).toEqual([20, 30])
    expect(await refusalMessageOf(undo())).toContain('审批中')
  })

  it('halves are not merged while one of them waits', async () => {
    const [whole] = [await addBill()]
    const halves = await s.t.call(splitBill, { id: whole, amount: asFen(20_000), reason: '分开缴' }, s.me)
    await send('discount', [defined(halves[1]).id])
    const merge = () => s.t.call(mergeBill, { id: whole, reason: '合并' }, s.me)
    expect(await refusalMessageOf(merge())).toContain('已在审批中，请等待审批结果后再合并还原')
    const { id } = await s.approvalOf('discount', defined(halves[1]).id)
    await s.t.call(withdrawRequest, { id }, s.me)
    await merge()
  })

  it('what ended early is not settled by a discount of it', async () => {
    const [bill] = [await addBill()]
    await send('writeOff', [bill])
    const followUp = await s.t.database.tx(s.t.ownerId, tx =>
      tx.one<{ id: Id }>(sql`
        insert into bill_follow_up (
          owner_id, project_code, bill_id, kind, effective_date, amount, discount
        )
        values (${s.t.ownerId}, 'GOLD0001', ${bill}, 30, '2026-09-16', 0, 50)
        returning id
      `),
    )
    const { id } = defined(followUp)
    const settle = () => s.t.call(settleEnding, { id, refundWay: 'prestore', reason: '止收后减免' }, s.me)
    expect(await refusalMessageOf(settle())).toBe('账单的余款不能减免：已在审批中，请等待审批结果')
  })
})
