import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'
import { defineStateMachine } from '#kit/domain/state-machine.ts'
import { displayYuan, type Fen } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { labelOf } from '#kit/contract/field.ts'
import { billState } from '../contract/choices.ts'
import { isLocked, type Bill, type BillState, type BillChange } from './bill.ts'

/** The allowed transitions between states (C3.2). */
export const billStateMachine = defineStateMachine<BillState>(
  {
    pending: ['normal', 'abolished'],
    normal: ['abolished', 'split', 'writtenOff'],
    abolished: ['normal'],
    split: ['normal'],
    writtenOff: ['normal'],
  },
  { state: s => labelOf(billState, s) },
)

/** What the rules of an action need besides the bill. */
export interface ActionFacts {
  readonly now: Moment
  /** Another effective bill of the same object and item overlaps (GEN-2). */
  readonly overlapped?: boolean
  readonly sourceDeleted?: boolean
  /** Another bill has its meter reading by now, or the reading was corrected. */
  readonly readingBilledElsewhere?: boolean
  /** Its pool was deleted, or shared again. */
  readonly poolReshared?: boolean
  /** The number of the effective bill that replaces it (BILL-9). */
  readonly replacedBy?: string
  readonly children?: readonly Bill[]
  /** Whether it was split off another bill. */
  readonly isSplitPart?: boolean
  /** The replacement would have the same amount. */
  readonly isSameAmount?: boolean
  /** Write-off needs an approval, and has it. */
  readonly approval?: 'needed' | 'given'
  /** A running request for an approval names it. */
  readonly isWaiting?: boolean
  /** Why nothing is owed any more for the order of another module that it charges. */
  readonly orderRefusal?: string | undefined
}

type Guard = (b: Bill, f: ActionFacts) => string | undefined

const refuseWhen =
  (test: (b: Bill, f: ActionFacts) => boolean, message: string): Guard =>
  (b, f) =>
    test(b, f) ? message : undefined

const nothingPaid = (message: string): Guard =>
  refuseWhen(b => b.paidPrincipal > 0 || b.latePaid > 0, message)
const notInvoiced = refuseWhen(b => b.invoiceState !== 'none', '账单已开票，请先红冲或作废发票')
/** An order that ended is owed nothing. */
const orderStands: Guard = (_, { orderRefusal }) => orderRefusal
const notPaidUp = refuseWhen(b => b.payState === 'paid', '账单已缴清，请核对刷新后的账单')

export type BillAction =
  | 'audit'
  | 'abolish'
  | 'reprice'
  | 'recover'
  | 'delete'
  | 'discount'
  | 'lateFee'
  | 'split'
  | 'mergeBack'
  | 'writeOff'
  | 'reverseWriteOff'
  | 'changePayer'
  | 'editAmount'
  | 'pay'

interface ActionRule {
  readonly label: string
  readonly from: readonly BillState[]
  readonly to?: BillState
  readonly guards: readonly Guard[]
}

/** C3.2 as a table: from where, to where, what must hold. */
export const actionRules: Readonly<Record<BillAction, ActionRule>> = {
  audit: { label: '审核', from: ['pending'], to: 'normal', guards: [] },
  abolish: {
    label: '作废',
    from: ['pending', 'normal'],
    to: 'abolished',
    guards: [nothingPaid('已缴费账单不能作废，请先退款'), notInvoiced],
  },
  // Replacing the bill would lose a discount or a late fee that was set by hand: it must be cancelled
  // first (FEE-6).
  reprice: {
    label: '重新生成',
    from: ['pending', 'normal'],
    to: 'abolished',
    guards: [
      nothingPaid('已缴费账单不能重新生成，请先退款'),
      notInvoiced,
      refuseWhen((_, f) => f.isSplitPart === true, '由另一张账单拆分而来，请先合并还原再重新生成'),
      refuseWhen(b => b.discount > 0, '账单有减免，请先取消减免再重新生成'),
      refuseWhen(b => b.lateManual || b.lateWaived > 0, '违约金已人工调整，请先恢复自动再重新生成'),
      refuseWhen((_, f) => f.isSameAmount === true, '金额不变，无需重新生成'),
    ],
  },
  recover: {
    label: '恢复',
    from: ['abolished'],
    to: 'normal',
    guards: [
      orderStands,
      refuseWhen((_, f) => f.overlapped === true, '本期已有有效账单，请先作废该账单再恢复'),
      refuseWhen((_, f) => f.sourceDeleted === true, '收费对象已删除，不能恢复'),
      (_, f) =>
        f.replacedBy === undefined ? undefined : `已由账单 ${f.replacedBy} 替换，请先作废该账单再恢复`,
      refuseWhen(
        (_, f) => f.readingBilledElsewhere === true,
        '抄表读数已由其他账单计费或已更正，不能恢复；请按现在的读数重新出账',
      ),
      refuseWhen((_, f) => f.poolReshared === true, '所属公摊已删除或已重新分摊，不能恢复'),
    ],
  },
  delete: {
    label: '删除',
    from: ['abolished', 'normal'],
    guards: [
      refuseWhen(
        b => b.state === 'normal' && (b.paidPrincipal > 0 || b.latePaid > 0 || b.refundState !== 'none'),
        '缴过费的账单不能删除，请先退款并作废',
      ),
      refuseWhen(b => b.state === 'normal' && b.notified, '账单已通知过用户，请先作废再删除'),
      notInvoiced,
    ],
  },
  discount: { label: '减免', from: ['normal'], guards: [notPaidUp] },
  lateFee: { label: '调整违约金', from: ['normal'], guards: [] },
  split: {
    label: '拆分',
    from: ['normal'],
    to: 'split',
    guards: [nothingPaid('已缴费的账单不能拆分，请先退款'), notInvoiced, notPaidUp],
  },
  mergeBack: {
    label: '合并还原',
    from: ['split'],
    to: 'normal',
    guards: [
      refuseWhen((_, f) => !f.children?.length, '未找到拆分出的账单'),
      // A split always makes two halves: merging only one of them would lose a part of the money.
      refuseWhen(
        (_, f) => defined(f.children).length < 2,
        '拆分出的账单有的已删除，不能合并还原；余下的请直接收缴或作废',
      ),
      refuseWhen(
        (_, f) => defined(f.children).some(c => c.state !== 'normal' || c.deleted),
        '拆分出的账单有的已作废、再拆分或核销，请先还原它们',
      ),
      refuseWhen(
        (_, f) => defined(f.children).some(c => c.paidPrincipal > 0 || c.latePaid > 0),
        '拆分出的账单已有缴费，请先退款',
      ),
      refuseWhen(
        (_, f) => defined(f.children).some(c => isLocked(c, f.now)),
        '拆分出的账单正在支付中，请等待支付完成',
      ),
      refuseWhen(
        (_, f) => defined(f.children).some(c => c.invoiceState !== 'none'),
        '拆分出的账单已开票，请先红冲或作废发票',
      ),
    ],
  },
  writeOff: {
    label: '坏账核销',
    from: ['normal'],
    to: 'writtenOff',
    guards: [notPaidUp, refuseWhen((_, f) => f.approval === 'needed', '坏账核销需要先通过审批')],
  },
  reverseWriteOff: { label: '撤销核销', from: ['writtenOff'], to: 'normal', guards: [orderStands] },
  changePayer: {
    label: '变更缴费人',
    from: ['pending', 'normal'],
    guards: [nothingPaid('已缴费的账单不能变更缴费人'), notInvoiced],
  },
  editAmount: {
    label: '修改金额',
    from: ['pending', 'normal'],
    guards: [
      refuseWhen(
        b => b.source !== 'imported' && b.source !== 'temporary',
        '系统生成的账单不能直接改金额，请作废后重新生成，或使用减免',
      ),
      nothingPaid('已缴费的账单不能改金额，请先退款'),
      notInvoiced,
    ],
  },
  pay: { label: '缴费', from: ['normal'], guards: [notPaidUp] },
}

