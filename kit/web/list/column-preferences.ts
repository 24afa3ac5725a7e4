import type { Column } from '../columns.tsx'

/** What a person sees of a column when choosing which are shown. */
export type ChosenColumn = Pick<
  Column<unknown>,
  'key' | 'title' | 'identity' | 'wideOnly' | 'hiddenByDefault'
>

/** One person's changes to a list's columns; absent members follow the screen. */
export interface ColumnPreferences {
  readonly order?: readonly string[]
  readonly shown?: Readonly<Record<string, boolean>>
  readonly pinned?: readonly string[]
  readonly totals?: boolean
}

export const noPreferences: ColumnPreferences = {}

/** All columns in the person's order; new columns of the screen keep the screen's position. */
export function orderColumns<C extends { readonly key: string }>(
  all: readonly C[],
  preferences: ColumnPreferences,
): C[] {
  if (!preferences.order) return [...all]
  const ordered = preferences.order.flatMap(columnKey => all.find(column => column.key === columnKey) ?? [])
  for (const [i, c] of all.entries()) {
    if (!ordered.includes(c)) {
      ordered.splice(Math.min(i, ordered.length), 0, c)
    }
  }
  return ordered
}

export const isShown = (column: ChosenColumn, preferences: ColumnPreferences): boolean =>
  column.identity === true || (preferences.shown?.[column.key] ?? !column.hiddenByDefault)
