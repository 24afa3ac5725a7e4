import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { asFen, sumFen } from '#kit/domain/money.ts'
import { addDays } from '#kit/domain/day.ts'
import type { App } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import { withFaultHook } from '#kit/server/fixtures/fault-injection.ts'
import { faultTextsOf, refusalOf, refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import { asId } from '#kit/domain/id.ts'
import { golden } from '#db/golden/golden-data.ts'
import {
  approveRequest,
  refuseRequest,
  resubmitRequest,
  terminateRequest,
  withdrawRequest,
} from '#modules/approvals/contract/instance-actions.ts'
import { getInstance, getInstanceOfRecord } from '#modules/approvals/contract/instance.ts'
import { processes, type Process } from '#modules/approvals/contract/process.ts'
import { getWorkQueues } from '#modules/system/contract/work-queue.ts'
import {
  cancelOwnPurchase,
  cancelPurchase,
  closePurchase,
  decidePurchase,
  deletePurchases,
  submitPurchase,
  withdrawPurchase,
} from '../contract/actions.ts'
import { closeOrder, placeOrder, purchaseOrders } from '../contract/order.ts'
import {
  getOwnPurchase,
  getPurchase,
  listOwnPurchases,
  purchases,
  savePurchase,
} from '../contract/purchase.ts'
import { purchaseReceipts, reverseReceipt } from '../contract/receipt.ts'
import { getPurchaseSetting, savePurchaseSetting } from '../contract/setting.ts'
import { suppliers } from '../contract/supplier.ts'
import { openPurchaseFixture, project, type PurchaseFixture } from './purchase.fixtures.ts'

let w: PurchaseFixture

beforeAll(async () => {
  w = await openPurchaseFixture()
})

beforeEach(() => w.set())

afterAll(() => w?.close())

const reason = '不再需要'

const faultsOf = async (sent: Promise<unknown>): Promise<string[]> => Object.values(await faultTextsOf(sent))

describe('a request', () => {
  it('has its number, its amounts, and is seen by its applicant and those who see all', async () => {
    const row = await w.ask({ submits: false })
    expect(row).toMatchObject({
      purchaseNo: expect.stringMatching(/^CG\d{14}$/),
      state: 'draft',
      totalAmount: 25_500 + 49_998,
      itemNames: '打印纸 A4、硒鼓',
    })
    expect(row.lines.map(line => line.amount)).toEqual([25_500, 49_998])
    expect(row.totalAmount).toBe(sumFen(row.lines.map(line => line.amount)))
    expect((await w.t.call(getOwnPurchase, { id: row.id }, w.applicant)).id).toBe(row.id)
    expect((await refusalOf(w.t.call(getOwnPurchase, { id: row.id }, w.owner))).message).toContain('不存在')
    expect((await w.t.call(getPurchase, { id: row.id }, w.approver)).id).toBe(row.id)
    const own = await w.t.call(listOwnPurchases, { size: 100 }, w.applicant)
    expect(own.rows.map(each => each.id)).toContain(row.id)
    expect((await w.t.call(listOwnPurchases, { size: 100 }, w.owner)).total).toBe(0)
  })

  it('is changed and deleted by its applicant alone, as a draft', async () => {
    const row = await w.ask({ submits: false })
    const changed = await w.t.call(
      savePurchase,
      { ...w.draft({ title: '改过', submits: false }), id: row.id, version: defined(row.version) },
      w.applicant,
    )
    expect(changed.title).toBe('改过')
    const ids = [String(row.id)]
    expect(await refusalTextOf(w.t.call(deletePurchases, { ids, reason }, w.owner))).toContain('不存在')
    await w.t.call(deletePurchases, { ids, reason }, w.applicant)
    expect(await refusalTextOf(w.t.call(getPurchase, { id: row.id }, w.owner))).toContain('不存在')
    const sent = await w.ask()
    const other = await w.ask({ submits: false })
    const some = [String(sent.id), String(other.id), String(row.id)]
    const bulk = await w.t.call(deletePurchases, { ids: some, reason }, w.applicant)
    expect(bulk).toMatchObject({ success: 1, fail: 2 })
    expect(bulk.rows).toEqual([
      { id: sent.id, code: sent.purchaseNo, reason: expect.stringContaining('不能删除') },
      { id: row.id, reason: expect.stringContaining('不存在') },
    ])
    expect(await refusalTextOf(w.t.call(getPurchase, { id: other.id }, w.owner))).toContain('不存在')
    expect(await refusalTextOf(w.t.call(savePurchase, { ...w.draft(), id: sent.id }, w.applicant))).toContain(
      '不能修改',
    )
  })

  it('an urgent one says why; nothing is needed in the past; nothing is kept of what is refused', async () => {
    const before = (await w.t.call(listOwnPurchases, {}, w.applicant)).total
    expect(await faultsOf(w.ask({ isUrgent: true }))).toEqual(['紧急采购请填写原因'])
    expect(await faultsOf(w.ask({ needDate: addDays(w.today, -1) }))).toEqual(['需求日期不能早于今天'])
    expect((await w.t.call(listOwnPurchases, {}, w.applicant)).total).toBe(before)
  })

  it('names no supplier that is disabled, deleted or of another company (STK-7)', async () => {
    const off = await w.addSupplier({ state: 'off' })
    expect(await faultsOf(w.ask({ supplierId: off.id }))).toEqual([expect.stringContaining('已停用')])
    const other = await w.t.call(
      suppliers.add,
      { supplierName: '另一公司的供应商', state: 'on' },
      await w.t.signedInAs(golden.second.owner, ''),
    )
    expect(await faultsOf(w.ask({ supplierId: other.id }))).toEqual([expect.stringContaining('不存在')])
  })
})

describe('the approval by one person', () => {
  it('approves, refuses with a reason, and never by the applicant', async () => {
    const row = await w.ask()
    expect(row).toMatchObject({ state: 'approving', way: 'person' })
    expect(await faultsOf(w.t.call(decidePurchase, { id: row.id, isApproved: false }, w.approver))).toEqual([
      '驳回请填写原因',
    ])
    await w.t.call(decidePurchase, { id: row.id, isApproved: false, reason: '预算不足' }, w.approver)
    expect(await w.see(row.id)).toMatchObject({ state: 'refused', endReason: '预算不足' })
    const again = await w.t.call(submitPurchase, { id: row.id }, w.applicant)
    expect([again.state, again.endReason]).toEqual(['approving', undefined])
    await w.t.call(decidePurchase, { id: row.id, isApproved: true }, w.approver)
    expect(await w.see(row.id)).toMatchObject({ state: 'approved', awaitsOrder: true })
    const own = await w.t.call(savePurchase, w.draft(), w.owner)
    expect(
      await refusalTextOf(w.t.call(decidePurchase, { id: own.id, isApproved: true }, w.owner)),
    ).toContain('自己')
  })

  it('is on the workbench of somebody who may', async () => {
    await w.approved()
    await w.ask()
    const titles = async (as: typeof w.owner) =>
      (await w.t.call(getWorkQueues, undefined, as)).queues.map(queue => queue.key)
    expect(await titles(w.approver)).toContain('purchases.decide')
    expect(await titles(w.buyer)).toContain('purchases.order')
    expect(await titles(w.applicant)).not.toContain('purchases.decide')
  })

  it('is withdrawn before it, and cancelled', async () => {
    const row = await w.ask()
    expect((await w.t.call(withdrawPurchase, { id: row.id }, w.applicant)).state).toBe('draft')
    await w.t.call(submitPurchase, { id: row.id }, w.applicant)
    expect(await refusalTextOf(w.t.call(cancelOwnPurchase, { id: row.id, reason }, w.owner))).toContain(
      '不存在',
    )
    expect((await w.t.call(cancelOwnPurchase, { id: row.id, reason }, w.applicant)).state).toBe('cancelled')
    expect(await refusalTextOf(w.t.call(submitPurchase, { id: row.id }, w.applicant))).toContain('不能提交')
  })

  it('approved and cancelled in the same instant, one of the two happens', async () => {
    for (let i = 0; i < 5; i++) {
      const { id } = await w.ask()
      const outcomes = await Promise.allSettled([
        w.t.call(decidePurchase, { id, isApproved: true }, w.approver),
        w.t.call(decidePurchase, { id, isApproved: false, reason: '预算不足' }, w.approver),
        w.t.call(withdrawPurchase, { id }, w.applicant),
      ])
      expect(outcomes.filter(outcome => outcome.status === 'fulfilled')).toHaveLength(1)
      expect(['approved', 'refused', 'draft']).toContain((await w.see(id)).state)
    }
  })
})

describe('settings', () => {
  it('exempt small requests, and keep to the limits of a project', async () => {
    await w.set({ exemptAmount: asFen(100_000) })
    expect(await w.ask()).toMatchObject({ state: 'approved', way: 'exempt' })
    const month = await w.t.call(
      purchases.list,
      { state: ['approving', 'approved', 'ordering', 'partial', 'done'], projectCode: project, size: 1 },
      w.owner,
    )
    const total = Number(month.sum?.totalAmount)
    await w.set({ limits: [{ projectCode: project, requestLimit: asFen(10_000) }] })
    expect(await refusalTextOf(w.ask())).toContain('单笔上限')
    await w.set({ limits: [{ projectCode: project, monthLimit: asFen(total + 80_000) }] })
    const outcomes = await Promise.allSettled([w.ask(), w.ask()])
    expect(outcomes.map(outcome => outcome.status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await refusalTextOf(w.ask())).toContain('每月上限')
  })

  it('take no project twice and nobody who is not there', async () => {
    expect(
      await faultsOf(
        w.set({
          limits: [
            { projectCode: project, monthLimit: asFen(1) },
            { projectCode: project, monthLimit: asFen(1) },
            { projectCode: 'NOWHERE', monthLimit: asFen(1) },
            { projectCode: 'GOLD0002' },
          ],
          buyerIds: ['999999'],
        }),
      ),
    ).toHaveLength(4)
  })

  it('say who may order and receive, and that the buyer does not receive', async () => {
    const supplier = await w.addSupplier()
    const row = await w.approved()
    await w.set({ buyerIds: [String(w.t.managerId)] })
    expect(await refusalTextOf(w.order(row, supplier.id, [[1, '1', '25']]))).toContain('限定了可下单人员')
    await w.set({ separatesReceiver: true })
    const order = await w.t.call(
      placeOrder,
      {
        purchaseId: row.id,
        supplierId: supplier.id,
        deliverDate: w.today,
        lines: [{ lineNo: 1, quantity: '1', price: '25' }],
      },
      w.owner,
    )
    expect(await refusalTextOf(w.receive(order, [[1, '1', '25']], w.owner))).toContain('下单人不能收货')
    await w.set({ receiverIds: [String(w.t.managerId)] })
    expect(await refusalTextOf(w.receive(order, [[1, '1', '25']]))).toContain('限定了可收货人员')
  })

  it('keep what a save does not send, and clear what it sends empty', async () => {
    await w.set({ allowsAhead: true, orderTolerance: '25', buyerIds: [String(w.buyerId)] })
    const save = (sent: Partial<Parameters<typeof w.set>[0]>) => w.t.call(savePurchaseSetting, sent, w.owner)
    const kept = { allowsAhead: true, orderTolerance: '25', buyerIds: [String(w.buyerId)] }
    await save({})
    expect(await w.t.call(getPurchaseSetting, undefined, w.owner)).toMatchObject(kept)
    await save({ tolerance: '3', buyerIds: [] })
    const saved = await w.t.call(getPurchaseSetting, undefined, w.owner)
    expect(saved).toMatchObject({ allowsAhead: true, orderTolerance: '25', tolerance: '3' })
    expect(saved.buyerIds ?? []).toEqual([])
  })

  it('number requests with the prefix of the company', async () => {
    await w.set({ numberPrefix: 'QG' })
    expect((await w.ask()).purchaseNo).toMatch(/^QG/)
    expect(await faultsOf(w.set({ numberPrefix: 'a1' }))).toEqual([expect.stringContaining('大写字母')])
  })
})

describe('orders and receipts', () => {
  it('from two suppliers in parts until all has come: 30, 40, 50, 60 (C16)', async () => {
    const first = await w.addSupplier()
    const second = await w.addSupplier()
    const row = await w.approved()
    const paper = await w.order(row, first.id, [[1, '10', '25']])
    expect(await w.see(row.id)).toMatchObject({ state: 'ordering', awaitsOrder: true, orderedAmount: 25_000 })
    const toner = await w.order(row, second.id, [[2, '2.5', '210', '型号更换']])
    expect(await w.see(row.id)).toMatchObject({ awaitsOrder: false, orderedAmount: 25_000 + 52_500 })
    await w.receive(paper, [[1, '4.25', '25']])
    expect(await w.see(row.id)).toMatchObject({ state: 'partial', receivedAmount: 10_625 })
    await w.receive(paper, [[1, '5.75', '24.9', '供应商降价']])
    await w.receive(toner, [[2, '2.5', '210']])
    const done = await w.see(row.id)
    expect(done).toMatchObject({ state: 'done', receivedAmount: 10_625 + 14_318 + 52_500 })
    expect(done.orders.map(order => order.state)).toEqual(['done', 'done'])
    expect(done.receivedAmount).toBe(sumFen(done.receipts.map(receipt => receipt.amount)))
    expect(done.lines.map(line => [line.orderedQuantity, line.receivedQuantity])).toEqual([
      ['10', '10'],
      ['2.5', '2.5'],
    ])
  })

  it('no more is ordered than was approved, nothing dearer or other without a reason', async () => {
    const { id: supplierId } = await w.addSupplier()
    const row = await w.approved()
    expect(await faultsOf(w.order(row, supplierId, [[1, '10.001', '25']]))).toEqual([
      '「打印纸」还可下单 10 包',
    ])
    expect(await faultsOf(w.order(row, supplierId, [[1, '1', '26']]))).toEqual([
      expect.stringContaining('请填写价格原因'),
    ])
    expect(await faultsOf(w.order(row, supplierId, [[7, '1', '26']]))).toEqual([
      expect.stringContaining('没有第 7 行'),
    ])
    const order = await w.order(row, supplierId, [[1, '10', '25']])
    expect(await faultsOf(w.receive(order, [[1, '1', '25.01']]))).toEqual([
      expect.stringContaining('请填写价格原因'),
    ])
    expect(await faultsOf(w.receive(order, [[2, '1', '25']]))).toEqual([
      expect.stringContaining('没有第 2 行'),
    ])
  })

  it('orders beyond what was approved are refused, until it was amended and approved again', async () => {
    const { id: supplierId } = await w.addSupplier()
    const row = await w.approved()
    const dear = [[1, '10', '30', '涨价']] as const
    expect(await faultTextsOf(w.order(row, supplierId, dear))).toEqual({
      'Lines[0].Price': expect.stringContaining('修改采购的预估单价，重新审批'),
    })
    await w.order(row, supplierId, [[2, '2.5', '219.988', '涨价']])
    const other = await w.approved()
    const lines = [{ itemName: '打印纸', spec: 'A4', unit: '包', quantity: '10', price: '30' }]
    const amended = { ...w.draft({ lines, submits: false }), id: other.id }
    const draft = await w.t.call(savePurchase, amended, w.applicant)
    expect(draft).toMatchObject({ state: 'draft', awaitsOrder: false })
    expect(draft.approverName).toBeUndefined()
    expect(await refusalTextOf(w.order(other, supplierId, dear))).toContain('草稿')
    await w.t.call(submitPurchase, { id: other.id }, w.applicant)
    await w.t.call(decidePurchase, { id: other.id, isApproved: true }, w.approver)
    expect((await w.order(other, supplierId, dear)).amount).toBe(30_000)
    const again = { ...w.draft({ lines }), id: other.id }
    expect(await refusalTextOf(w.t.call(savePurchase, again, w.applicant))).toContain('不能修改')
  })

  it('receipts go no further beyond what was approved than orders; reversed ones count no more', async () => {
    const { id: supplierId } = await w.addSupplier()
    const row = await w.approved()
    const order = await w.order(row, supplierId, [[1, '10', '25']])
    const beyond = await faultTextsOf(w.receive(order, [[1, '10', '28.051', '涨价']]))
    expect(beyond).toEqual({
      'Lines[0].Price': expect.stringContaining('取消未到货的订单，由申请人修改采购'),
    })
    const first = await w.receive(order, [[1, '4', '28.05', '涨价']])
    expect(await faultTextsOf(w.receive(order, [[1, '6', '28.052', '涨价']]))).toEqual({
      'Lines[0].Price': expect.stringContaining('另行申请采购'),
    })
    const second = await w.receive(order, [[1, '6', '28.05', '涨价']])
    expect(await w.see(row.id)).toMatchObject({ state: 'partial', receivedAmount: 28_050 })
    await w.t.call(reverseReceipt, { id: first.id, reason: '送错' }, w.receiver)
    expect(await faultsOf(w.receive(order, [[1, '4', '28.053', '涨价']]))).toHaveLength(1)
    await w.receive(order, [[1, '4', '28.05', '涨价']])
    expect((await w.see(row.id)).receivedAmount).toBe(28_050)
    expect(second.amount).toBe(16_830)
  })

  it('closed short, then all taken back: approved again, and not done with nothing', async () => {
    const { id: supplierId } = await w.addSupplier()
    const row = await w.approved()
    const order = await w.order(row, supplierId, [[1, '10', '25']])
    const receipt = await w.receive(order, [[1, '4', '25']])
    await w.t.call(closePurchase, { id: row.id, reason }, w.approver)
    await w.t.call(reverseReceipt, { id: receipt.id, reason: '送错' }, w.receiver)
    const seen = await w.see(row.id)
    expect(seen).toMatchObject({ state: 'approved', awaitsOrder: true, receivedAmount: 0 })
    expect([seen.closeTime, seen.endReason]).toEqual([undefined, undefined])
    // The order that ended with nothing holds none of the lines.
    const lines = [{ itemName: '打印纸', spec: 'A4', unit: '包', quantity: '8', price: '30' }]
    const amended = { ...w.draft({ lines, submits: false }), id: row.id }
    expect(await w.t.call(savePurchase, amended, w.applicant)).toMatchObject({ state: 'draft' })
  })

  it('of a disabled supplier nothing new is ordered; one that was used is not deleted (STK-7)', async () => {
    const supplier = await w.addSupplier()
    const row = await w.approved({ supplierId: supplier.id })
    const ids = [String(supplier.id)]
    expect(await refusalTextOf(w.t.call(suppliers.delete, { ids, reason }, w.owner))).toContain('采购 1 个')
    await w.t.call(suppliers.edit, { ...supplier, state: 'off' }, w.owner)
    expect(await faultsOf(w.order(row, supplier.id, [[1, '1', '25']]))).toEqual([
      expect.stringContaining('已停用'),
    ])
    const unused = await w.addSupplier()
    const both = [supplier, unused].map(({ id }) => String(id))
    // Record by record (G-11): the used one stays, with the reason.
    expect(await w.t.call(suppliers.delete, { ids: both, reason }, w.owner)).toEqual({
      success: 1,
      fail: 1,
      skipped: 0,
      rows: [{ id: supplier.id, code: supplier.supplierName, reason: expect.stringContaining('采购 1 个') }],
    })
    expect((await w.t.call(suppliers.get, { id: supplier.id }, w.owner)).state).toBe('off')
    expect(await refusalTextOf(w.t.call(suppliers.get, { id: unused.id }, w.owner))).toContain('不存在')
  })

  it('the tolerance lets a little more come, and no more than that (STK-4)', async () => {
    await w.set({ tolerance: '5' })
    const { id: supplierId } = await w.addSupplier()
    const row = await w.approved()
    const order = await w.order(row, supplierId, [[1, '10', '25']])
    expect(await faultsOf(w.receive(order, [[1, '10.501', '25']]))).toEqual(['「打印纸」还可收货 10.5 包'])
    await w.receive(order, [[1, '10.5', '25']])
    expect((await w.see(row.id)).lines[0]).toMatchObject({
      receivedQuantity: '10.5',
      orderedQuantity: '10',
    })
  })

  it('two who receive the same remainder at once: one does', async () => {
    const { id: supplierId } = await w.addSupplier()
    for (let i = 0; i < 4; i++) {
      const row = await w.approved()
      const order = await w.order(row, supplierId, [[1, '10', '25']])
      const outcomes = await Promise.allSettled(
        Array.from({ length: 3 }, () => w.receive(order, [[1, '6', '25']])),
      )
      expect(outcomes.filter(outcome => outcome.status === 'fulfilled')).toHaveLength(1)
      expect((await w.see(row.id)).lines[0]?.receivedQuantity).toBe('6')
    }
  })

  it('two who order the same remainder at once: one does', async () => {
    const { id: supplierId } = await w.addSupplier()
    const row = await w.approved()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 3 }, () => w.order(row, supplierId, [[1, '10', '25']])),
    )
    expect(outcomes.filter(outcome => outcome.status === 'fulfilled')).toHaveLength(1)
  })

  it('a receipt is taken back whole by a document of its own, once', async () => {
    const { id: supplierId } = await w.addSupplier()
    const row = await w.approved()
    const order = await w.order(row, supplierId, [[1, '10', '25']])
    const receipt = await w.receive(order, [[1, '10', '25.333', '按实际结算']])
    const outcomes = await Promise.allSettled(
      [1, 2].map(() => w.t.call(reverseReceipt, { id: receipt.id, reason: '数量点错' }, w.receiver)),
    )
    expect(outcomes.filter(outcome => outcome.status === 'fulfilled')).toHaveLength(1)
    const after = await w.see(row.id)
    expect(after).toMatchObject({ state: 'ordering', receivedAmount: 0 })
    expect(after.receipts.map(each => [each.kind, each.amount, each.isReversed])).toEqual([
      ['reversal', -25_333, false],
      ['receipt', 25_333, true],
    ])
    const reversal = defined(after.receipts[0])
    expect(
      await refusalTextOf(w.t.call(reverseReceipt, { id: reversal.id, reason: '数量点错' }, w.receiver)),
    ).toContain('不能再冲销')
    await w.receive(order, [[1, '10', '25']])
    const list = await w.t.call(purchaseReceipts.list, { size: 3 }, w.owner)
    expect(list.rows.map(each => each.isReversed)).toEqual([false, false, true])
  })

  it('an order that is closed frees what has not come; one of which nothing came is cancelled', async () => {
    const { id: supplierId } = await w.addSupplier()
    const row = await w.approved()
    const first = await w.order(row, supplierId, [[1, '10', '25']])
    expect((await w.t.call(closeOrder, { id: first.id, reason }, w.buyer)).state).toBe('cancelled')
    expect(await w.see(row.id)).toMatchObject({ state: 'approved', awaitsOrder: true, orderedAmount: 0 })
    const second = await w.order(row, supplierId, [[1, '10', '25']])
    await w.receive(second, [[1, '4', '25']])
    expect((await w.t.call(closeOrder, { id: second.id, reason }, w.buyer)).state).toBe('closed')
    expect(await w.see(row.id)).toMatchObject({ state: 'partial', awaitsOrder: true, orderedAmount: 10_000 })
    expect(await refusalTextOf(w.receive(second, [[1, '1', '25']]))).toContain('不能收货')
    expect(await faultsOf(w.order(row, supplierId, [[1, '6.5', '25']]))).toEqual(['「打印纸」还可下单 6 包'])
  })

  it('the remainder of a purchase is closed with its orders, and it is done', async () => {
    const { id: supplierId } = await w.addSupplier()
    const row = await w.approved()
    const order = await w.order(row, supplierId, [
      [1, '10', '25'],
      [2, '2.5', '199'],
    ])
    expect(await refusalTextOf(w.t.call(cancelPurchase, { id: row.id, reason }, w.approver))).toContain(
      '不能取消',
    )
    expect(await refusalTextOf(w.t.call(closePurchase, { id: row.id, reason }, w.approver))).toContain(
      '尚未收货',
    )
    await w.receive(order, [[1, '4', '25']])
    const closed = await w.t.call(closePurchase, { id: row.id, reason }, w.approver)
    expect(closed).toMatchObject({ state: 'done', endReason: reason, awaitsOrder: false })
    expect((await w.see(row.id)).orders[0]?.state).toBe('closed')
    expect(await refusalTextOf(w.order(row, supplierId, [[1, '1', '25']]))).toContain('不能下单')
  })

  it('an approved purchase is cancelled once its orders are', async () => {
    const { id: supplierId } = await w.addSupplier()
    const row = await w.approved()
    const order = await w.order(row, supplierId, [[1, '10', '25']])
    await w.t.call(closeOrder, { id: order.id, reason }, w.buyer)
    expect((await w.t.call(cancelPurchase, { id: row.id, reason }, w.approver)).state).toBe('cancelled')
    expect(await refusalTextOf(w.order(row, supplierId, [[1, '1', '25']]))).toContain('不能下单')
  })
})

