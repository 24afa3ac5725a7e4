import { useMemo, type ReactNode } from 'react'
import { RowActions, useAllowedActions, type Action } from '../action.tsx'
import { measureText } from '../cell-renderers.tsx'
import { useSession } from '../session.ts'
import type { ListProps } from './list-props.ts'

const minActionsWidth = 76
const measuredRows = 60

/** Width in px of the action that is shown in a row, and its ⋯. */
const actionsWidthOf = (actions: readonly Action[]): number => {
  const shown = actions.find(a => !a.danger)
  const labelWidth = shown ? measureText(shown.label) + 6 : 0
  const moreWidth = actions.length > 1 || !shown ? 32 : 0
  return labelWidth + moreWidth + 14
}

/** The actions column of a list: how a row draws it, and its width. Follows the person's permissions. */
export function useRowActions<T>(
  rowActions: ListProps<unknown, T>['rowActions'],
  rows: readonly T[],
): { readonly drawActions: ((row: T) => ReactNode) | undefined; readonly actionsWidth: number } {
  const rights = useSession(s => s.rights)
  const allowedActions = useAllowedActions()
  const drawActions = useMemo(
    () => rowActions && ((row: T) => <RowActions actions={allowedActions(rowActions(row))} />),
    [rowActions, rights],
  )
  const actionsWidth = useMemo(() => {
    if (!rowActions) return minActionsWidth
    const widths = rows.slice(0, measuredRows).map(row => actionsWidthOf(allowedActions(rowActions(row))))
    return Math.max(minActionsWidth, ...widths)
  }, [rows, rowActions, rights])
  return { drawActions, actionsWidth }
}
