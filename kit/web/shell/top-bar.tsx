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
  readonly here: ModuleScreen | undefined
  readonly search: () => void
  readonly tasks: () => void
  readonly keyMap: () => void
}

export function TopBar({ here, search, tasks, keyMap }: Props) {
  const { running } = useTasks()
  return (
    <header className="top">
      <ProjectSwitch here={here} />
      <button type="button" className="top-search" onClick={search} aria-haspopup="dialog">
        <Icon name="search" size={17} />
        <span className="ellipsis">搜房号、姓名、车牌、单号或功能，支持拼音首字母</span>
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
          <Badge n={running} tone="doing" />
        </button>
        <Bell openTasks={tasks} />
        <Help keyMap={keyMap} />
        <i className="top-line" />
        <UserMenu keyMap={keyMap} />
      </div>
    </header>
  )
}

/** 帮助: the keys, and what the product lends (feedback, papers). */
function Help({ keyMap }: { readonly keyMap: () => void }) {
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
        menu={() => ({ items, onClick: ({ key }) => (key === 'keys' ? keyMap() : setOpen(Number(key))) })}
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
