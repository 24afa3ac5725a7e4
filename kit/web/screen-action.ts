import { navigateTo } from './navigation.ts'
import { findScreen } from './screen-registry.ts'
import type { BatchAction } from './list/batch-bar.tsx'
import type { Action } from './action.tsx'

/**
 * A screen of another module as an action: by its path alone, so that nothing of that module is imported.
 * Absent where the product has no such screen, and (like any action) without the permission.
 */
export function screenAction(
  path: string,
  query: Readonly<Record<string, string | number | undefined>> = {},
  label?: string,
): Action | false {
  const screen = findScreen(path)
  if (!screen) return false
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([k, v]) => (v === undefined ? [] : [[k, String(v)]])),
  ).toString()
  return {
    label: label ?? screen.title,
    needs: screen.workNeeds ?? screen.needs,
    run: () => {
      navigateTo(search ? `${path}?${search}` : path)
    },
  }
}

type SelectedOf<T> = Parameters<BatchAction<T>['run']>[0]

/** For selected rows: their keys are in the address, so their number is limited. */
export function screenBatchAction<T>(
  path: string,
  query: (t: SelectedOf<T>) => Readonly<Record<string, string | undefined>>,
  options: {
    readonly label: string
    readonly maxRows: number
    readonly disabledReason?: (rows: readonly T[]) => string | undefined
  },
): BatchAction<T> | false {
  const screen = findScreen(path)
  if (!screen) return false
  return {
    label: options.label,
    needs: screen.needs,
    disabledReason: t =>
      t.count > options.maxRows ? `一次最多 ${options.maxRows} 条` : options.disabledReason?.(t.rows),
    run: selected => {
      const action = screenAction(path, query(selected))
      if (action) {
        action.run()
      }
    },
  }
}
