import type { Id } from '#kit/domain/id.ts'
import { displayYuan, type Fen } from '#kit/domain/money.ts'
import { invalidInput, refuse } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { monthOf } from '#kit/domain/month.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { requireById } from '#kit/server/table.ts'
import {
  registerApprovalKind,
  requestApproval,
  requiresApproval,
  resubmitApproval,
  type ApprovalContext,
  type ApprovalEnd,
  type ApprovalRequest,
} from '#modules/approvals/server/public.ts'
import { purchaseKind } from '../contract/approval-kind.ts'
import { purchaseState } from '../contract/choices.ts'
import { purchase, type Purchase } from '../contract/purchase.ts'
import type { PurchaseSetting } from '../contract/setting.ts'
import { wholeAmountOf } from '../domain/amounts.ts'
import { limitRefusal, requestFaults } from '../domain/faults.ts'
import { actionRefusal } from '../domain/states.ts'
import { paths } from '../module.ts'
import { assertNoOrderInForce, everywhere } from './ordered.ts'
import { lockPurchase, settle } from './progress.ts'
import { loadSetting, lockSetting } from './setting.ts'
import { requireUsableSupplier } from './supplier.ts'

export type Chosen = ApprovalRequest['chosen']

const shownLines = 20

/** The lines as an approver reads them. */
const itemsText = ({ lines }: Pick<Purchase, 'lines'>): string =>
  [
    ...lines
      .slice(0, shownLines)
      .map(
        ({ itemName, spec = '', quantity, unit, price, amount }) =>
          `${itemName}${spec && ` ${spec}`} ${quantity} ${unit} × ${price} = ${displayYuan(amount)} 元`,
      ),
    ...(lines.length > shownLines ? [`等 ${lines.length} 项`] : []),
  ].join('；')

const formOf = (row: Purchase) => ({
  purchaseNo: row.purchaseNo,
  title: row.title,
  projectName: row.estateName,
  departmentId: row.departmentId,
  totalAmount: wholeAmountOf(row),
  isUrgent: row.isUrgent,
  urgentReason: row.urgentReason,
  needDate: row.needDate,
  supplierName: row.supplierName,
  items: itemsText(row),
  purpose: row.purpose,
  attachments: row.attachments?.length ? row.attachments : undefined,
})

/** What others of the project have asked for since the month began, less what was refused or cancelled. */
async function submittedOfMonth(
  tx: Tx,
  { ownerId }: Scope,
  { projectCode, id }: Pick<Purchase, 'projectCode' | 'id'>,
  today: Day,
): Promise<Fen> {
  const row = await tx.one<{ total: Fen }>(sql`
    select coalesce(sum(total_amount) * 100, 0)::bigint as total
    from purchase
    where owner_id = ${ownerId}
      and project_code = ${projectCode}
      and id <> ${id}
      and submit_time >= ${`${monthOf(today)}-01 00:00:00`}::timestamptz
      and state in ${codes(purchaseState, 'approving', 'approved', 'ordering', 'partial', 'done')}
      and ${notDeleted()}
  `)
  return row?.total ?? 0
}

async function assertWithinLimits(
  { tx, scope, today }: ApprovalContext,
  row: Purchase,
  { limits = [] }: PurchaseSetting,
): Promise<void> {
  const limit = limits.find(each => each.projectCode === row.projectCode)
  if (!limit) return
  await lockSetting(tx, scope)
  const refusal = limitRefusal(wholeAmountOf(row), await submittedOfMonth(tx, scope, row, today), limit)
  if (refusal) refuse(refusal)
}

const unanswered = { endReason: undefined, approverName: undefined, approveTime: undefined }

