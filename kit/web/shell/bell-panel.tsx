import { useQueries } from '@tanstack/react-query'
import { useState, type KeyboardEvent } from 'react'
import { useNavigate } from 'react-router'
import { formatCount } from '../numbers.tsx'
import { LoadFailure } from '../page-error.tsx'
import { personalKey, usePermission, useSession } from '../session.ts'
import { saveStored, readStored } from '../browser-store.ts'
import { StatusIcon } from '../status.tsx'
import { relativeText } from '../date-format.ts'
import { sortByUrgency, workbench } from '../workbench.ts'
import { useHost, type Message } from './host.ts'
import { refreshMessages, useLatestMessages } from './messages.ts'
import './bell.css'

const bellTabs = { todo: '待办', notice: '通知', system: '系统' } as const
type BellTab = keyof typeof bellTabs

const emptyTexts: Record<BellTab, string> = {
  todo: '现在没有等你处理的事情。',
  notice: '没有通知。后台任务完成时会在这里提醒。',
  system: '没有系统消息。',
}

/** By kind, each where its latest stands. */
const byKind = (all: readonly Message[]): readonly (readonly [string, readonly Message[]])[] => [
  ...Map.groupBy(all, m => m.kind),
]

/** What waits for this person, from the queues of the workbench, and his messages by kind. */
export default function BellPanel({
  unread,
  openTasks,
  close,
}: {
  readonly unread: Readonly<Record<BellTab, number>>
  readonly openTasks: () => void
  readonly close: () => void
}) {
  const host = useHost()
  const go = useNavigate()
  const may = usePermission()
  const project = useSession(s => s.project?.code)
  const latest = useLatestMessages()
  const queues = workbench.queues().filter(q => may(q.needs))
  const waiting = sortByUrgency(
    useQueries({
      queries: queues.map(q => ({
        queryKey: ['queue', q.key, project],
        queryFn: ({ signal }: { signal: AbortSignal }) => q.load(signal),
        staleTime: 60_000,
        retry: false,
      })),
    }).flatMap(a => a.data ?? []),
  )
  const [tab, setTab] = useState<BellTab>(() =>
    unread.todo || waiting.length
      ? 'todo'
      : unread.notice
        ? 'notice'
        : unread.system
          ? 'system'
          : readStored<BellTab>(personalKey('bell'), 'notice'),
  )
  const choose = (t: BellTab): void => {
    setTab(t)
    saveStored(personalKey('bell'), t)
  }
  const step = (e: KeyboardEvent<HTMLElement>): void => {
    const all = Object.keys(bellTabs) as BellTab[]
    const to = e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? 2 : 0
    if (to) {
      const t = all[(all.indexOf(tab) + to) % 3]!
      choose(t)
      document.getElementById(`bell-${t}`)?.focus()
    }
  }
  const n = { ...unread, todo: unread.todo + waiting.reduce((sum, w) => sum + w.count, 0) }
  const own = (latest.data ?? []).filter(m => m.group === tab)
  const leave = (to: string): void => {
    close()
    if (to === 'tasks') {
      openTasks()
    } else {
      void go(to)
    }
  }
  const take = (m: Message): void => {
    if (!m.read) {
      void host.messages.read({ ids: [m.id] }).then(refreshMessages, () => undefined)
    }
    leave(m.target ?? host.messages.paths.one(m.id))
  }
  const readAll = (): void => void host.messages.read({ group: tab }).then(refreshMessages, () => undefined)
  return (
    <div className="bell" role="dialog" aria-label="消息">
      <header>
        <div role="tablist" aria-label="消息分组" onKeyDown={step}>
          {(Object.keys(bellTabs) as BellTab[]).map(t => (
            <button
              key={t}
              id={`bell-${t}`}
              type="button"
              role="tab"
              aria-selected={t === tab}
              aria-controls="bell-list"
              tabIndex={t === tab ? 0 : -1}
              onClick={() => choose(t)}
            >
              {bellTabs[t]}
              {n[t] > 0 && <small className="figure">{formatCount(n[t])}</small>}
            </button>
          ))}
        </div>
        {unread[tab] > 0 && (
          <button type="button" className="linkish" onClick={readAll}>
            全部已读
          </button>
        )}
      </header>
      <div id="bell-list" role="tabpanel" aria-labelledby={`bell-${tab}`} className="bell-list scroll">
        {tab === 'todo' && waiting.length > 0 && (
          <ul>
            {waiting.map(w => (
              <li key={w.key}>
                <button type="button" onClick={() => leave(w.path)}>
                  <span style={{ color: `var(--${w.tone})` }}>
                    <StatusIcon tone={w.tone} />
                  </span>
                  <span>
                    {w.title} <b className="figure">{formatCount(w.count)}</b>
                    {w.detail && <small>{w.detail}</small>}
                  </span>
                  <time>{w.oldestText}</time>
                </button>
              </li>
            ))}
          </ul>
        )}
        {byKind(own).map(([kind, all]) => (
          <section key={kind} aria-label={kind}>
            <h3>
              {kind}
              {all.some(m => !m.read) && <small className="figure">{all.filter(m => !m.read).length}</small>}
            </h3>
            <ul>
              {all.slice(0, 6).map(m => (
                <li key={m.id}>
                  <button type="button" data-read={m.read || undefined} onClick={() => take(m)}>
                    <span style={{ color: `var(--${m.tone})` }}>
                      <StatusIcon tone={m.tone} />
                    </span>
                    <span>
                      {m.title}
                      {m.text && <small>{m.text}</small>}
                    </span>
                    <time>{relativeText(m.at)}</time>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        ))}
        {latest.isError ? (
          <LoadFailure error={latest.error} onRetry={() => void latest.refetch()} />
        ) : (
          !own.length &&
          (tab !== 'todo' || !waiting.length) && (
            <p>{latest.isPending && tab !== 'todo' ? '' : emptyTexts[tab]}</p>
          )
        )}
      </div>
      <footer>
        <button type="button" className="linkish" onClick={() => leave(host.messages.paths.all)}>
          查看全部消息
        </button>
        <button type="button" className="linkish" onClick={() => leave(host.messages.paths.settings)}>
          通知设置
        </button>
      </footer>
    </div>
  )
}
