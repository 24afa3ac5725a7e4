import { useAllowedActions } from '../action.tsx'
import { DetailDrawer } from '../detail/detail-drawer.tsx'
import type { ListProps } from './list-props.ts'
import type { useList } from './use-list.ts'
import type { useRowNavigation } from './use-row-navigation.ts'

/** The drawer beside the list, with the record that is open. */
export function OpenedRow<I, T>({
  props,
  list,
  navigation,
}: {
  readonly props: ListProps<I, T>
  readonly list: ReturnType<typeof useList<I, T>>
  readonly navigation: ReturnType<typeof useRowNavigation<I, T>>
}) {
  const allowedActions = useAllowedActions()
  const { openedIndex } = navigation
  const row = list.rows[openedIndex]
  if (!props.drawer || row === undefined) return null
  return (
    <DetailDrawer
      spec={props.drawer}
      row={row}
      fields={props.list.output.fields}
      entity={props.list.output.entity}
      actions={allowedActions(props.drawer.actions?.(row) ?? props.rowActions?.(row) ?? [])}
      position={(list.state.page - 1) * list.size + openedIndex + 1}
      total={list.knownTotal}
      isLast={list.state.page >= list.pages && openedIndex === list.rows.length - 1}
      onStep={step => navigation.moveTo(openedIndex + step)}
      onClose={navigation.close}
    />
  )
}
