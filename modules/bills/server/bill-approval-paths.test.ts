import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { objectOf } from '#kit/contract/fixtures.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { asFen, type Fen } from '#kit/domain/money.ts'
import { faultTextsOf, refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { approveRequest } from '#modules/approvals/contract/instance-actions.ts'
import { getInstance } from '#modules/approvals/contract/instance.ts'
import { writeOffBills } from '../contract/actions.ts'
import { setDiscount } from '../contract/adjustments.ts'
import { billFates, openBillApprovals, type BillFate } from './bill-approvals.fixtures.ts'

type Kind = 'discount' | 'writeOff'

let s: Awaited<ReturnType<typeof openBillApprovals>>

beforeAll(async () => {
  s = await openBillApprovals('BAP')
  await s.define('discount', '100')
  await s.define('writeOff', '0')
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

/** A request of the bills, which came back to the person who asked. */
async function returned(kind: Kind, bills: readonly Id[]): Promise<Id> {
  await send(kind, bills)
  const { id } = await s.approvalOf(kind, defined(bills[0]))
  await s.giveBack(id)
  return id
}

const factsOf = async (id: Id) => {
  const { form, ...instance } = await s.t.call(getInstance, { id }, s.me)
  return { ...instance, form: objectOf(JSON.parse(form)) }
}

describe('a discount that came back goes in again with every bill that can have it (APR-4)', () => {
  const amount: Fen = asFen(40_000)
  const figures = ['40', '120', '350'] as const
  const cases = billFates.flatMap(first =>
    billFates.flatMap(second => figures.map(each => ({ first, second, each }))),
  )
  const mostOf: Partial<Record<BillFate, number>> = { open: 400, voided: 400, part: 300 }

  it.each(cases)('$first and $second, $each each', async ({ first, second, each }) => {
    const bills = await addBills(2, amount)
    const id = await returned('discount', bills)
    const fates = [first, second]
    for (const [i, fate] of fates.entries()) {
      await s.setFate(defined(bills[i]), fate)
    }
    const amend = () => s.amend(id, { kind: 'amount', each: `${each}.00`, reason: '按标准减免' })
    const open = bills.filter((_, i) => mostOf[defined(fates[i])] !== undefined)
    const misfit = fates.findIndex(fate => Number(each) > (mostOf[fate] ?? Infinity))
    const offs = async () => Promise.all(bills.map(async bill => Number((await s.billOf(bill)).off)))
    if (!open.length) {
      expect(await refusalMessageOf(amend())).toContain('请放弃该申请')
      expect(await offs()).toEqual([0, 0])
      return
    }
    if (misfit >= 0) {
      const faults = await faultTextsOf(amend())
      expect(Object.keys(faults)).toEqual(['each'])
      expect(faults.each).toMatch(/^账单 BAP\d+ 最多可减免 300\.00 元，请调低每张减免$/)
      expect(await factsOf(id)).toMatchObject({ isReturned: true, form: { ids: bills.map(String) } })
      return
    }
    await amend()
    const { form, state, bizId, endReason, forms } = await factsOf(id)
    const { ids, leftOut = '' } = form
    expect([ids, bizId, forms.length]).toEqual([open.map(String), open[0], 2])
    const dropped = bills.length - open.length
    expect(String(leftOut).split('。').filter(Boolean)).toHaveLength(dropped)
    const isAsked = Number(each) * open.length > 100
    expect(state).toBe(isAsked ? 'running' : 'terminated')
    if (isAsked) {
      await s.t.call(approveRequest, { id }, s.approver)
    } else {
      expect(endReason).toBe('修改后不需要审批，已直接办理')
    }
    expect(await offs()).toEqual(bills.map(bill => (open.includes(bill) ? Number(each) : 0)))
  })

  it('its form shows what it is about, and asks for the figure of the chosen way alone', async () => {
    const bills = await addBills(2)
    const { amendFields, formLines } = await s.t.call(
      getInstance,
      { id: await returned('discount', bills) },
      s.me,
    )
    expect(amendFields).toMatchObject([
      { key: 'reason', fieldKind: 'paragraph', maxLength: 200 },
      { key: 'kind' },
      { key: 'each', onlyWithField: 'kind', onlyWithOption: 'amount' },
      { key: 'percent', onlyWithField: 'kind', onlyWithOption: 'rate' },
    ])
    const lines = new Map(formLines.map(({ label, value }) => [label, value]))
    expect(lines.get('账单号')).toMatch(/^BAP\d+、BAP\d+$/)
    expect(lines.get('每张最多可减免')).toBe('400.00 元')
  })

  it('a figure that no bill can have is refused at its field, with what to put right', async () => {
    const bills = await addBills(2)
    const id = await returned('discount', bills)
    const fault = (form: object) => faultTextsOf(s.amend(id, { reason: '按标准减免', ...form }))
    expect(await fault({ kind: 'amount', each: '999.00' })).toEqual({
      each: expect.stringContaining('最多可减免 400.00 元，请调低每张减免'),
    })
    expect(await fault({ kind: 'amount', each: '-10.00' })).toEqual({ each: '每张减免不能小于 0.00' })
    expect(await fault({ kind: 'amount' })).toEqual({ each: '请填写每张减免的金额' })
    expect(Object.keys(await fault({ kind: 'rate', percent: '150' }))).toEqual(['percent'])
    expect(Object.keys(await fault({ kind: 'rate', percent: '-50' }))).toEqual(['percent'])
    expect(await fault({ kind: 'rate' })).toEqual({ percent: '请填写减免比例，0 到 100' })
    await s.setFate(defined(bills[0]), 'part')
    expect(await fault({ kind: 'rate', percent: '90' })).toEqual({
      percent: expect.stringContaining('最多可减免 300.00 元，请调低减免比例'),
    })
    expect((await factsOf(id)).isReturned).toBe(true)
  })

  it.each(['discount', 'writeOff'] as const)('a %s waits for a payment that is on its way', async kind => {
    const bills = await addBills(2)
    const id = await returned(kind, bills)
    await s.setPaying(defined(bills[0]), true)
    const amend = () =>
      s.amend(
        id,
        kind === 'writeOff' ? { reason: '仍收不回' } : { kind: 'amount', each: '120.00', reason: '补偿' },
      )
    expect(await refusalMessageOf(amend())).toMatch(/正在支付中.*重新提交/)
    await s.setPaying(defined(bills[0]), false)
    await amend()
    expect((await factsOf(id)).form.ids).toEqual(bills.map(String))
  })
})

describe('a bill that fell out of a request is free again (APR-4)', () => {
  const again: Record<Kind, object> = {
    discount: { kind: 'amount', each: '150.00', reason: '仍要减免' },
    writeOff: { reason: '仍收不回' },
  }

  it.each(['discount', 'writeOff'] as const)('a %s of it, alone and in a batch', async kind => {
    const [dropped, stays, later] = [await addBill(), await addBill(), await addBill()]
    const bills = [dropped, stays, later]
    const id = await returned(kind, [dropped, stays])
    await s.setFate(dropped, 'paid')
    await s.amend(id, defined(again[kind]))
    expect(await factsOf(id)).toMatchObject({ bizId: stays, form: { ids: [String(stays)] } })
    expect((await s.approvalOf(kind, stays)).id).toBe(id)
    expect(await refusalMessageOf(s.approvalOf(kind, dropped))).toContain('不存在')
    await s.setFate(dropped, 'voided')
    const { rows } = await send(kind, [dropped, stays, later])
    expect(rows).toMatchObject([
      { id: stays, reason: '已在审批中，请等待审批结果' },
      { id: dropped, reason: '已提交审批，通过后生效' },
      { id: later, reason: '已提交审批，通过后生效' },
    ])
    const next = await s.approvalOf(kind, later)
    expect([next.bizId, next.id === id]).toEqual([dropped, false])
    for (const each of [id, next.id]) {
      await s.t.call(approveRequest, { id: each }, s.approver)
    }
    const results = await Promise.all(bills.map(async bill => s.billOf(bill)))
    expect(results.map(({ state, off }) => [state, off])).toEqual(
      bills.map(() => (kind === 'discount' ? [20, '150.00'] : [50, '0.00'])),
    )
  })
})