describe('an urgent purchase', () => {
  const urgent = { isUrgent: true, urgentReason: '水泵停机' }

  it('goes ahead of its approval where the setting allows it; the approval decides afterwards', async () => {
    const { id: supplierId } = await w.addSupplier()
    const waiting = await w.ask(urgent)
    expect(await refusalTextOf(w.order(waiting, supplierId, [[1, '10', '25']]))).toContain('不能下单')
    await w.set({ allowsAhead: true })
    const row = await w.ask(urgent)
    expect(row).toMatchObject({ state: 'approving', awaitsOrder: true })
    const plain = await w.ask()
    expect(await refusalTextOf(w.order(plain, supplierId, [[1, '10', '25']]))).toContain('不能下单')
    const order = await w.order(row, supplierId, [[1, '10', '25']])
    expect(order.isAhead).toBe(true)
    await w.receive(order, [[1, '4', '25']])
    expect(await w.see(row.id)).toMatchObject({ state: 'approving', receivedAmount: 10_000 })
    expect(await refusalTextOf(w.t.call(cancelPurchase, { id: row.id, reason }, w.approver))).toContain(
      '请先取消采购订单',
    )
    await w.t.call(decidePurchase, { id: row.id, isApproved: true }, w.approver)
    expect(await w.see(row.id)).toMatchObject({ state: 'partial', awaitsOrder: true })
  })

  it('refused: nothing more comes until it is approved after all', async () => {
    await w.set({ allowsAhead: true })
    const { id: supplierId } = await w.addSupplier()
    const row = await w.ask(urgent)
    const order = await w.order(row, supplierId, [[1, '10', '25']])
    await w.receive(order, [[1, '4', '25']])
    await w.t.call(decidePurchase, { id: row.id, isApproved: false, reason: '并不紧急' }, w.approver)
    expect(await w.see(row.id)).toMatchObject({ state: 'refused', awaitsOrder: false })
    expect(await refusalTextOf(w.receive(order, [[1, '1', '25']]))).toContain('不能收货')
    await w.t.call(submitPurchase, { id: row.id }, w.applicant)
    await w.t.call(decidePurchase, { id: row.id, isApproved: true }, w.approver)
    await w.receive(order, [[1, '6', '25']])
    expect((await w.see(row.id)).orders[0]?.state).toBe('done')
  })
})

