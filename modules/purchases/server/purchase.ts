import { asId, type Id } from '#kit/domain/id.ts'
import { invalidField, notFound, refuse, staleVersion } from '#kit/contract/wire.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type Db, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { registerFileAccess } from '#kit/server/file-access.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import { hasPermission, type Caller, type Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { findAll, findByIds, findPage, insert, requireById, tenantFilter, update } from '#kit/server/table.ts'
import { findUndecided } from '#modules/approvals/server/public.ts'
import { staffState } from '#modules/staff/contract/labels.ts'
import { purchaseKind } from '../contract/approval-kind.ts'
import {
  exportPurchases,
  getOwnPurchase,
  getPurchase,
  listOwnPurchases,
  purchase,
  purchases,
  savePurchase,
  type Purchase,
  type PurchaseDetail,
} from '../contract/purchase.ts'
import { amountOf, totalOf } from '../domain/amounts.ts'
import { actionRefusal, canDo, isOrdered, type PurchaseAction } from '../domain/states.ts'
import { menu } from '../module.ts'
import { assertOrderedKept, everywhere } from './ordered.ts'
import { lockPurchase, ordersOf, receiptsOf } from './progress.ts'
import { loadSetting } from './setting.ts'
import { submit } from './submission.ts'
import { requireUsableSupplier } from './supplier.ts'

type Save = NonNullable<typeof savePurchase.input.T>

const isOwn = ({ operatorId }: Pick<Caller, 'operatorId'>): RawBuilder<unknown> =>
  sql`t.applicant_id = ${operatorId}`

const findOwn = (db: Db, scope: Scope, id: Id): Promise<Purchase[]> =>
  findAll(db, purchase, everywhere(scope), {}, { where: [sql`t.id = ${id}`, isOwn(scope)], limit: 1 })

/** An own purchase; any other does not exist for the operator. */
async function requireOwn(db: Db, scope: Scope, id: Id): Promise<Purchase> {
  const [found] = await findOwn(db, scope, id)
  if (!found) throw notFound()
  return found
}

export async function lockOwn(
  tx: Tx,
  scope: Scope,
  id: Id,
  action: PurchaseAction,
  version?: number,
): Promise<Purchase> {
  await requireOwn(tx, scope, id)
  const locked = await lockPurchase(tx, everywhere(scope), id)
  // What was seen is not this any more (G-8); that comes before what its present state refuses.
  if (version !== undefined && version !== locked.version) throw staleVersion()
  const refusal = actionRefusal(action, locked.state, { isReturned: locked.isReturned })
  return refusal ? refuse(refusal) : locked
}

/** Own purchases among these, held in the order of their numbers. */
export const lockOwnRows = async (tx: Tx, scope: Scope, ids: readonly string[]): Promise<Purchase[]> =>
  (await findByIds(tx, purchase, everywhere(scope), ids, { lock: true })).filter(
    row => row.applicantId === scope.operatorId,
  )

/** Marks those that their applicant may take back at present. */
async function markWithdrawable(db: Db, scope: Scope, rows: readonly Purchase[]): Promise<Purchase[]> {
  const open = rows.filter(row => canDo('withdraw', row.state, row) && !isOrdered(row.lines))
  const inProcess = open.filter(row => row.way === 'process').map(row => row.id)
  const undecided = await findUndecided(db, scope, purchaseKind, inProcess)
  const ids = new Set(open.filter(row => row.way !== 'process' || undecided.has(row.id)).map(row => row.id))
  return rows.map(row => ({ ...row, isWithdrawable: ids.has(row.id) }))
}

async function detailOf(db: Db, scope: Scope, found: Purchase): Promise<PurchaseDetail> {
  const all = everywhere(scope)
  const [row = found] = await markWithdrawable(db, scope, [found])
  const orders = await ordersOf(db, all, row.id)
  const receipts = await receiptsOf(db, all, row.id)
  return { ...row, orders, receipts }
}

/** The department in which the operator works, where their account is that of a member of staff. */
async function departmentOf(tx: Tx, { ownerId, operatorId }: Scope): Promise<Id | undefined> {
  const row = await tx.one<{ departmentId?: Id }>(sql`
    select department_id
    from staff
    where owner_id = ${ownerId}
      and manager_id = ${operatorId}
      and state <> ${code(staffState, 'left')}
      and ${notDeleted()}
    order by id
    limit 1
  `)
  return row?.departmentId
}

