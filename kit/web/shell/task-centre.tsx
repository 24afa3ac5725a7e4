import { focusedElement } from '../focused-element.ts'
import { keysOfRecord } from '#kit/domain/records.ts'
import { Drawer, Segmented } from 'antd'
import { useEffect, useState } from 'react'
import { formatCount } from '../numbers.tsx'
import { Icon } from '../icons.tsx'
import { Empty, Skeleton } from '../page-feedback.tsx'
import { Status } from '../status.tsx'
import { runAction } from '../run-action.ts'
import { toast } from '../toast.ts'
import { LoadFailure } from '../page-error.tsx'
import { useHost, type Task, type Tasks } from './host.ts'
import { isUnfinished, useTasks } from './tasks.ts'
import './task-centre.css'

const views = { all: '全部', running: '进行中', trouble: '有问题', done: '已完成' } as const
type View = keyof typeof views

const isInView: Record<View, (t: Task) => boolean> = {
  all: () => true,
  running: isUnfinished,
  trouble: t => t.phase === 'trouble',
  done: t => t.phase === 'done',
}

function TaskList({
  tasks,
  view,
  isLoading,
  runTaskAction,
}: {
  readonly tasks: readonly Task[]
  readonly view: View
  readonly isLoading: boolean
  readonly runTaskAction: (run: () => Promise<unknown>, successText?: string) => Promise<void>
}) {
  const host = useHost()
  if (isLoading) return <Skeleton rows={5} />
  if (!tasks.length)
    return (
      <Empty
        text={
          view === 'all'
            ? '暂无任务。导入、导出、批量生成等耗时任务显示在此处，结果保留 7 天。'
            : '任务不存在'
        }
      />
    )
  return (
    <ul className="tasks-list">
      {tasks.map(task => (
        <TaskRow key={task.id} task={task} tasks={host.tasks} runAction={runTaskAction} />
      ))}
    </ul>
  )
}

/** 任务中心: every background task with its progress, result and faults by reason. */
export default function TaskCentre({ close }: { readonly close: () => void }) {
  const { all, error, loading, refresh } = useTasks()
  const host = useHost()
  const [view, setView] = useState<View>('all')
  const shown = all.filter(isInView[view])
  const runTaskAction = async (run: () => Promise<unknown>, successText?: string): Promise<void> => {
    if ((await runAction(run)) && successText) {
      toast.success(successText)
    }
    await refresh()
  }
  useEffect(() => {
    const previousFocus = focusedElement()
    return () => previousFocus?.focus()
  }, [])
  return (
    <Drawer
      open
      size={480}
      onClose={close}
      mask={false}
      closable={false}
      className="tasks-drawer"
      styles={{ body: { padding: 0 }, header: { display: 'none' } }}
      aria-label="任务中心"
    >
      <header className="tasks-head">
        <h2>任务中心</h2>
        <small>关闭页面不影响运行</small>
        <button type="button" className="plain" autoFocus aria-label="关闭任务中心" onClick={close}>
          <Icon name="close" size={20} />
        </button>
      </header>
      <div className="tasks-views">
        <Segmented<View>
          value={view}
          onChange={setView}
          options={keysOfRecord(views).map(v => {
            const n = all.filter(isInView[v]).length
            return {
              value: v,
              label: (v === 'running' || v === 'trouble') && n ? `${views[v]} ${n}` : views[v],
            }
          })}
        />
        <button
          type="button"
          className="linkish"
          disabled={!all.some(t => !isUnfinished(t))}
          onClick={() => void runTaskAction(() => host.tasks.clear())}
        >
          清空已完成
        </button>
      </div>
      {error ? (
        <LoadFailure error={error} onRetry={() => void refresh()} />
      ) : (
        <TaskList tasks={shown} view={view} isLoading={loading} runTaskAction={runTaskAction} />
      )}
    </Drawer>
  )
}