describe('what is ordered ahead stays in the purchase', () => {
  const urgent = { isUrgent: true, urgentReason: '水泵停机' }
  const paper = { itemName: '打印纸', spec: 'A4', unit: '包', quantity: '10', price: '25.5' }
  const toner = { itemName: '硒鼓', unit: '个', quantity: '2.5', price: '199.99' }

  const orderedAhead = async () => {
    await w.set({ allowsAhead: true })
    const { id: supplierId } = await w.addSupplier()
    const row = await w.ask(urgent)
    return { row, supplierId, order: await w.order(row, supplierId, [[1, '10', '25']]) }
  }

  it('withdrawn once its orders are cancelled, and never deleted', async () => {
    const { row, order } = await orderedAhead()
    const withdraw = () => w.t.call(withdrawPurchase, { id: row.id }, w.applicant)
    expect(await refusalTextOf(withdraw())).toContain('取消订单后再撤回')
    await w.receive(order, [[1, '4', '25']])
    expect(await refusalTextOf(withdraw())).toContain('已有收货，不能撤回')
    expect(await w.see(row.id)).toMatchObject({ state: 'approving', receivedAmount: 10_000 })
    const other = await orderedAhead()
    await w.t.call(closeOrder, { id: other.order.id, reason }, w.buyer)
    expect((await w.t.call(withdrawPurchase, { id: other.row.id }, w.applicant)).state).toBe('draft')
    const ids = [String(other.row.id)]
    expect((await w.t.call(deletePurchases, { ids, reason }, w.applicant)).rows).toMatchObject([
      { reason: expect.stringContaining('不能删除') },
    ])
    expect((await w.see(other.row.id)).orders).toHaveLength(1)
  })

  it('refused, ordered lines stay as they are; all else of it may be changed', async () => {
    const { row, order } = await orderedAhead()
    await w.receive(order, [[1, '4', '25']])
    await w.t.call(decidePurchase, { id: row.id, isApproved: false, reason: '说明不清' }, w.approver)
    const save = (more: object) =>
      w.t.call(savePurchase, { ...w.draft({ ...urgent, submits: false, ...more }), id: row.id }, w.applicant)
    expect(await faultTextsOf(save({ isUrgent: false, lines: [paper, toner] }))).toEqual({
      IsUrgent: expect.stringContaining(`已先行下单（${order.orderNo}）`),
    })
    for (const lines of [[{ ...paper, quantity: '9' }, toner], [{ ...paper, price: '1' }, toner], [toner]]) {
      expect(await faultsOf(save({ lines }))).toEqual([expect.stringContaining('已先行下单')])
    }
    const changed = await save({ title: '水泵更换', lines: [paper, { ...toner, quantity: '1' }] })
    expect(changed).toMatchObject({ title: '水泵更换', totalAmount: 25_500 + 19_999, orderedAmount: 25_000 })
    expect(changed.lines.map(line => [line.orderedQuantity, line.receivedQuantity])).toEqual([
      ['10', '4'],
      ['0', '0'],
    ])
  })

  it('its figures count in the sums where the request itself was refused', async () => {
    const sumOf = async () => {
      const all = await w.t.call(purchases.list, { size: 1 }, w.owner)
      const own = await w.t.call(listOwnPurchases, { size: 1 }, w.applicant)
      return [all.sum, own.sum].map(sum => [sum?.totalAmount, sum?.orderedAmount, sum?.receivedAmount])
    }
    const before = await sumOf()
    const { row, order } = await orderedAhead()
    await w.receive(order, [[1, '4', '25']])
    await w.t.call(decidePurchase, { id: row.id, isApproved: false, reason: '说明不清' }, w.approver)
    expect(await sumOf()).toEqual(
      before.map(([total, ordered, received]) => [
        total,
        Number(ordered) + 25_000,
        Number(received) + 10_000,
      ]),
    )
  })

  it('the estimates never fall below it, and the whole is decided on again', async () => {
    await w.set({ allowsAhead: true, orderTolerance: '300' })
    const { id: supplierId } = await w.addSupplier()
    const row = await w.ask(urgent)
    await w.order(row, supplierId, [[1, '10', '90', '加急采购']])
    await w.t.call(decidePurchase, { id: row.id, isApproved: false, reason: '过高' }, w.approver)
    const save = (lines: object) =>
      w.t.call(
        savePurchase,
        { ...w.draft({ ...urgent, submits: false, lines: [paper] }), ...lines, id: row.id },
        w.applicant,
      )
    expect(await refusalTextOf(save({}))).toContain('不能低于已下单的金额')
    await w.set({ allowsAhead: true, exemptAmount: asFen(100_000) })
    const again = await w.t.call(submitPurchase, { id: row.id }, w.applicant)
    expect(again).toMatchObject({ state: 'approving', totalAmount: 75_498, orderedAmount: 90_000 })
  })
})