/** Of a bill that waits in an approval; its payer may pay it, which the approval then finds (APR-5). */
export const waitingRefusal = '已在审批中，请等待审批结果'

const allowedInApproval: ReadonlySet<BillAction> = new Set(['audit', 'recover', 'reverseWriteOff', 'pay'])

/** Whether an action would change what somebody is asked to approve. */
export const stopsInApproval = (action: BillAction): boolean => !allowedInApproval.has(action)

/** Why an action on a bill is refused now, and what to do; undefined when it is allowed (C3.2, BILL-3). */
export function refusalOf(action: BillAction, bill: Bill, facts: ActionFacts): string | undefined {
  const rule = actionRules[action]
  if (bill.deleted) return '账单已删除，不能再操作'
  if (!rule.from.includes(bill.state)) {
    const allowed = rule.from.map(s => `“${labelOf(billState, s)}”`).join('、')
    return `当前为“${labelOf(billState, bill.state)}”，不能${rule.label}；只有${allowed}的账单可以${rule.label}`
  }
  if (isLocked(bill, facts.now)) return `账单正在支付中，请等支付完成或关闭支付单后再${rule.label}`
  if (facts.isWaiting && stopsInApproval(action)) return waitingRefusal
  for (const guard of rule.guards) {
    const refusal = guard(bill, facts)
    if (refusal) return refusal
  }
  return undefined
}

/** The new state after an allowed action. `resetDue`: the new due date of a recovered bill (LATE-10). */
export const stateChange = (action: BillAction, resetDue?: Day): BillChange => ({
  ...(actionRules[action].to ? { state: actionRules[action].to } : {}),
  ...(action === 'recover' && resetDue ? { dueDate: resetDue } : {}),
  ...(action === 'delete' ? { deleted: true } : {}),
})

/**
 * Why an action by filter may not go on: the filter must still find what the client saw (BILL-1).
 * Undefined when it may.
 */
export function searchRefusal(
  filterIsEmpty: boolean,
  expected: { readonly count: number; readonly sum: Fen },
  found: { readonly count: number; readonly sum: Fen },
): string | undefined {
  if (filterIsEmpty) return '请先设置筛选条件，不能对全部账单操作'
  return expected.count === found.count && expected.sum === found.sum
    ? undefined
    : `数据已变化：原为 ${expected.count} 张 ${displayYuan(expected.sum)} 元，现为 ${found.count} 张 ${displayYuan(found.sum)} 元，请核对后重试`
}

export interface UndoPlan {
  readonly abolish: readonly Id[]
  readonly kept: readonly { readonly id: Id; readonly why: string }[]
}

/**
 * Undoing a batch as a whole, or only its unpaid bills when the operator says so (GEN-7). Returns a
 * refusal as text.
 */
export function planUndo(bills: readonly Bill[], onlyUnpaid: boolean, now: Moment): UndoPlan | string {
  const liveBills = bills.filter(b => !b.deleted && b.state !== 'abolished')
  const judged = liveBills.map(b => ({ id: b.id, why: refusalOf('abolish', b, { now }) }))
  const kept = judged.flatMap(j => (j.why === undefined ? [] : [{ id: j.id, why: j.why }]))
  const paid = liveBills.filter(b => b.paidPrincipal > 0 || b.latePaid > 0).length
  if (paid && !onlyUnpaid) return `该批次有 ${paid} 张账单已缴费，不能整批撤销；可勾选“仅撤销未缴”`
  return { abolish: judged.filter(j => j.why === undefined).map(j => j.id), kept }
}
