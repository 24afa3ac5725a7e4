import { readStored, saveStored } from '../browser-store.ts'
import { measureText } from '../cell-renderers.tsx'
import { personalKey, useSession } from '../session.ts'

/** What a list's totals last needed, so that there is room for them before they come. No figure is kept. */
export interface Reserve {
  /** Like the number of records: as many digits. */
  readonly total: number
  /** The same of its views by id, for their tabs. */
  readonly views: Readonly<Record<string, number>>
  /** Widths of sums by key, in px. */
  readonly sums: Readonly<Record<string, number>>
}

/** Where a list was never counted in this browser. */
const firstReserve: Reserve = { total: 9999, views: {}, sums: {} }

/**
 * The room that a sum needs: as the widest one so far; before the first one, a thousand times that of the
 * page. More would push columns out of a window, and a page without figures seldom stands for many.
 */
export const reservedWidth = ({ sums }: Reserve, key: string, ofPage: string | undefined): number =>
  sums[key] ?? (ofPage && /[1-9]/.test(ofPage) ? measureText(`000,${ofPage}`, true) : 0)

/** As many digits as a tab is likely to show. */
export const likeOfView = ({ views }: Reserve, id: string): number => views[id] ?? 999

/** What is kept after totals that need these widths; sums of a narrow filter take nothing away. */
export const withTotals = (
  reserve: Reserve,
  total: number,
  widths: Readonly<Record<string, number>>,
): Reserve => ({
  ...reserve,
  total,
  sums: {
    ...reserve.sums,
    ...Object.fromEntries(
      Object.entries(widths).map(([key, width]) => [key, Math.max(width, reserve.sums[key] ?? 0)]),
    ),
  },
})

export interface ListReserve {
  readonly read: () => Reserve
  readonly save: (next: Reserve) => void
}

/** What is kept of a list in this project. */
export function useListReserve(settingsKey: string): ListReserve {
  const project = useSession(s => s.project?.code ?? s.signed?.nearestProjectCode)
  const key = personalKey(`totals/${settingsKey}/${project ?? ''}`)
  return {
    read: () => readStored(key, firstReserve),
    save: next => {
      if (JSON.stringify(next) !== JSON.stringify(readStored(key, firstReserve))) {
        saveStored(key, next)
      }
    },
  }
}