/** The lines with their numbers and amounts, and what the purchase says of them together. */
function contentOf(sent: Save['lines'], before: Purchase['lines'] = []) {
  const lines = sent.map((line, i) => ({
    ...line,
    lineNo: i + 1,
    amount: amountOf(line.quantity, line.price),
    orderedQuantity: before[i]?.orderedQuantity ?? '0',
    receivedQuantity: before[i]?.receivedQuantity ?? '0',
  }))
  const itemNames = [...new Set(lines.map(line => [line.itemName, line.spec].filter(Boolean).join(' ')))]
  return { lines, itemNames: itemNames.join('、'), totalAmount: totalOf(lines) }
}

async function add(
  c: WriteContext,
  fields: object,
  content: ReturnType<typeof contentOf>,
): Promise<Purchase> {
  const { tx, scope, today } = c
  const { numberPrefix } = await loadSetting(tx, scope)
  return insert(tx, purchase, scope, {
    ...fields,
    ...content,
    purchaseNo: await tx.numbers.next(scope.ownerId, numberPrefix, today),
    applicantId: scope.operatorId,
    applicantName: scope.name,
    departmentId: await departmentOf(tx, scope),
    orderedAmount: 0,
    receivedAmount: 0,
    isReturned: false,
    awaitsOrder: false,
    state: 'draft',
  })
}

async function save(input: Save, c: WriteContext): Promise<Purchase> {
  const { tx, scope } = c
  const { id, version, submits, chosen, lines, ...fields } = input
  if (fields.supplierId !== undefined) {
    await requireUsableSupplier(tx, scope, fields.supplierId)
  }
  if (!id) {
    const added = await add(c, fields, contentOf(lines))
    return submits ? submit(c, added, chosen) : added
  }
  const locked = await lockOwn(tx, scope, asId(id), 'edit', version)
  const content = contentOf(lines, locked.lines)
  await assertOrderedKept(tx, scope, locked, { ...content, isUrgent: fields.isUrgent })
  if (locked.projectCode !== fields.projectCode) throw invalidField('ProjectCode', '已保存的申请不能更换项目')
  // What was approved is not this any more: it is approved again.
  const unapproved = {
    state: 'draft',
    submitTime: undefined,
    way: undefined,
    approverName: undefined,
    approveTime: undefined,
    awaitsOrder: false,
  } as const
  const emptied = { urgentReason: undefined, supplierId: undefined, attachments: undefined }
  const changed = await update(
    tx,
    purchase,
    everywhere(scope),
    locked.id,
    { ...emptied, ...fields, ...content, ...(locked.state === 'approved' ? unapproved : {}) },
    { version },
  )
  return submits ? submit(c, changed, chosen) : changed
}

export const purchaseServer = crudHandlers(purchases, {
  export: exportPurchases,
  enrich: (rows, { db, scope }) => markWithdrawable(db, scope, rows),
})

export const purchaseHandlers = [
  reads(getPurchase, async ({ id }, { db, scope }) => {
    const [own] = await findOwn(db, scope, id)
    return detailOf(db, scope, own ?? (await requireById(db, purchase, scope, id)))
  }),
  reads(listOwnPurchases, async (input, { db, scope }) => {
    const page = await findPage(db, purchase, everywhere(scope), input, {
      filters: purchases.filters,
      where: [isOwn(scope)],
      sums: ['totalAmount', 'orderedAmount', 'receivedAmount'],
    })
    return { ...page, rows: await markWithdrawable(db, scope, page.rows) }
  }),
  reads(getOwnPurchase, async ({ id }, { db, scope }) =>
    detailOf(db, scope, await requireOwn(db, scope, id)),
  ),
  writes(savePurchase, save),
]

// Files are opened by those who may see the purchase: the applicant, and who may see all of the project.
registerFileAccess(purchase.name, caller =>
  hasPermission(caller, menu.purchase.permissions.view)
    ? sql`(${isOwn(caller)} or ${tenantFilter(purchase, caller)})`
    : isOwn(caller),
)
