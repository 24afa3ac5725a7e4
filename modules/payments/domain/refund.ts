import { defineStateMachine } from '#kit/domain/state-machine.ts'
import { labelOf, type ChoiceOf } from '#kit/contract/field.ts'
import { formatYuan, sumFen, type Fen } from '#kit/domain/money.ts'
import { refundState } from '../contract/choices.ts'

export type RefundState = ChoiceOf<typeof refundState>

/** C6.1 */
export const refundStates = defineStateMachine<RefundState>(
  {
    pending: ['doing', 'rejected', 'cancelled'],
    doing: ['done', 'failed', 'cancelled'],
    done: ['cancelled'],
    rejected: [],
    cancelled: [],
    failed: ['doing', 'cancelled'],
  },
  { state: s => labelOf(refundState, s) },
)

/**
 * A bill's part of a payment as a refund looks at it; `asked`: what other refunds under way already ask for.
 */
export interface RefundablePart {
  readonly id: number
  readonly billNo: string
  readonly principal: Fen
  readonly late: Fen
  readonly backPrincipal: Fen
  readonly backLate: Fen
  readonly askedPrincipal: Fen
  readonly askedLate: Fen
}

export interface RefundLine {
  readonly detailId: number
  readonly principal: Fen
  readonly late: Fen
}

/** What is wrong with a wish, by its line; empty when all may go back (REF-1). */
export function findRefundLineFaults(
  parts: readonly RefundablePart[],
  wishes: readonly RefundLine[],
): { readonly at: number; readonly message: string }[] {
  const by = new Map(parts.map(p => [p.id, p]))
  const seen = new Set<number>()
  return wishes.flatMap((w, at) => {
    const p = by.get(w.detailId)
    const say = (message: string) => [{ at, message }]
    if (!p) return say('该账单不在这笔收款里')
    if (seen.has(w.detailId)) return say('同一账单只能填一行')
    seen.add(w.detailId)
    const most = {
      principal: p.principal - p.backPrincipal - p.askedPrincipal,
      late: p.late - p.backLate - p.askedLate,
    }
    if (w.principal > most.principal || w.late > most.late)
      return say(
        `${p.billNo} 最多可退本金 ${formatYuan(most.principal)} 元、违约金 ${formatYuan(most.late)} 元`,
      )
    return w.principal + w.late > 0 ? [] : say('退款金额应大于零')
  })
}

/**
 * REF-7: whether a wish reaches into what is on an invoice; what was never invoiced may go back without it.
 */
export const hasInvoicedPart = (
  parts: readonly (RefundablePart & { readonly invoiced: Fen })[],
  wishes: readonly RefundLine[],
): boolean =>
  wishes.some(w => {
    const p = parts.find(x => x.id === w.detailId)
    return (
      p !== undefined &&
      w.principal + w.late >
        p.principal + p.late - p.backPrincipal - p.backLate - p.askedPrincipal - p.askedLate - p.invoiced
    )
  })

export const sumRefundLines = (list: readonly RefundLine[]): Fen =>
  sumFen(list.map(w => w.principal + w.late))

/** REF-3: who asked may not also approve. */
export const auditRefusal = (applicant: number, auditor: number): string | undefined =>
  applicant === auditor ? '申请人不能审核自己的退款，请由其他人审核' : undefined
