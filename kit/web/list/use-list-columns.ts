import { useMemo } from 'react'
import type { Column } from '../columns.tsx'
import { isShown, orderColumns, type ColumnPreferences } from './column-preferences.ts'

/** The columns that are shown, in the person's order, and the keys of the pinned ones. */
export function useListColumns<T>(
  columns: readonly Column<T>[],
  preferences: ColumnPreferences,
): { readonly shownColumns: Column<T>[]; readonly pinned: ReadonlySet<string> } {
  const shownColumns = useMemo<Column<T>[]>(
    () =>
      orderColumns(columns, preferences)
        .filter(c => isShown(c, preferences))
        .map(c => (c.wideOnly && preferences.shown?.[c.key] ? { ...c, wideOnly: false } : c)),
    [columns, preferences],
  )
  const pinned = useMemo(
    () => new Set(preferences.pinned ?? columns.filter(c => c.identity).map(c => c.key)),
    [columns, preferences.pinned],
  )
  return { shownColumns, pinned }
}
