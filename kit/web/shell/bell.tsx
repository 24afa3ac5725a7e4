import { useState } from 'react'
import { PopoverPanel } from '../dropdown.tsx'
import { Icon } from '../icons.tsx'
import { lazyComponent } from '../lazy-component.tsx'
import { Badge } from './badge.tsx'
import { useUnreadCounts } from './messages.ts'

const BellPanel = lazyComponent(
  () => import('./bell-panel.tsx').then(m => m.default),
  <div className="bell" />,
)

/** 消息: what waits and what has happened; opening an item marks it read. */
export function Bell({ openTasks }: { readonly openTasks: () => void }) {
  const counts = useUnreadCounts()
  const unread = counts.todo + counts.notice + counts.system
  const [open, setOpen] = useState(false)
  return (
    <PopoverPanel
      open={open}
      onOpenChange={setOpen}
      flush
      content={<BellPanel unread={counts} openTasks={openTasks} close={() => setOpen(false)} />}
    >
      <button
        type="button"
        className="plain corner"
        aria-label={unread ? `消息，${unread} 条未读` : '消息'}
        onMouseEnter={BellPanel.warm}
      >
        <Icon name="bell" size={20} />
        <Badge count={unread} tone="bad" />
      </button>
    </PopoverPanel>
  )
}
