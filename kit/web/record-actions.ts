import type { ReactNode } from 'react'
import type { Call } from '#kit/contract/call.ts'
import type { Permission } from '#kit/contract/call.ts'
import { confirmDanger, type DangerOptions } from './confirm.tsx'
import { formatCount } from './numbers.tsx'
import type { BatchAction } from './list/batch-bar.tsx'
import { invalidate } from './query.ts'
import { send, type SendOptions } from './send.ts'
import { toast } from './toast.ts'
import type { Action } from './action.tsx'

/** Says a writing call and has everything it affects asked again. */
export async function sendAndInvalidate<I, O>(
  call: Call<I, O>,
  input: I,
  sendOptions: SendOptions = {},
): Promise<O> {
  const answer = await send(call, input, sendOptions)
  if (call.affects?.length) {
    void invalidate(call.affects)
  }
  return answer
}

interface BulkResultLike {
  readonly success: number
  readonly fail: number
  readonly skipped: number
  readonly rows?: readonly { readonly reason: string }[]
}

/** `成功 5，跳过 1（已缴费，请先退款）`: what a bulk call answers, in words (G-11). */
export function bulkResultText(result: BulkResultLike): string {
  const reasons = [...new Set((result.rows ?? []).map(r => r.reason))]
  const problems = [
    result.fail ? `失败 ${formatCount(result.fail)}` : '',
    result.skipped ? `跳过 ${formatCount(result.skipped)}` : '',
  ]
    .filter(Boolean)
    .join('，')
  return `成功 ${formatCount(result.success)}${problems && `，${problems}`}${reasons.length ? `（${reasons.slice(0, 2).join('；')}${reasons.length > 2 ? ' 等' : ''}）` : ''}`
}

const isBulkResult = (v: unknown): v is BulkResultLike =>
  typeof v === 'object' && v !== null && 'success' in v && 'skipped' in v

/** Tells the outcome of a deed on records: the bulk's own figures, or the given words. */
export const toastResult = (answer: unknown, text: string): void => {
  if (isBulkResult(answer)) {
    ;(answer.fail || answer.skipped ? toast.warning : toast.success)(bulkResultText(answer))
  } else {
    toast.success(text)
  }
}

interface ReasonActionOptions<T> {
  /** `条楼栋`: measure word and noun. */
  readonly unit: string
  readonly nameOf: (row: T) => string
  readonly label?: string
  readonly consequences?: readonly string[]
  readonly reasonPresets?: readonly string[]
  readonly affectedSums?: (rows: readonly T[]) => readonly (readonly [string, ReactNode])[]
  readonly disabledReason?: (row: T) => string | undefined
  readonly dangerOptions?: Partial<DangerOptions>
}

/**
 * A deed that needs a reason (G-10), for one row and for ticked ones: `const remove =
 * withReason(deleteBuildings, { what: '栋楼', name: b => b.name })`, then `row={b => [remove.row(b)]}
 * batch={[remove.batch]}`.
 */
export function createReasonAction<T extends { readonly id: number }>(
  call: Call<{ readonly ids: readonly string[]; readonly reason: string }, any>,
  options: ReasonActionOptions<T>,
): { readonly row: (row: T) => Action; readonly batch: BatchAction<T> } {
  const verb = options.label ?? '删除'
  const permission = typeof call.needs === 'object' ? (call.needs as Permission) : undefined
  const confirmAndSend = (ids: readonly string[], rows: readonly T[]): Promise<boolean> =>
    confirmDanger({
      actionLabel: verb,
      unit: options.unit,
      count: ids.length,
      ...(rows.length === 1 ? { title: `${verb}「${options.nameOf(rows[0]!)}」` } : {}),
      ...(options.affectedSums ? { affectedSums: options.affectedSums(rows) } : {}),
      ...(options.consequences ? { consequences: options.consequences } : {}),
      reason: options.reasonPresets ? { presets: options.reasonPresets } : {},
      ...options.dangerOptions,
      run: async reason => {
        const answer = await sendAndInvalidate(call, { ids, reason }, { quiet: true })
        toastResult(
          answer,
          rows.length === 1
            ? `已${verb}「${options.nameOf(rows[0]!)}」`
            : `已${verb} ${formatCount(ids.length)} ${options.unit}`,
        )
      },
    })
  return {
    row: row => ({
      label: verb,
      needs: permission,
      danger: true,
      disabledReason: options.disabledReason?.(row),
      run: () => confirmAndSend([String(row.id)], [row]),
    }),
    batch: { label: verb, needs: permission, danger: true, run: t => confirmAndSend(t.ids, t.rows) },
  }
}