describe('by a process of the company', () => {
  let process: Process

  beforeAll(async () => {
    process = await w.t.call(
      processes.save,
      {
        bizType: 'purchase',
        processName: '采购审批',
        nodes: [
          {
            key: 'a',
            name: '经理',
            rule: 'people',
            managerIds: [String(w.t.managerId)],
            mode: 'all',
            refuseTo: 'end',
            conditions: [{ field: 'totalAmount', operator: 'atLeast', value: '100.00' }],
          },
        ],
        emptyPolicy: 'administrator',
        skipsRepeated: true,
        state: 'on',
      },
      w.owner,
    )
  })

  afterAll(() => w.t.call(processes.save, { ...process, state: 'off' }, w.owner))

  const instanceOf = async (id: number) =>
    defined(await w.t.call(getInstanceOfRecord, { bizType: 'purchase', bizId: asId(id) }, w.owner))

  it('is approved there, and there alone; a small one is decided on by one person', async () => {
    const row = await w.ask()
    expect(row).toMatchObject({ state: 'approving', way: 'process' })
    expect(
      await refusalTextOf(w.t.call(decidePurchase, { id: row.id, isApproved: true }, w.approver)),
    ).toContain('我的审批')
    const instance = await instanceOf(row.id)
    expect(instance.formLines.find(line => line.label === '明细')?.value).toBe(
      '打印纸 A4 10 包 × 25.5 = 255.00 元；硒鼓 2.5 个 × 199.99 = 499.98 元',
    )
    await w.t.call(approveRequest, { id: instance.id }, w.owner)
    expect(await w.see(row.id)).toMatchObject({ state: 'approved', awaitsOrder: true })
    const small = { itemName: '笔', unit: '支', quantity: '1', price: '2' }
    expect(await w.ask({ lines: [small] })).toMatchObject({ state: 'approving', way: 'person' })
  })

  it('refused there, changed and sent in again; withdrawn it is a draft', async () => {
    const row = await w.ask()
    await w.t.call(refuseRequest, { id: (await instanceOf(row.id)).id, opinion: '太贵' }, w.owner)
    expect((await w.see(row.id)).state).toBe('refused')
    await w.t.call(savePurchase, { ...w.draft({ title: '便宜一些' }), id: row.id }, w.applicant)
    expect((await w.see(row.id)).state).toBe('approving')
    await w.t.call(withdrawRequest, { id: (await instanceOf(row.id)).id, reason }, w.applicant)
    expect((await w.see(row.id)).state).toBe('draft')
  })

  it('says whether its applicant may take it back: in lists, in the detail and in the approval alike', async () => {
    await w.set({ allowsAhead: true })
    const { id: supplierId } = await w.addSupplier()
    const nodes = ['a', 'b'].map(key => ({ ...defined(process.nodes[0]), key, name: key }))
    process = await w.t.call(processes.save, { ...process, skipsRepeated: false, nodes }, w.owner)
    const allows = async (id: number, as: typeof w.owner) => {
      const own = await w.t.call(listOwnPurchases, { size: 5 }, w.applicant)
      const all = await w.t.call(purchases.list, { size: 5 }, w.owner)
      const rows = [
        own.rows.find(row => row.id === id),
        all.rows.find(row => row.id === id),
        await w.t.call(getOwnPurchase, { id: asId(id) }, as),
      ]
      const ofApproval = await w.t.call(getInstanceOfRecord, { bizType: 'purchase', bizId: asId(id) }, as)
      return [...rows.map(row => row?.isWithdrawable), ofApproval.actions.includes('withdraw')]
    }
    const row = await w.ask()
    expect(await allows(row.id, w.applicant)).toEqual([true, true, true, true])
    await w.t.call(approveRequest, { id: (await instanceOf(row.id)).id }, w.owner)
    expect(await allows(row.id, w.applicant)).toEqual([false, false, false, false])
    process = await w.t.call(
      processes.save,
      { ...process, skipsRepeated: true, nodes: nodes.slice(0, 1) },
      w.owner,
    )
    const urgent = await w.ask({ isUrgent: true, urgentReason: '水泵停机' })
    await w.order(urgent, supplierId, [[1, '10', '25']])
    expect((await allows(urgent.id, w.applicant)).slice(0, 3)).toEqual([false, false, false])
  })

  it('is withdrawn from the purchase as well, as long as nobody has decided (APR-4)', async () => {
    const row = await w.ask()
    expect(await w.t.call(withdrawPurchase, { id: row.id }, w.applicant)).toMatchObject({ state: 'draft' })
    expect((await instanceOf(row.id)).state).toBe('withdrawn')
  })

  describe('sent back to its applicant (APR-4, APR-7)', () => {
    const returned = async (more?: Parameters<typeof w.ask>[0]) => {
      const row = await w.ask(more)
      const instance = await instanceOf(row.id)
      await w.t.call(
        refuseRequest,
        { id: instance.id, opinion: '请减少数量', refuseTo: 'requester' },
        w.owner,
      )
      return { row, instanceId: instance.id }
    }
    const paperOnly = [{ itemName: '打印纸', spec: 'A4', unit: '包', quantity: '8', price: '25.5' }]

    it('is sent in again by who saw it as it is, not by a stale tab (G-8)', async () => {
      const { row } = await returned()
      const { version = 0 } = await w.see(row.id)
      const stale = { id: row.id, version: version - 1 }
      await expect(w.t.call(submitPurchase, stale, w.applicant)).rejects.toMatchObject({ code: 10005 })
      await w.t.call(submitPurchase, { id: row.id, version }, w.applicant)
      const late = w.t.call(submitPurchase, { id: row.id, version }, w.applicant)
      await expect(late).rejects.toMatchObject({ code: 10005 })
    })

    it('shows so with the words, is amended, and goes in again with its new amount', async () => {
      const { row, instanceId } = await returned()
      expect(await w.see(row.id)).toMatchObject({
        state: 'approving',
        isReturned: true,
        returnReason: '请减少数量',
      })
      const { amendLink, amendPhoneLink } = await w.t.call(getInstance, { id: instanceId }, w.applicant)
      expect([amendLink, amendPhoneLink].map(link => link?.includes(`id=${row.id}`))).toEqual([true, true])
      const list = await w.t.call(listOwnPurchases, { isReturned: true, size: 100 }, w.applicant)
      expect(list.rows.map(each => each.id)).toContain(row.id)
      const { queues } = await w.t.call(getWorkQueues, undefined, w.applicant)
      expect(queues.map(queue => queue.key)).toContain('approvals.returned')
      expect(await refusalTextOf(w.t.call(withdrawPurchase, { id: row.id }, w.applicant))).toContain('已退回')
      const amended = { ...w.draft({ lines: paperOnly, title: '打印纸' }), id: row.id }
      const kept = await w.t.call(savePurchase, { ...amended, submits: false }, w.applicant)
      expect(kept).toMatchObject({ state: 'approving', isReturned: true, totalAmount: 20_400 })
      expect((await instanceOf(row.id)).round).toBe(1)
      await w.t.call(submitPurchase, { id: row.id }, w.applicant)
      const again = await w.see(row.id)
      expect(again).toMatchObject({ state: 'approving', way: 'process', isReturned: false })
      expect(again.returnReason).toBeUndefined()
      const instance = await instanceOf(row.id)
      expect(instance).toMatchObject({ id: instanceId, round: 2, amount: 20_400, isReturned: false })
      expect(instance.title).toContain('打印纸')
      expect(
        instance.forms.map(form => form.formLines.find(line => line.label === '预估金额')?.value),
      ).toEqual([expect.stringContaining('754.98'), expect.stringContaining('204.00')])
      expect(instance.tasks.map(task => [task.round, task.state])).toEqual([
        [1, 'refused'],
        [2, 'waiting'],
      ])
      expect(
        await refusalTextOf(w.t.call(savePurchase, { ...amended, submits: false }, w.applicant)),
      ).toContain('不能修改')
      await w.t.call(approveRequest, { id: instanceId }, w.owner)
      expect((await w.see(row.id)).state).toBe('approved')
    })

    it('sent in again from the approvals it has its new amount as well', async () => {
      const { row, instanceId } = await returned()
      const amended = { ...w.draft({ lines: paperOnly, submits: false }), id: row.id }
      await w.t.call(savePurchase, amended, w.applicant)
      await w.t.call(resubmitRequest, { id: instanceId }, w.applicant)
      expect(await instanceOf(row.id)).toMatchObject({ round: 2, amount: 20_400 })
      expect((await w.see(row.id)).isReturned).toBe(false)
    })

    it('small enough for no node, one person decides on it', async () => {
      const { row, instanceId } = await returned()
      const small = [{ itemName: '笔', unit: '支', quantity: '1', price: '2' }]
      await w.t.call(savePurchase, { ...w.draft({ lines: small }), id: row.id }, w.applicant)
      expect(await w.see(row.id)).toMatchObject({ state: 'approving', way: 'person', isReturned: false })
      expect((await w.t.call(getInstance, { id: instanceId }, w.owner)).state).toBe('terminated')
      const decided = await w.t.call(decidePurchase, { id: row.id, isApproved: true }, w.approver)
      expect(decided.state).toBe('approved')
    })

    it('given up by its applicant it is cancelled, wherever that is done', async () => {
      const first = await returned()
      await w.t.call(terminateRequest, { id: first.instanceId, reason }, w.applicant)
      expect(await w.see(first.row.id)).toMatchObject({ state: 'cancelled', endReason: reason })
      const second = await returned()
      await w.t.call(cancelOwnPurchase, { id: second.row.id, reason }, w.applicant)
      expect(await w.see(second.row.id)).toMatchObject({ state: 'cancelled', isReturned: false })
      expect((await instanceOf(second.row.id)).state).toBe('terminated')
    })

    it('nothing more is ordered ahead; what is ordered stays', async () => {
      await w.set({ allowsAhead: true })
      const { id: supplierId } = await w.addSupplier()
      const row = await w.ask({ isUrgent: true, urgentReason: '水泵停机' })
      const order = await w.order(row, supplierId, [[1, '10', '25']])
      const { id } = await instanceOf(row.id)
      await w.t.call(refuseRequest, { id, opinion: '请减少数量', refuseTo: 'requester' }, w.owner)
      expect(await refusalTextOf(w.order(row, supplierId, [[2, '1', '199']]))).toContain('已退回')
      await w.receive(order, [[1, '1', '25']])
      const changed = {
        ...w.draft({ isUrgent: true, urgentReason: '水泵停机', lines: paperOnly }),
        id: row.id,
      }
      expect(await faultsOf(w.t.call(savePurchase, changed, w.applicant))).toEqual([
        expect.stringContaining('已先行下单'),
      ])
      expect(await w.see(row.id)).toMatchObject({ isReturned: true, awaitsOrder: false })
    })
  })

  it('neither withdrawn nor terminated while something is ordered ahead', async () => {
    await w.set({ allowsAhead: true })
    const { id: supplierId } = await w.addSupplier()
    const row = await w.ask({ isUrgent: true, urgentReason: '水泵停机' })
    const order = await w.order(row, supplierId, [[1, '10', '25']])
    const { id } = await instanceOf(row.id)
    expect(await refusalTextOf(w.t.call(withdrawRequest, { id, reason }, w.applicant))).toContain(
      '取消订单后再撤回',
    )
    expect(await refusalTextOf(w.t.call(terminateRequest, { id, reason }, w.owner))).toContain(
      '取消订单后再终止',
    )
    expect((await instanceOf(row.id)).state).toBe('running')
    await w.t.call(closeOrder, { id: order.id, reason }, w.buyer)
    await w.t.call(withdrawRequest, { id, reason }, w.applicant)
    expect((await w.see(row.id)).state).toBe('draft')
  })

  it('cancelled, its approval ends with it; in the same instant as the approval one of the two happens', async () => {
    const row = await w.ask()
    await w.t.call(cancelOwnPurchase, { id: row.id, reason }, w.applicant)
    expect((await instanceOf(row.id)).state).toBe('terminated')
    for (let i = 0; i < 5; i++) {
      const { id } = await w.ask()
      const instance = await instanceOf(id)
      await Promise.allSettled([
        w.t.call(approveRequest, { id: instance.id }, w.owner),
        w.t.call(withdrawRequest, { id: instance.id, reason }, w.applicant),
        w.t.call(cancelOwnPurchase, { id, reason }, w.applicant),
      ])
      const states = [(await instanceOf(id)).state, (await w.see(id)).state].join(' ')
      expect([
        'approved approved',
        'approved cancelled',
        'withdrawn draft',
        'terminated cancelled',
      ]).toContain(states)
    }
  })
})

