import { defined } from '#kit/domain/defined.ts'
import { dayOfInstant } from '#kit/domain/moment.ts'
import type { Id } from '#kit/domain/id.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { decidePurchase } from '../contract/actions.ts'
import { placeOrder, type PurchaseOrder } from '../contract/order.ts'
import { getPurchase, savePurchase, type Purchase, type PurchaseDetail } from '../contract/purchase.ts'
import { receiveOrder, type PurchaseReceipt } from '../contract/receipt.ts'
import { savePurchaseSetting } from '../contract/setting.ts'
import { suppliers, type Supplier } from '../contract/supplier.ts'

type Save = NonNullable<typeof savePurchase.input.T>
type Setting = NonNullable<typeof savePurchaseSetting.input.T>

export const project = 'GOLD0001'

export interface PurchaseFixture {
  readonly t: GoldenApp
  readonly owner: CallOptions
  readonly today: Day
  readonly applicant: CallOptions
  readonly approver: CallOptions
  readonly buyer: CallOptions
  readonly receiver: CallOptions
  readonly buyerId: Id
  readonly set: (setting?: Partial<Setting>) => Promise<unknown>
  readonly addSupplier: (more?: Partial<Supplier>) => Promise<Supplier>
  readonly draft: (more?: Partial<Save>) => Save
  readonly ask: (more?: Partial<Save>) => Promise<Purchase>
  readonly approved: (more?: Partial<Save>) => Promise<Purchase>
  readonly order: (
    purchase: Pick<Purchase, 'id'>,
    supplierId: Id,
    lines: readonly (readonly [lineNo: number, quantity: string, price: string, reason?: string])[],
  ) => Promise<PurchaseOrder>
  readonly receive: (
    order: Pick<PurchaseOrder, 'id'>,
    lines: readonly (readonly [lineNo: number, quantity: string, price: string, reason?: string])[],
    options?: CallOptions,
  ) => Promise<PurchaseReceipt>
  readonly see: (id: Id) => Promise<PurchaseDetail>
  readonly close: () => Promise<void>
}

const toLines = (lines: readonly (readonly [number, string, string, string?])[]) =>
  lines.map(([lineNo, quantity, price, priceReason]) => ({
    lineNo,
    quantity,
    price,
    ...(priceReason === undefined ? {} : { priceReason }),
  }))

export async function openPurchaseFixture(): Promise<PurchaseFixture> {
  const t = await openGoldenApp()
  const owner = await t.owner
  const clerk = async (...rights: string[]) => t.addClerk(rights.map(right => `purchases.${right}`))
  const asking = await clerk('request.view', 'request.add', 'request.del')
  const approving = await clerk('purchase.view', 'purchase.decide', 'purchase.edit')
  const buying = await clerk('purchase.view', 'order.view', 'order.add', 'order.edit')
  const receiving = await clerk('order.view', 'receipt.view', 'receipt.add', 'receipt.reverse')
  const buyer = await t.database
    .reader(t.ownerId)
    .one<{ id: Id }>(sql`select id from manager where login_code = ${buying.loginCode}`)
  const today = dayOfInstant(t.app.clock())
  let count = 0
  const draft = (more: Partial<Save> = {}): Save => ({
    projectCode: project,
    title: '办公用品',
    needDate: addDays(today, 7),
    purpose: '客服中心日常使用',
    isUrgent: false,
    lines: [
      { itemName: '打印纸', spec: 'A4', unit: '包', quantity: '10', price: '25.5' },
      { itemName: '硒鼓', unit: '个', quantity: '2.5', price: '199.99' },
    ],
    submits: true,
    ...more,
  })
  const ask = (more?: Partial<Save>): Promise<Purchase> => t.call(savePurchase, draft(more), asking.as)
  return {
    t,
    owner,
    today,
    applicant: asking.as,
    approver: approving.as,
    buyer: buying.as,
    receiver: receiving.as,
    buyerId: defined(buyer).id,
    set: (setting = {}) =>
      t.call(
        savePurchaseSetting,
        {
          exemptAmount: 0,
          allowsAhead: false,
          orderTolerance: '10',
          tolerance: '0',
          separatesReceiver: false,
          numberPrefix: 'CG',
          buyerIds: [],
          receiverIds: [],
          limits: [],
          ...setting,
        },
        owner,
      ),
    addSupplier: (more = {}) =>
      t.call(suppliers.add, { supplierName: `供应商${++count}`, state: 'on', ...more }, owner),
    draft,
    ask,
    approved: async more => {
      const { id } = await ask(more)
      return t.call(decidePurchase, { id, isApproved: true }, approving.as)
    },
    order: ({ id }, supplierId, lines) =>
      t.call(
        placeOrder,
        { purchaseId: id, supplierId, deliverDate: addDays(today, 3), lines: toLines(lines) },
        buying.as,
      ),
    receive: ({ id }, lines, options = receiving.as) =>
      t.call(receiveOrder, { orderId: id, receiveDate: today, lines: toLines(lines) }, options),
    see: id => t.call(getPurchase, { id }, owner),
    close: () => t.close(),
  }
}
