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
          options={keysOfRecord(views).map(value => {
            const count = all.filter(isInView[value]).length
            return {
              value,
              label:
                (value === 'running' || value === 'trouble') && count
                  ? `${views[value]} ${count}`
                  : views[value],
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
  task,
  tasks,
  runAction: runTaskAction,
}: {
  readonly task: Task
  readonly tasks: Tasks
  readonly runAction: (run: () => Promise<unknown>, successText?: string) => Promise<void>
}) {
  const percent = task.total ? Math.min(100, Math.floor((task.done / task.total) * 100)) : undefined
  const timeLeft = useTimeLeft(task)
  const [fetching, setFetching] = useState(false)
  const actionButton = (label: string, run: () => Promise<unknown>, successText?: string) => (
    <button type="button" className="linkish" onClick={() => void runTaskAction(run, successText)}>
      {label}
    </button>
  )
  return (
    <li className="task">
      <div className="task-line">
        <span className="task-title">{task.title}</span>
        <Status tone={task.tone} plain>
          {task.phase === 'running' && percent !== undefined ? `${task.label} ${percent}%` : task.label}
        </Status>
      </div>
      {isUnfinished(task) && (
        <div
          className="task-bar"
          role="progressbar"
          aria-label={task.title}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent ?? 0}
          data-unknown={(task.phase === 'running' && percent === undefined) || undefined}
        >
          <i style={{ transform: `scaleX(${(percent ?? 0) / 100})` }} />
        </div>
      )}
      <div className="task-line second">
        <span>{statusText(task, timeLeft)}</span>
        <span className="task-actions">
          {isUnfinished(task) &&
            actionButton(task.phase === 'waiting' ? '取消' : '停止', () => tasks.stop(task.id))}
          {task.hasFaults && actionButton('下载错误行', () => tasks.download(task.id, 'faults'))}
          {task.hasResult && (
            <button
              type="button"
              className="linkish"
              disabled={fetching}
              aria-busy={fetching}
              onClick={() => {
                setFetching(true)
                void runTaskAction(() => tasks.download(task.id, 'result')).finally(() => setFetching(false))
              }}
            >
              <Icon name="download" size={14} />
              {fetching ? '正在下载' : '下载'}
            </button>
          )}
          {task.canRetry && actionButton('重试', () => tasks.retry(task.id), '已重新排队')}
        </span>
      </div>
      {task.faults.length > 0 && (
        <dl className="task-faults">
          {task.faults.slice(0, 6).map(fault => (
            <div key={fault.reason}>
              <dt>{fault.reason}</dt>
              <dd className="figure">{formatCount(fault.count)}</dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  )
}

function statusText(task: Task, timeLeft: string | undefined): string {
  if (task.phase === 'waiting') return task.note ?? '排队中，前面的任务完成后开始'
  if (task.phase === 'running')
    return [
      task.total
        ? `${formatCount(task.done)} / ${formatCount(task.total)}`
        : task.done
          ? `已处理 ${formatCount(task.done)}`
          : '正在准备',
      timeLeft,
      task.note,
    ]
      .filter(Boolean)
      .join('，')
  const counts = [
    task.success ? `成功 ${formatCount(task.success)}` : '',
    task.fail ? `失败 ${formatCount(task.fail)}` : '',
    task.skipped ? `跳过 ${formatCount(task.skipped)}` : '',
  ]
    .filter(Boolean)
    .join('，')
  return [
    task.message ?? counts,
    task.message && counts && task.fail ? counts : '',
    task.endedAt ? `${task.endedAt.slice(5, 16)} 结束` : '',
    task.until && (task.hasResult || task.hasFaults) ? `${task.until.slice(5, 10)} 前可下载` : '',
  ]
    .filter(Boolean)
    .join('，')
}

/** Computed from the pace since the panel first showed it; nothing in the first three seconds. */
function useTimeLeft(task: Task): string | undefined {
  const [first] = useState(() => ({ at: Date.now(), done: task.done }))
  const elapsedMs = Date.now() - first.at
  const progressed = task.done - first.done
  if (task.phase !== 'running' || !task.total || elapsedMs < 3000 || progressed <= 0) return undefined
  const seconds = Math.round((((task.total - task.done) / progressed) * elapsedMs) / 1000)
  return seconds < 60 ? `约剩 ${Math.max(1, seconds)} 秒` : `约剩 ${Math.ceil(seconds / 60)} 分钟`
}
