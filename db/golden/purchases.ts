import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { buildSearchText } from '#kit/domain/search-text.ts'
import { addMinutes, dayOfMoment, fromInstant, startOfDay, type Moment } from '#kit/domain/moment.ts'
import { sql, type Database, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insert, insertAll } from '#kit/server/table.ts'
import { demoLogins } from '#modules/accounts/domain/demo-account.ts'
import { purchaseOrder } from '#modules/purchases/contract/order.ts'
import { purchase, type Purchase } from '#modules/purchases/contract/purchase.ts'
import { purchaseReceipt } from '#modules/purchases/contract/receipt.ts'
import { supplier } from '#modules/purchases/contract/supplier.ts'
import { amountOf, totalOf } from '#modules/purchases/domain/amounts.ts'
import { settle } from '#modules/purchases/server/progress.ts'
import {
  purchasePlan,
  suppliers,
  type Item,
  type PlannedOrder,
  type PlannedPurchase,
} from './purchase-plan.ts'

interface Person {
  readonly id: Id
  readonly name: string
}

async function addSuppliers(tx: Tx, scope: Scope): Promise<Id[]> {
  const ids = await insertAll(
    tx,
    supplier,
    scope,
    suppliers.map(([supplierName, category, contactName, phone], i) => ({
      supplierNo: `GY00000${i + 1}`,
      supplierName,
      category,
      contactName,
      phone,
      taxNo: `91440101MA59D00${i}X1`,
      bankName: '工商银行天河支行',
      bankAccount: `360201990020001${i}`,
      state: 'on' as const,
    })),
  )
  const searched = suppliers.map(([supplierName, , contactName, phone], i) =>
    buildSearchText([supplierName, contactName], [`GY00000${i + 1}`, phone]),
  )
  await tx.execute(sql`
    update supplier t
    set search_text = x.search
    from unnest(${ids}::bigint[], ${searched}::text[]) as x(id, search)
    where t.owner_id = ${scope.ownerId} and t.id = x.id
  `)
  return ids
}

const linesOf = (items: readonly Item[]): Purchase['lines'] =>
  items.map(([itemName, spec, unit, quantity, price], i) => ({
    lineNo: i + 1,
    itemName,
    ...(spec ? { spec } : {}),
    unit,
    quantity,
    price,
    amount: amountOf(quantity, price),
    orderedQuantity: '0',
    receivedQuantity: '0',
  }))

/** The state of a purchase, and since when. */
interface Setting {
  readonly projectCode: string
  readonly time: Moment
  readonly decider: Person
}

async function addPurchase(
  tx: Tx,
  scope: Scope,
  planned: PlannedPurchase,
  { projectCode, time, decider }: Setting,
): Promise<Purchase> {
  const { title, purpose, items, state, isUrgent = false, reason } = planned
  const lines = linesOf(items)
  const day = dayOfMoment(time)
  const isDecided = state === 'approved' || state === 'refused'
  return insert(tx, purchase, scope, {
    projectCode,
    purchaseNo: await tx.numbers.next(scope.ownerId, 'CG', day),
    title,
    applicantId: scope.operatorId,
    applicantName: scope.name,
    needDate: addDays(day, 10),
    purpose,
    isUrgent,
    urgentReason: isUrgent ? '设备停机，影响使用' : undefined,
    lines,
    itemNames: lines.map(({ itemName, spec = '' }) => `${itemName} ${spec}`.trim()).join('、'),
    totalAmount: totalOf(lines),
    orderedAmount: 0,
    receivedAmount: 0,
    awaitsOrder: false,
    endReason: reason,
    state,
    ...(state === 'draft' ? {} : { way: 'person', submitTime: time }),
    ...(isDecided ? { approverName: decider.name, approveTime: addMinutes(time, 95) } : {}),
  })
}

/** A quantity in quarters: three decimals are enough for them. */
const quartersOf = (quantity: string, quarters: number): string => String((Number(quantity) * quarters) / 4)

async function addOrder(
  tx: Tx,
  scope: Scope,
  row: Purchase,
  {
    supplierId,
    day,
    planned,
  }: { readonly supplierId: Id; readonly day: Day; readonly planned: PlannedOrder },
): Promise<void> {
  const lines = row.lines
    .filter(line => planned.lines.includes(line.lineNo))
    .map(({ lineNo, itemName, spec, unit, quantity, price, amount }) => ({
      lineNo,
      itemName,
      spec,
      unit,
      quantity,
      price,
      amount,
      receivedQuantity: '0',
    }))
  const order = await insert(tx, purchaseOrder, scope, {
    projectCode: row.projectCode,
    orderNo: await tx.numbers.next(scope.ownerId, 'CD', day),
    purchaseId: row.id,
    supplierId,
    orderDate: day,
    deliverDate: addDays(day, 5),
    deliverPlace: '物业服务中心仓库',
    buyerId: scope.operatorId,
    buyerName: scope.name,
    lines,
    amount: totalOf(lines),
    receivedAmount: 0,
    isAhead: false,
    state: 'open',
  })
  for (const [i, quarters] of planned.quarters.entries()) {
    const arrived = lines.map(({ receivedQuantity: _, ...line }) => {
      const quantity = quartersOf(line.quantity, quarters)
      return { ...line, quantity, amount: amountOf(quantity, line.price) }
    })
    const receiveDate = addDays(day, 3 + 2 * i)
    await insert(tx, purchaseReceipt, scope, {
      projectCode: row.projectCode,
      receiptNo: await tx.numbers.next(scope.ownerId, 'RK', receiveDate),
      kind: 'receipt',
      purchaseId: row.id,
      orderId: order.id,
      supplierId,
      receiveDate,
      deliveryNo: `SH${receiveDate.replaceAll('-', '')}0${i + 1}`,
      receiverId: scope.operatorId,
      receiverName: scope.name,
      lines: arrived,
      amount: totalOf(arrived),
    })
  }
}

/** Suppliers, and purchases in every state: some ordered, some partly received. */
export async function seedPurchases(database: Database, scope: Scope, projectCode: string): Promise<void> {
  const { ownerId } = scope
  const rows = await database.reader(ownerId).rows<Person & { readonly login: string }>(sql`
    select id, real_name as name, login_code as login
    from manager
    where owner_id = ${ownerId} and delete_tag = 0
  `)
  const personOf = (role: string): Person => defined(rows.find(row => row.login === demoLogins.ofRole(role)))
  const decider = personOf('manager')
  const buyer = { ...scope, operatorId: decider.id, name: decider.name }
  const today = startOfDay(dayOfMoment(fromInstant(Date.now())))
  await database.tx(ownerId, async tx => {
    const ids = await addSuppliers(tx, scope)
    for (const planned of purchasePlan) {
      const { id, name } = personOf(planned.applicant)
      const time = addMinutes(today, 560 - planned.daysAgo * 1440)
      const applicant = { ...scope, operatorId: id, name }
      const row = await addPurchase(tx, applicant, planned, { projectCode, time, decider })
      for (const order of planned.orders ?? []) {
        const supplierId = defined(ids[order.supplier])
        await addOrder(tx, buyer, row, { supplierId, day: addDays(dayOfMoment(time), 1), planned: order })
      }
      await settle(tx, buyer, row)
    }
  })
}
