import type { ReactNode } from 'react'
import type { Call } from '#kit/contract/call.ts'
import type { Permission } from '#kit/contract/call.ts'
import { danger, type Endangering } from './confirm.tsx'
import { count } from './figure.tsx'
import type { Batch } from './list/batch-bar.tsx'
import { invalidate } from './query.ts'
import { send, type More } from './send.ts'
import { toast } from './toast.ts'
import type { Verb } from './verb.tsx'

/** Says a writing call and has everything it affects asked again. */
export async function act<I, O>(c: Call<I, O>, input: I, more: More = {}): Promise<O> {
  const answer = await send(c, input, more)
  if (c.affects?.length) {
    void invalidate(c.affects)
  }
  return answer
}

interface Bulk {
  readonly success: number
  readonly fail: number
  readonly skipped: number
  readonly rows?: readonly { readonly reason: string }[]
}

/** `成功 5，跳过 1（已缴费，请先退款）`: what a bulk call answers, in words (G-11). */
export function bulkWords(b: Bulk): string {
  const why = [...new Set((b.rows ?? []).map(r => r.reason))]
  const rest = [b.fail ? `失败 ${count(b.fail)}` : '', b.skipped ? `跳过 ${count(b.skipped)}` : '']
    .filter(Boolean)
    .join('，')
  return `成功 ${count(b.success)}${rest && `，${rest}`}${why.length ? `（${why.slice(0, 2).join('；')}${why.length > 2 ? ' 等' : ''}）` : ''}`
}

const isBulk = (v: unknown): v is Bulk =>
  typeof v === 'object' && v !== null && 'success' in v && 'skipped' in v

/** Tells the outcome of a deed on records: the bulk's own figures, or the given words. */
export const tellDone = (answer: unknown, words: string): void => {
  if (isBulk(answer)) {
    ;(answer.fail || answer.skipped ? toast.warning : toast.success)(bulkWords(answer))
  } else {
    toast.success(words)
  }
}

interface About<T> {
  /** `条楼栋`: measure word and noun. */
  readonly what: string
  readonly name: (row: T) => string
  readonly verb?: string
  readonly follows?: readonly string[]
  readonly presets?: readonly string[]
  readonly sums?: (rows: readonly T[]) => readonly (readonly [string, ReactNode])[]
  readonly why?: (row: T) => string | undefined
  readonly more?: Partial<Endangering>
}

/**
 * A deed that needs a reason (G-10), for one row and for ticked ones: `const remove =
 * withReason(deleteBuildings, { what: '栋楼', name: b => b.name })`, then `row={b => [remove.row(b)]}
 * batch={[remove.batch]}`.
 */
export function withReason<T extends { readonly id: number }>(
  call: Call<{ readonly ids: readonly string[]; readonly reason: string }, any>,
  about: About<T>,
): { readonly row: (row: T) => Verb; readonly batch: Batch<T> } {
  const verb = about.verb ?? '删除'
  const may = typeof call.needs === 'object' ? (call.needs as Permission) : undefined
  const ask = (ids: readonly string[], rows: readonly T[]): Promise<boolean> =>
    danger({
      verb,
      what: about.what,
      count: ids.length,
      ...(rows.length === 1 ? { title: `${verb}「${about.name(rows[0]!)}」` } : {}),
      ...(about.sums ? { sums: about.sums(rows) } : {}),
      ...(about.follows ? { follows: about.follows } : {}),
      reason: about.presets ? { presets: about.presets } : {},
      ...about.more,
      run: async reason => {
        const answer = await act(call, { ids, reason }, { quiet: true })
        tellDone(
          answer,
          rows.length === 1
            ? `已${verb}「${about.name(rows[0]!)}」`
            : `已${verb} ${count(ids.length)} ${about.what}`,
        )
      },
    })
  return {
    row: row => ({
      label: verb,
      may,
      danger: true,
      why: about.why?.(row),
      run: () => ask([String(row.id)], [row]),
    }),
    batch: { label: verb, may, danger: true, run: t => ask(t.ids, t.rows) },
  }
}