describe('who may', () => {
  it('ids of another company are not there', async () => {
    const { id: supplierId } = await w.addSupplier()
    const row = await w.approved()
    const order = await w.order(row, supplierId, [[1, '10', '25']])
    const receipt = await w.receive(order, [[1, '1', '25']])
    const other = await w.t.signedInAs(golden.second.owner, '')
    const { id } = row
    const line = { lineNo: 1, quantity: '1', price: '25' }
    const attempts = [
      w.t.call(getPurchase, { id }, other),
      w.t.call(savePurchase, { ...w.draft(), id }, other),
      w.t.call(submitPurchase, { id }, other),
      w.t.call(withdrawPurchase, { id }, other),
      w.t.call(decidePurchase, { id, isApproved: true }, other),
      w.t.call(cancelPurchase, { id, reason }, other),
      w.t.call(cancelOwnPurchase, { id, reason }, other),
      w.t.call(closePurchase, { id, reason }, other),
      w.t.call(deletePurchases, { ids: [String(id)], reason }, other),
      w.t.call(placeOrder, { purchaseId: id, supplierId, deliverDate: w.today, lines: [line] }, other),
      w.t.call(closeOrder, { id: order.id, reason }, other),
      w.receive(order, [[1, '1', '25']], other),
      w.t.call(reverseReceipt, { id: receipt.id, reason }, other),
    ]
    for (const outcome of await Promise.allSettled(attempts)) {
      expect(outcome.status).toBe('rejected')
    }
    expect((await w.t.call(purchases.list, {}, other)).total).toBe(0)
    expect((await w.t.call(purchaseOrders.list, {}, other)).total).toBe(0)
    expect((await w.t.call(purchaseReceipts.list, {}, other)).total).toBe(0)
    expect(await w.see(id)).toMatchObject({ state: 'partial' })
  })

  it('each action asks for its own permission', async () => {
    const { id: supplierId } = await w.addSupplier()
    const row = await w.approved()
    const order = await w.order(row, supplierId, [[1, '10', '25']])
    const line = { lineNo: 1, quantity: '1', price: '25' }
    const attempts = [
      w.t.call(purchases.list, {}, w.applicant),
      w.t.call(
        placeOrder,
        { purchaseId: row.id, supplierId, deliverDate: w.today, lines: [line] },
        w.approver,
      ),
      w.receive(order, [[1, '1', '25']], w.buyer),
      w.t.call(decidePurchase, { id: row.id, isApproved: true }, w.buyer),
      w.t.call(closeOrder, { id: order.id, reason }, w.receiver),
      w.t.call(suppliers.list, {}, w.applicant),
    ]
    for (const outcome of await Promise.allSettled(attempts)) {
      expect(outcome.status).toBe('rejected')
    }
  })
})