function TaskRow({
  task: t,
  tasks,
  runAction: runTaskAction,
}: {
  readonly task: Task
  readonly tasks: Tasks
  readonly runAction: (run: () => Promise<unknown>, successText?: string) => Promise<void>
}) {
  const percent = t.total ? Math.min(100, Math.floor((t.done / t.total) * 100)) : undefined
  const timeLeft = useTimeLeft(t)
  const [fetching, setFetching] = useState(false)
  const actionButton = (label: string, run: () => Promise<unknown>, successText?: string) => (
    <button type="button" className="linkish" onClick={() => void runTaskAction(run, successText)}>
      {label}
    </button>
  )
  return (
    <li className="task">
      <div className="task-line">
        <span className="task-title">{t.title}</span>
        <Status tone={t.tone} plain>
          {t.phase === 'running' && percent !== undefined ? `${t.label} ${percent}%` : t.label}
        </Status>
      </div>
      {isUnfinished(t) && (
        <div
          className="task-bar"
          role="progressbar"
          aria-label={t.title}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent ?? 0}
          data-unknown={(t.phase === 'running' && percent === undefined) || undefined}
        >
          <i style={{ transform: `scaleX(${(percent ?? 0) / 100})` }} />
        </div>
      )}
      <div className="task-line second">
        <span>{statusText(t, timeLeft)}</span>
        <span className="task-actions">
          {isUnfinished(t) && actionButton(t.phase === 'waiting' ? '取消' : '停止', () => tasks.stop(t.id))}
          {t.hasFaults && actionButton('下载错误行', () => tasks.download(t.id, 'faults'))}
          {t.hasResult && (
            <button
              type="button"
              className="linkish"
              disabled={fetching}
              aria-busy={fetching}
              onClick={() => {
                setFetching(true)
                void runTaskAction(() => tasks.download(t.id, 'result')).finally(() => setFetching(false))
              }}
            >
              <Icon name="download" size={14} />
              {fetching ? '正在下载' : '下载'}
            </button>
          )}
          {t.canRetry && actionButton('重试', () => tasks.retry(t.id), '已重新排队')}
        </span>
      </div>
      {t.faults.length > 0 && (
        <dl className="task-faults">
          {t.faults.slice(0, 6).map(f => (
            <div key={f.reason}>
              <dt>{f.reason}</dt>
              <dd className="figure">{formatCount(f.count)}</dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  )
}

function statusText(t: Task, timeLeft: string | undefined): string {
  if (t.phase === 'waiting') return t.note ?? '排队中，前面的任务完成后开始'
  if (t.phase === 'running')
    return [
      t.total
        ? `${formatCount(t.done)} / ${formatCount(t.total)}`
        : t.done
          ? `已处理 ${formatCount(t.done)}`
          : '正在准备',
      timeLeft,
      t.note,
    ]
      .filter(Boolean)
      .join('，')
  const counts = [
    t.success ? `成功 ${formatCount(t.success)}` : '',
    t.fail ? `失败 ${formatCount(t.fail)}` : '',
    t.skipped ? `跳过 ${formatCount(t.skipped)}` : '',
  ]
    .filter(Boolean)
    .join('，')
  return [
    t.message ?? counts,
    t.message && counts && t.fail ? counts : '',
    t.endedAt ? `${t.endedAt.slice(5, 16)} 结束` : '',
    t.until && (t.hasResult || t.hasFaults) ? `${t.until.slice(5, 10)} 前可下载` : '',
  ]
    .filter(Boolean)
    .join('，')
}

/** Computed from the pace since the panel first showed it; nothing in the first three seconds. */
function useTimeLeft(t: Task): string | undefined {
  const [first] = useState(() => ({ at: Date.now(), done: t.done }))
  const elapsedMs = Date.now() - first.at
  const progressed = t.done - first.done
  if (t.phase !== 'running' || !t.total || elapsedMs < 3000 || progressed <= 0) return undefined
  const seconds = Math.round((((t.total - t.done) / progressed) * elapsedMs) / 1000)
  return seconds < 60 ? `约剩 ${Math.max(1, seconds)} 秒` : `约剩 ${Math.ceil(seconds / 60)} 分钟`
}
