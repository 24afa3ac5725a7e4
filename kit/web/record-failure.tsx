import { useLocation } from 'react-router'
import { ErrorState, StateMessage, type StateAction } from './list/list-feedback.tsx'
import { navigateTo } from './navigation.ts'
import { listPathOf } from './screen-registry.ts'

function useListAction(): StateAction {
  const { pathname } = useLocation()
  const path = listPathOf(pathname)
  return path
    ? { label: '返回列表', run: () => navigateTo(path) }
    : { label: '返回工作台', run: () => navigateTo('/work') }
}

/** The address of a record's page names no record: a link that was cut, or typed. */
export const InvalidAddress = () => (
  <StateMessage text="链接无效，请从列表重新打开" actions={[useListAction()]} />
)

/** The record of a page could not be loaded: try again, or go back to where the others are. */
export function RecordFailure({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  return <ErrorState error={error} onRetry={onRetry} others={[useListAction()]} />
}