describe('what breaks', () => {
  it('a receipt cut off at any statement leaves nothing; sent again it counts once', async () => {
    const { id: supplierId } = await w.addSupplier()
    const { app } = w.t as { readonly app: { database: App['database'] } }
    let broken = 0
    for (let at = 0; ; at++) {
      const row = await w.approved()
      const order = await w.order(row, supplierId, [[1, '10', '25']])
      const send = () => w.receive(order, [[1, '10', '25']], { ...w.receiver, uuid: `receipt-${at}` })
      let remaining = at
      app.database = withFaultHook(w.t.database, tx => {
        if (tx && remaining-- === 0) throw new Error('the connection was cut')
      })
      const outcome = await send().then(
        () => 'done',
        () => 'broken',
      )
      app.database = w.t.database
      const receipts = async () =>
        w.t.database
          .reader(w.t.ownerId)
          .rows(
            sql`select id from purchase_receipt where order_id = ${order.id} and owner_id = ${w.t.ownerId}`,
          )
      if (outcome === 'broken') {
        broken++
        expect(await receipts()).toEqual([])
        expect(await w.see(row.id)).toMatchObject({ state: 'ordering', receivedAmount: 0 })
        await send()
      }
      await send()
      expect(await receipts()).toHaveLength(1)
      expect(await w.see(row.id)).toMatchObject({ state: 'partial', receivedAmount: 25_000 })
      if (outcome === 'done') break
    }
    expect(broken).toBeGreaterThan(8)
  }, 120_000)
})
