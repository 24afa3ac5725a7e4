import type { Id } from '#kit/domain/id.ts'
import { labelOf, keysOf } from '#kit/contract/field.ts'
import type { Month } from '#kit/domain/month.ts'
import { PercentBar } from '#kit/web/numbers.tsx'
import { anomaly, meterKind, unreadReason } from '../contract/choices.ts'
import type { MeterMonth } from '../contract/month-grid.ts'
import type { QueuedReading } from './offline-queue.ts'
import type { ReadingRoute, ReadingRouteFilters } from './use-reading-route.ts'

const meterKinds = keysOf(meterKind)

interface RouteStatus {
  readonly text: string
  readonly tone: string
  /** What is to be checked of the reading. */
  readonly mark?: string
}

/** What the list shows of a meter: what is queued, its reading, or why it was not read. */
function describeStatus(meter: MeterMonth, queued: QueuedReading | undefined): RouteStatus {
  if (queued) return { text: `${queued.text} ${queued.waits ? '待上传' : '未保存'}`, tone: 'todo' }
  if (meter.readingId !== undefined) {
    const text = meter.curNum ?? ''
    return meter.anomalies?.length && !meter.confirmed
      ? { text, tone: 'todo', mark: meter.anomalies.map(flag => labelOf(anomaly, flag)).join('、') }
      : { text, tone: 'done' }
  }
  return meter.unread
    ? { text: labelOf(unreadReason, meter.unread), tone: 'todo' }
    : { text: '未抄', tone: '' }
}

interface RouteHeaderProps {
  readonly project: string
  readonly estates: readonly { readonly projectCode: string; readonly name: string }[]
  readonly onProject: (code: string) => void
  readonly month: Month
  readonly progress: ReadingRoute['progress']
  readonly filters: ReadingRouteFilters
  readonly onFilters: (filters: ReadingRouteFilters) => void
}

/** The estate, how far the month is, and which meters are listed. */
export function RouteHeader({
  project,
  estates,
  onProject,
  month,
  progress,
  filters,
  onFilters,
}: RouteHeaderProps) {
  const { kind, showsAll, text } = filters
  const percent = progress?.total ? Math.floor((progress.read / progress.total) * 100) : 0
  return (
    <header>
      <div>
        <h1>手机抄表</h1>
        <small>{month}</small>
      </div>
      {estates.length > 1 && (
        <select aria-label="项目" value={project} onChange={event => onProject(event.target.value)}>
          {estates.map(e => (
            <option key={e.projectCode} value={e.projectCode}>
              {e.name}
            </option>
          ))}
        </select>
      )}
      <div>
        <PercentBar percent={percent} label="抄表进度" />
        <small>{progress ? `已抄 ${progress.read} / ${progress.total}` : ''}</small>
      </div>
      <div className="kinds" role="group" aria-label="显示">
        <button
          type="button"
          aria-pressed={!showsAll}
          onClick={() => onFilters({ ...filters, showsAll: false })}
        >
          未抄
        </button>
        <button
          type="button"
          aria-pressed={showsAll}
          onClick={() => onFilters({ ...filters, showsAll: true })}
        >
          全部
        </button>
        {meterKinds.map(choice => (
          <button
            type="button"
            key={choice}
            aria-pressed={kind === choice}
            onClick={() => onFilters({ ...filters, kind: kind === choice ? undefined : choice })}
          >
            {labelOf(meterKind, choice)}
          </button>
        ))}
      </div>
      <input
        type="search"
        aria-label="搜索"
        placeholder="房间或表号"
        value={text}
        onChange={event => onFilters({ ...filters, text: event.target.value })}
      />
    </header>
  )
}

/** The meters of the walk, each with what is known of it. */
export function RouteList({
  route,
  filters,
  onOpen,
}: {
  readonly route: ReadingRoute
  readonly filters: ReadingRouteFilters
  readonly onOpen: (meterId: Id) => void
}) {
  const { grid, list } = route
  if (grid.isPending)
    return (
      <p className="empty" role="status">
        正在加载…
      </p>
    )
  if (grid.isError && !grid.data)
    return (
      <p className="empty" role="alert">
        {grid.error.message}{' '}
        <button type="button" className="big" onClick={() => void grid.refetch()}>
          重试
        </button>
      </p>
    )
  if (!list.length) {
    const isFiltered = filters.showsAll || filters.text || filters.kind
    return <p className="empty">{isFiltered ? '无符合条件的仪表' : '当月已全部抄完'}</p>
  }
  return (
    <ol>
      {list.map(meter => {
        const status = describeStatus(meter, route.queuedOf(meter))
        return (
          <li key={meter.meterId}>
            <button type="button" onClick={() => onOpen(meter.meterId)}>
              <b>{meter.sourceName ?? meter.meterNo}</b>
              <span className={status.tone}>{status.text}</span>
              <small>
                {labelOf(meterKind, meter.meterKind)} {meter.meterNo}
              </small>
              <small>
                上期 {meter.before ?? '无'}
                {status.mark ? ` · ${status.mark}` : ''}
              </small>
            </button>
          </li>
        )
      })}
    </ol>
  )
}
