import type { Permission } from '#kit/contract/call.ts'
import { useAddressValue } from './address-value.ts'
import { LazyTabs, type TabItem } from './lazy-tabs.tsx'
import { usePermission } from './session.ts'

export interface PageTab extends TabItem {
  /** Without it everybody who sees the page sees the tab. */
  readonly needs?: Permission
}

/** A whole page of tabs, lists among them; the open one is in the address. */
export function PageTabs({
  tabs,
  addressKey = 'tab',
}: {
  readonly tabs: readonly PageTab[]
  readonly addressKey?: string
}) {
  const hasPermission = usePermission()
  const [tab, setTab] = useAddressValue(addressKey)
  const shown = tabs.filter(({ needs }) => !needs || hasPermission(needs))
  return (
    <div className="page-of-tabs">
      <LazyTabs items={shown} active={tab ?? shown[0]?.key ?? ''} onActive={setTab} />
    </div>
  )
}
