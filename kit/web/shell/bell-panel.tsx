import { keysOfRecord } from '#kit/domain/records.ts'
import { defined } from '#kit/domain/defined.ts'
import { useState, type KeyboardEvent } from 'react'
import { useNavigate } from 'react-router'
import { readStored, saveStored } from '../browser-store.ts'
import { formatCount } from '../numbers.tsx'
import { LoadFailure } from '../page-error.tsx'
import { personalKey } from '../session.ts'
import type { WaitingItem } from '../workbench.ts'
import { MessageSections, WaitingList } from './bell-lists.tsx'
import { useHost, type Message } from './host.ts'
import { refreshMessages, useLatestMessages } from './messages.ts'
import { useWaiting } from './waiting.ts'
import './bell.css'

const bellTabs = { todo: '待办', notice: '通知', system: '系统' } as const
type BellTab = keyof typeof bellTabs
const tabKeys = keysOfRecord(bellTabs)
type Counts = Readonly<Record<BellTab, number>>

const emptyTexts: Record<BellTab, string> = {
  todo: '暂无待办事项。',
  notice: '暂无通知，后台任务完成后在此提醒',
  system: '暂无系统消息',
}

/** The first tab with something unread, else the one chosen last. */
function initialTab(unread: Counts, waiting: readonly WaitingItem[]): BellTab {
  if (unread.todo || waiting.length) return 'todo'
  if (unread.notice) return 'notice'
  return unread.system ? 'system' : readStored<BellTab>(personalKey('bell'), 'notice')
}

function TabList({
  tab,
  counts,
  onChoose,
}: {
  readonly tab: BellTab
  readonly counts: Counts
  readonly onChoose: (tab: BellTab) => void
}) {
  const onKey = (e: KeyboardEvent<HTMLElement>): void => {
    const offset = e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? tabKeys.length - 1 : 0
    if (offset) {
      const next = defined(tabKeys[(tabKeys.indexOf(tab) + offset) % tabKeys.length])
      onChoose(next)
      document.getElementById(`bell-${next}`)?.focus()
    }
  }
  return (
    <div role="tablist" aria-label="消息分组" onKeyDown={onKey}>
      {tabKeys.map(key => (
        <button
          key={key}
          id={`bell-${key}`}
          type="button"
          role="tab"
          aria-selected={key === tab}
          aria-controls="bell-list"
          tabIndex={key === tab ? 0 : -1}
          onClick={() => onChoose(key)}
        >
          {bellTabs[key]}
          {counts[key] > 0 && <small className="figure">{formatCount(counts[key])}</small>}
        </button>
      ))}
    </div>
  )
}

/** What waits for this person, from the queues of the workbench, and the messages by kind. */
export default function BellPanel({
  unread,
  openTasks,
  close,
}: {
  readonly unread: Counts
  readonly openTasks: () => void
  readonly close: () => void
}) {
  const { messages } = useHost()
  const navigate = useNavigate()
  const latest = useLatestMessages()
  const waiting = useWaiting().items
  const [tab, setTab] = useState<BellTab>(() => initialTab(unread, waiting))
  const chooseTab = (next: BellTab): void => {
    setTab(next)
    saveStored(personalKey('bell'), next)
  }
  const counts = { ...unread, todo: unread.todo + waiting.reduce((sum, w) => sum + w.count, 0) }
  const shown = (latest.data ?? []).filter(m => m.group === tab)
  const waitingShown = tab === 'todo' && waiting.length > 0
  const isEmpty = !shown.length && !waitingShown
  const goTo = (target: string): void => {
    close()
    if (target === 'tasks') {
      openTasks()
    } else {
      void navigate(target)
    }
  }
  const openMessage = (message: Message): void => {
    if (!message.read) {
      void messages.read({ ids: [message.id] }).then(refreshMessages, () => undefined)
    }
    goTo(message.target ?? messages.paths.one(message.id))
  }
  const readAll = (): void => void messages.read({ group: tab }).then(refreshMessages, () => undefined)
  return (
    <div className="bell" role="dialog" aria-label="消息">
      <header>
        <TabList tab={tab} counts={counts} onChoose={chooseTab} />
        {unread[tab] > 0 && (
          <button type="button" className="linkish" onClick={readAll}>
            全部已读
          </button>
        )}
      </header>
      <div id="bell-list" role="tabpanel" aria-labelledby={`bell-${tab}`} className="bell-list scroll">
        {waitingShown && <WaitingList items={waiting} onOpen={goTo} />}
        <MessageSections messages={shown} onOpen={openMessage} />
        {latest.isError ? (
          <LoadFailure error={latest.error} onRetry={() => void latest.refetch()} />
        ) : (
          isEmpty && <p>{latest.isPending && tab !== 'todo' ? '' : emptyTexts[tab]}</p>
        )}
      </div>
      <footer>
        <button type="button" className="linkish" onClick={() => goTo(messages.paths.all)}>
          查看全部消息
        </button>
        <button type="button" className="linkish" onClick={() => goTo(messages.paths.settings)}>
          通知设置
        </button>
      </footer>
    </div>
  )
}