/** 10, 70 or a returned 20 → 20, or 30 where nobody needs to be asked. */
export async function submit(c: ApprovalContext, locked: Purchase, chosen: Chosen): Promise<Purchase> {
  const { tx, scope, now } = c
  await assertSubmittable(c, locked)
  const setting = await loadSetting(tx, scope)
  await assertWithinLimits(c, locked, setting)
  const sent = { ...unanswered, submitTime: now, isReturned: false, returnReason: undefined }
  const request = {
    bizId: locked.id,
    title: `${scope.name} 采购 ${locked.title}`,
    form: formOf(locked),
    projectCode: locked.projectCode,
    chosen,
  }
  if (!locked.isReturned && !(await requiresApproval(tx, scope, purchaseKind, request.form)))
    return submitToPerson(c, locked, sent, setting)
  const waiting = await settle(tx, scope, locked, { ...sent, state: 'approving', way: 'process' })
  const context = { tx, scope, now, app: c.app }
  if (!locked.isReturned) {
    await requestApproval(context, purchaseKind, request)
  } else if ((await resubmitApproval(context, purchaseKind, request)) === 'notRequired') {
    return submitToPerson(c, waiting, sent, setting)
  }
  return requireById(tx, purchase, scope, locked.id)
}

/** What no process is for: one person decides, or nobody where it is small. */
function submitToPerson(
  { tx, scope, now }: ApprovalContext,
  locked: Purchase,
  sent: Partial<Purchase>,
  { exemptAmount }: PurchaseSetting,
): Promise<Purchase> {
  return wholeAmountOf(locked) <= exemptAmount
    ? settle(tx, scope, locked, { ...sent, state: 'approved', way: 'exempt', approveTime: now })
    : settle(tx, scope, locked, { ...sent, state: 'approving', way: 'person' })
}

async function assertSubmittable({ tx, scope, today }: ApprovalContext, locked: Purchase): Promise<void> {
  const refusal = actionRefusal('submit', locked.state, { isReturned: locked.isReturned })
  if (refusal) refuse(refusal)
  const faults = requestFaults(locked, today)
  if (faults.length) throw invalidInput(faults)
  if (locked.supplierId !== undefined) {
    await requireUsableSupplier(tx, scope, locked.supplierId)
  }
}

const endReasons: Record<Exclude<ApprovalEnd, 'withdrawn'>, string> = {
  refused: '审批驳回',
  terminated: '审批终止',
}

const endActions = { withdrawn: '撤回', terminated: '终止' } as const

const inApproval = async (tx: Tx, scope: Scope, id: Id): Promise<Purchase> => {
  const locked = await lockPurchase(tx, scope, id)
  return locked.state === 'approving' ? locked : refuse(`采购 ${locked.purchaseNo} 已不在审批中`)
}

registerApprovalKind(purchaseKind, {
  lock: async ({ tx, scope }, { bizId }) => {
    await lockPurchase(tx, scope, bizId)
  },
  onApproved: async ({ tx, scope, now }, { bizId }) => {
    const locked = await inApproval(tx, scope, bizId)
    await settle(tx, scope, locked, { state: 'approved', approverName: scope.name, approveTime: now })
  },
  onEnded: async ({ tx, scope }, { bizId, opinion }, how) => {
    const locked = await inApproval(tx, scope, bizId)
    if (how !== 'refused') {
      await assertNoOrderInForce(tx, scope, locked, endActions[how])
    }
    if (how === 'withdrawn') {
      await settle(tx, scope, locked, { state: 'draft', submitTime: undefined })
    } else if (how === 'terminated' && locked.applicantId === scope.operatorId) {
      await settle(tx, scope, locked, { state: 'cancelled', endReason: opinion })
    } else {
      await settle(tx, scope, locked, { state: 'refused', endReason: endReasons[how] })
    }
  },
  onReturned: async ({ tx, scope }, { bizId, opinion }) => {
    const locked = await inApproval(tx, scope, bizId)
    await settle(tx, scope, locked, { isReturned: true, returnReason: opinion })
  },
  resubmit: async (c, { bizId }, chosen) => {
    await submit(c, await lockPurchase(c.tx, everywhere(c.scope), bizId), chosen)
  },
  link: ({ bizId }) => `${paths.detail}?id=${bizId}`,
  amendLinks: ({ bizId }) => ({
    wide: `${paths.form}?id=${bizId}`,
    phone: `${paths.phone}?id=${bizId}&edit=1`,
  }),
})
