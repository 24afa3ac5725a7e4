import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import type { ReactNode } from 'react'
import type { Call } from '#kit/contract/call.ts'
import { confirmDanger, type DangerOptions } from './confirm.tsx'
import { formatCount } from './numbers.tsx'
import type { BatchAction } from './list/batch-bar.tsx'
import { invalidate } from './query.ts'
import { send, type SendOptions } from './send.ts'
import { toast } from './toast.ts'
import type { Action } from './action.tsx'

/** Sends a writing call and fetches again what it affects. */
export async function sendAndInvalidate<I, O>(
  call: Call<I, O>,
  input: NoInfer<I>,
  sendOptions: SendOptions = {},
): Promise<O> {
  const answer = await send(call, input, sendOptions)
  if (call.affects?.length) {
    void invalidate(call.affects)
  }
  return answer
}

/** The same, and says what was done. */
export async function sendAndToast<I, O>(
  call: Call<I, O>,
  input: NoInfer<I>,
  doneText: string,
  sendOptions?: SendOptions,
): Promise<O> {
  const answer = await sendAndInvalidate(call, input, sendOptions)
  toast.success(doneText)
  return answer
}

interface BulkResultLike {
  readonly success: number
  readonly fail: number
  readonly skipped: number
  readonly rows?: readonly { readonly reason: string }[]
}

/** `成功 5，跳过 1（已缴费，请先退款）`: the answer of a bulk call as text (G-11). */
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

/** Reports the outcome of an action on records: the bulk figures, or the given text. */
export const toastResult = (answer: unknown, text: string): void => {
  if (isBulkResult(answer)) {
    ;(answer.fail || answer.skipped ? toast.warning : toast.success)(bulkResultText(answer))
  } else {
    toast.success(text)
  }
}

interface ConfirmAndSendOptions<I, O> extends Omit<DangerOptions, 'run' | 'count'> {
  /** By default 1. */
  readonly count?: number
  /** What is sent; the reason is added to an object, where one is asked. */
  readonly input: Omit<I, 'reason'> | ((reason: string, chosen: string | undefined) => I)
  /** By default `已` and the label; the answer of a bulk call is reported by its figures instead. */
  readonly doneText?: string | ((answer: O) => string)
  /** Once it is sent, before the dialog closes. */
  readonly onDone?: () => unknown
}

/** What is asked before the action, and what is sent once it is agreed to. */
export const confirmationOf = <I, O>(
  call: Call<I, O>,
  { count = 1, input, doneText, onDone, ...options }: ConfirmAndSendOptions<NoInfer<I>, NoInfer<O>>,
): DangerOptions => ({
  ...options,
  count,
  run: async (reason, chosen) => {
    const asked = options.reason === false ? {} : { reason }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the reason completes the input
    const sent = typeof input === 'function' ? input(reason, chosen) : ({ ...input, ...asked } as I)
    const answer = await sendAndInvalidate(call, sent, { quiet: true })
    await onDone?.()
    const text = typeof doneText === 'function' ? doneText(answer) : doneText
    toastResult(answer, text ?? `已${options.actionLabel}`)
  },
})

/** Asks before a dangerous action, sends its call, and reports what came of it; true when it succeeded. */
export const confirmAndSend = <I, O>(
  call: Call<I, O>,
  options: ConfirmAndSendOptions<NoInfer<I>, NoInfer<O>>,
): Promise<boolean> => confirmDanger(confirmationOf(call, options))

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
 * An action that needs a reason (G-10), for one row and for selected ones: `const remove =
 * createReasonAction(deleteBuildings, { unit: '栋楼', nameOf: b => b.name })`, then `rowActions={b =>
 * [remove.row(b)]} batchActions={[remove.batch]}`.
 */
export function createReasonAction<T extends { readonly id: Id }>(
  call: Call<{ readonly ids: readonly string[]; readonly reason: string }, any>,
  options: ReasonActionOptions<T>,
): { readonly row: (row: T) => Action; readonly batch: BatchAction<T> } {
  const actionLabel = options.label ?? '删除'
  const permission = typeof call.needs === 'object' ? call.needs : undefined
  const ask = (ids: readonly string[], rows: readonly T[]): Promise<boolean> => {
    const name = rows.length === 1 ? `「${options.nameOf(defined(rows[0]))}」` : undefined
    return confirmAndSend(call, {
      actionLabel,
      unit: options.unit,
      count: ids.length,
      ...(name === undefined ? {} : { title: `${actionLabel}${name}` }),
      ...(options.affectedSums ? { affectedSums: options.affectedSums(rows) } : {}),
      ...(options.consequences ? { consequences: options.consequences } : {}),
      reason: options.reasonPresets ? { presets: options.reasonPresets } : {},
      ...options.dangerOptions,
      input: reason => ({ ids, reason }),
      doneText: `已${actionLabel}${name ?? ` ${formatCount(ids.length)} ${options.unit}`}`,
    })
  }
  return {
    row: row => ({
      label: actionLabel,
      needs: permission,
      danger: true,
      disabledReason: options.disabledReason?.(row),
      run: () => ask([String(row.id)], [row]),
    }),
    batch: { label: actionLabel, needs: permission, danger: true, run: t => ask(t.ids, t.rows) },
  }
}
