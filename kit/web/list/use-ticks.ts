import { useMemo } from 'react'
import { count } from '../figure.tsx'
import { send } from '../send.ts'
import { usePermission, useSession } from '../session.ts'
import type { Key, Ticks, Total } from '../table/data-table.tsx'
import type { Batch } from './batch-bar.tsx'
import type { ListProps } from './list-props.ts'
import { mostTicked, placesOf, sumText, sumsOf, useSelection, type Ticked } from './selection.ts'
import type { useList } from './use-list.ts'

type List<I, T> = Pick<ReturnType<typeof useList<I, T>>, 'asked' | 'rows' | 'total' | 'page' | 'setup'>

/** Ticks of a list, the deeds on them, and the two lines of totals. */
export function useTicks<I, T>(p: ListProps<I, T>, l: List<I, T>, keyOf: (row: T) => Key) {
  const may = usePermission()
  const project = useSession(s => s.project?.code ?? s.signed?.nearestProjectCode)
  const { rows, total, asked } = l
  // Another order shows the same rows: it takes no ticks away.
  const { order: _order, ...scope } = asked as Record<string, unknown>
  const selection = useSelection<T>(keyOf, JSON.stringify([scope, project]))
  const batch = (p.batch ?? []).filter((b): b is Batch<T, I> => !!b && may(b.may))
  const mayExport = p.export !== undefined && may(p.export.get.needs as never)

  const picked = useMemo(() => [...selection.picked.values()], [selection.picked])
  const sum = l.page?.sum ?? {}
  const ticked: Ticked<T, I> = selection.whole
    ? { count: total, ids: [], rows: [], whole: { filter: asked, count: total, sum } }
    : { count: picked.length, ids: picked.map(r => String(keyOf(r))), rows: picked, whole: undefined }
  /** All rows of the filter by their ids, for a deed that takes no filter. */
  const gather = async (): Promise<Ticked<T, I>> => {
    const all = await send(p.list, { ...asked, page: 1, size: mostTicked } as I)
    return {
      count: all.rows.length,
      ids: all.rows.map(r => String(keyOf(r))),
      rows: all.rows,
      whole: undefined,
    }
  }

  const free = (r: T): boolean => !p.untickable?.(r)
  const ticks: Ticks | undefined =
    batch.length || mayExport
      ? {
          has: k => selection.whole || selection.picked.has(k),
          why: p.untickable && (i => (i < rows.length ? p.untickable!(rows[i] as T) : undefined)),
          all:
            rows.some(free) &&
            (selection.whole || rows.filter(free).every(r => selection.picked.has(keyOf(r)))),
          some: selection.whole || rows.some(r => selection.picked.has(keyOf(r))),
          set: (at, on) => {
            const some = at
              .filter(i => i < rows.length)
              .map(i => rows[i] as T)
              .filter(free)
            // Unticking one of the whole leaves the rest of this page picked one by one.
            if (selection.whole && !on) {
              selection.set(
                rows.filter(r => free(r) && !some.includes(r)),
                true,
              )
            } else {
              selection.set(some, on)
            }
          },
        }
      : undefined

  const fields = p.list.output.fields
  const summed = (p.list.output.sums ?? []).filter(k => p.columns.some(c => c.key === k))
  const digits = useMemo(() => placesOf(fields, summed, rows), [rows])
  const cells = (s: Readonly<Record<string, number | string>>): Record<string, string> =>
    Object.fromEntries(summed.map(k => [k, sumText(fields[k], s[k], digits[k])]))
  const ofSome = ticked.count > 0 && !selection.whole
  const totals: readonly Total[] =
    summed.length && (l.setup.totals ?? true) && l.page
      ? [
          {
            words: ofSome ? `已选 ${count(ticked.count)} 条` : `本页 ${rows.length} 条`,
            cells: cells(
              sumsOf(
                fields,
                summed.filter(k => !p.list.output.chained?.includes(k)),
                ofSome ? picked : rows,
              ),
            ),
            on: ofSome,
          },
          { words: `全部 ${count(total)} 条（按当前筛选）`, cells: cells(sum), on: selection.whole },
        ]
      : []
  return {
    batch,
    ticks,
    ticked,
    gather,
    totals,
    summed: summed.length > 0,
    mayExport,
    whole: selection.takeWhole,
    clear: selection.clear,
  }
}
