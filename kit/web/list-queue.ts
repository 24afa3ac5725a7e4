import type { Call, Permission } from '#kit/contract/call.ts'
import type { Page } from '#kit/contract/shape.ts'
import type { Tone } from '#kit/contract/field.ts'
import { asFen } from '#kit/domain/money.ts'
import { displayYuan } from './numbers.tsx'
import { listLink } from './list/list-state.ts'
import { send } from './send.ts'
import { relativeText } from './date-format.ts'
import type { WaitingQueue } from './workbench.ts'

/** Work that a list finds by a filter: counted in the queue, and opened by the same filter. */
export interface ListQueueOptions<Ask, R> {
  readonly key: string
  readonly title: string
  readonly tone: Tone
  readonly needs: Permission
  readonly list: Call<Ask, Page<R>>
  readonly filter: Partial<Ask>
  /** The path of the list screen, and its view with the same filter if it has one. */
  readonly path: string
  readonly view?: string
  readonly actionLabel: string
  /** Entities whose changes affect it; without, the list's own entity. */
  readonly entities?: readonly string[]
  /** Of the whole company, not of the chosen project. */
  readonly isCompanyWide?: boolean
  /** Since when a row waits: the one that has waited longest is shown. */
  readonly waitingSince?: (row: R) => string | undefined
  readonly detail?: (found: Page<R>) => string | undefined
}

/** The list is called for one row, the oldest. */
export const createListQueue = <Ask, R>({
  key,
  title,
  tone,
  needs,
  list,
  filter,
  path,
  view,
  actionLabel,
  entities = list.output.entity ? [list.output.entity] : [],
  isCompanyWide,
  waitingSince,
  detail,
}: ListQueueOptions<Ask, R>): WaitingQueue => ({
  key,
  needs,
  entities,
  load: async signal => {
    const found = await send(list, { ...filter, page: 1, size: 1, order: 'createTime' } as Ask, {
      quiet: true,
      signal,
      ...(isCompanyWide ? { project: 0 } : {}),
    })
    if (!found.total) return []
    const first = found.rows[0]
    const since = first && waitingSince?.(first)
    const detailText = detail?.(found)
    return [
      {
        key,
        title,
        tone,
        count: found.total,
        actionLabel,
        path: listLink(path, list, filter, view ? { view } : {}),
        ...(since ? { oldestText: `最早 ${relativeText(since)}` } : {}),
        ...(detailText ? { detail: detailText } : {}),
      },
    ]
  },
})

/** The sum of the rows found, from a sum of the list. */
export const queueSumText =
  (label = '合计', key = 'amount') =>
  (found: { readonly sum?: Readonly<Record<string, unknown>> }): string =>
    `${label} ${displayYuan(asFen(Number(found.sum?.[key] ?? 0)), true)}`
