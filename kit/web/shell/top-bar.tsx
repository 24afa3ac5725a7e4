import { useState } from 'react'
import { DropdownMenu } from '../dropdown.tsx'
import { Icon } from '../icons.tsx'
import { Badge } from './badge.tsx'
import { Bell } from './bell.tsx'
import { useHost } from './host.ts'
import { ProjectSwitch } from './project-switch.tsx'
import type { ModuleScreen } from './screen-map.ts'
import { useTasks } from './tasks.ts'
import { UserMenu } from './user-menu.tsx'

interface Props {
  readonly screen: ModuleScreen | undefined
  readonly openSearch: () => void
  readonly openTasks: () => void
  readonly openShortcuts: () => void
}

export function TopBar({ screen, openSearch, openTasks: tasks, openShortcuts }: Props) {
  const { running } = useTasks()
  const { searchHint } = useHost()
  return (
    <header className="top">
      <ProjectSwitch screen={screen} />
      <button type="button" className="top-search" onClick={openSearch} aria-haspopup="dialog">
        <Icon name="search" size={17} />
        <span className="ellipsis">{searchHint}，支持拼音首字母</span>
        <kbd>Ctrl K</kbd>
      </button>
      <div className="top-end">
        <button
          type="button"
          className="plain corner"
          onClick={tasks}
          aria-haspopup="dialog"
          aria-label={running ? `任务中心，${running} 个任务进行中` : '任务中心'}
        >
          <Icon name="tasks" size={20} />
          <Badge count={running} tone="doing" />
        </button>
        <Bell openTasks={tasks} />
        <Help openShortcuts={openShortcuts} />
        <i className="top-line" />
        <UserMenu openShortcuts={openShortcuts} />
      </div>
    </header>
  )
}

/** 帮助: the shortcuts, and the entries of the product (feedback, documents). */
function Help({ openShortcuts }: { readonly openShortcuts: () => void }) {
  const { help } = useHost()
  const [open, setOpen] = useState<number>()
  const Draw = open === undefined ? undefined : help[open]?.Draw
  const items = [
    { key: 'keys', label: '快捷键', extra: '?' },
    ...help.map((h, i) => ({ key: String(i), label: h.label })),
  ]
  return (
    <>
      <DropdownMenu
        menu={() => ({
          items,
          onClick: ({ key }) => (key === 'keys' ? openShortcuts() : setOpen(Number(key))),
        })}
        placement="bottomRight"
      >
        <button type="button" className="plain corner" aria-label="帮助">
          <Icon name="help" size={20} />
        </button>
      </DropdownMenu>
      {Draw && <Draw close={() => setOpen(undefined)} />}
    </>
  )
}
