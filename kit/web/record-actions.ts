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
export async function sendAndInvalidate<I, O>(c: Call<I, O>, input: I, more: SendOptions = {}): Promise<O> {
  const answer = await send(c, input, more)
  if (c.affects?.length) {
    void invalidate(c.affects)
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
export function bulkResultText(b: BulkResultLike): string {
  const why = [...new Set((b.rows ?? []).map(r => r.reason))]
  const rest = [
    b.fail ? `失败 ${formatCount(b.fail)}` : '',
    b.skipped ? `跳过 ${formatCount(b.skipped)}` : '',
  ]
    .filter(Boolean)
    .join('，')
  return `成功 ${formatCount(b.success)}${rest && `，${rest}`}${why.length ? `（${why.slice(0, 2).join('；')}${why.length > 2 ? ' 等' : ''}）` : ''}`
}

const isBulkResult = (v: unknown): v is BulkResultLike =>
  typeof v === 'object' && v !== null && 'success' in v && 'skipped' in v

/** Tells the outcome of a deed on records: the bulk's own figures, or the given words. */
export const toastResult = (answer: unknown, words: string): void => {
  if (isBulkResult(answer)) {
    ;(answer.fail || answer.skipped ? toast.warning : toast.success)(bulkResultText(answer))
  } else {
    toast.success(words)
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
  about: ReasonActionOptions<T>,
): { readonly row: (row: T) => Action; readonly batch: BatchAction<T> } {
  const verb = about.label ?? '删除'
  const may = typeof call.needs === 'object' ? (call.needs as Permission) : undefined
  const ask = (ids: readonly string[], rows: readonly T[]): Promise<boolean> =>
    confirmDanger({
      actionLabel: verb,
      unit: about.unit,
      count: ids.length,
      ...(rows.length === 1 ? { title: `${verb}「${about.nameOf(rows[0]!)}」` } : {}),
      ...(about.affectedSums ? { affectedSums: about.affectedSums(rows) } : {}),
      ...(about.consequences ? { consequences: about.consequences } : {}),
      reason: about.reasonPresets ? { presets: about.reasonPresets } : {},
      ...about.dangerOptions,
      run: async reason => {
        const answer = await sendAndInvalidate(call, { ids, reason }, { quiet: true })
        toastResult(
          answer,
          rows.length === 1
            ? `已${verb}「${about.nameOf(rows[0]!)}」`
            : `已${verb} ${formatCount(ids.length)} ${about.unit}`,
        )
      },
    })
  return {
    row: row => ({
      label: verb,
      needs: may,
      danger: true,
      disabledReason: about.disabledReason?.(row),
      run: () => ask([String(row.id)], [row]),
    }),
    batch: { label: verb, needs: may, danger: true, run: t => ask(t.ids, t.rows) },
  }
}
