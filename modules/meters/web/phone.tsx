import { useMemo, useState } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { monthOf } from '#kit/domain/month.ts'
import { PercentBar } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { useSession } from '#kit/web/session.ts'
import { today } from '#kit/web/date-format.ts'
import { listEstates } from '#modules/estates/contract/estate.ts'
import { anomaly, meterKind, unreadReason } from '../contract/choices.ts'
import { getMonthProgress, listMonthGrid, getEntryContext, type MeterMonth } from '../contract/reading.ts'
import { withReading } from './grid-entry.ts'
import { PhoneEntry } from './phone-entry.tsx'
import {
  flushQueue,
  queueKeyOf,
  useQueueFlush,
  useOfflineQueue,
  sendReading,
  type QueuedReading,
} from './offline-queue.ts'
import './phone.css'

type MeterKind = MeterMonth['meterKind']
const meterKinds = Object.keys(meterKind.rows) as MeterKind[]
const maxMeters = 300

const describeStatus = (
  p: MeterMonth,
  h: QueuedReading | undefined,
): { readonly words: string; readonly tone: string } =>
  h
    ? { words: h.waits ? `${h.text} 待上传` : `${h.text} 未保存`, tone: 'todo' }
    : p.readingId !== undefined
      ? p.anomalies?.length && !p.confirmed
        ? { words: p.anomalies.map(a => labelOf(anomaly, a)).join('、'), tone: 'todo' }
        : { words: p.curNum ?? '', tone: 'done' }
      : p.unread
        ? { words: labelOf(unreadReason, p.unread), tone: 'todo' }
        : { words: '未抄', tone: '' }

/**
 * 移动抄表: stands outside the shell, for a telephone in one hand. Opens one meter when its label was scanned.
 */
export default function PhonePage() {
  const signed = useSession(s => s.signed)
  const [params] = useSearchParams()
  if (!signed)
    return (
      <Navigate
        to={`/login?redirect=${encodeURIComponent(`/intelligentMeter/checkmeter/mobilemeterreading?${params}`)}`}
        replace
      />
    )
  return <ReadingWalk />
}

function ReadingWalk() {
  const [params] = useSearchParams()
  const chosen = useSession(s => s.project?.code ?? s.signed?.nearestProjectCode)
  const estates = useCall(listEstates, { size: 500 }, { quiet: true, project: 0 }).data?.rows
  const first = chosen && chosen !== '0' ? chosen : undefined
  const [picked, setProject] = useState(params.get('project') ?? first)
  const project = picked ?? estates?.[0]?.projectCode
  if (!project)
    return (
      <div className="phone">
        <p className="empty">{estates ? '还没有可以抄表的项目' : '正在加载…'}</p>
      </div>
    )
  return (
    <ReadingRoute
      project={project}
      scanned={params.get('meter') ?? undefined}
      estates={estates ?? []}
      onProject={setProject}
      key={project}
    />
  )
}

interface Props {
  readonly project: string
  readonly scanned: string | undefined
  readonly estates: readonly { readonly projectCode: string; readonly name: string }[]
  readonly onProject: (code: string) => void
}

/** The meters of a month in the order of the walk, the unread ones first to hand. */
function ReadingRoute({ project, scanned, estates, onProject }: Props) {
  const month = monthOf(today())
  const [kind, setKind] = useState<MeterKind>()
  const [all, setAll] = useState(false)
  const [word, setWord] = useState('')
  const [open, setOpen] = useState<number>()
  const [done, setDone] = useState<ReadonlyMap<number, MeterMonth>>(new Map())
  const pocket = useOfflineQueue()
  const [seen, setSeen] = useState(!scanned)
  const asked = {
    projectCode: project,
    month,
    ...(kind ? { meterKind: kind } : {}),
    ...(word.trim() ? { keyword: word.trim() } : {}),
  }
  const grid = useCall(
    listMonthGrid,
    { ...asked, show: all ? 'all' : 'left', page: 1, size: maxMeters },
    { keepPrevious: true, staleMs: 0, quiet: true, project },
  )
  const n = useCall(getMonthProgress, asked, { keepPrevious: true, quiet: true, project })
  const label = useCall(
    getEntryContext,
    { meterNo: scanned ?? '', month },
    { quiet: true, project, enabled: scanned !== undefined },
  )
  const list = useMemo(() => (grid.data?.rows ?? []).map(p => done.get(p.meterId) ?? p), [grid.data, done])
  const heldOf = (p: MeterMonth): QueuedReading | undefined =>
    pocket.all[queueKeyOf(project, month, p.meterId)]
  const isLeft = (p: MeterMonth): boolean => p.readingId === undefined && !p.unread && !heldOf(p)?.waits
  const left = list.filter(isLeft)
  const beyond = Math.max(0, (grid.data?.total ?? 0) - list.length)
  const waiting = Object.entries(pocket.all).filter(([, h]) => h.waits && h.project === project)
  const keepDone = (p: MeterMonth): void => {
    setDone(was => new Map(was).set(p.meterId, p))
    void n.refetch()
  }
  const upload = useQueueFlush(waiting, () =>
    flushQueue(waiting, sendReading, (at, h, r) => {
      const was = pocket.all[at]
      pocket.put(at, h)
      if (r && was) {
        keepDone(withReading(was.place, r))
      }
    }),
  )
  const scan = !seen && label.data ? (done.get(label.data.meterId) ?? (label.data as MeterMonth)) : undefined
  const now = scan ?? list.find(p => p.meterId === open)
  const next = (): void => {
    const at = list.findIndex(p => p.meterId === now?.meterId)
    const rest = [...list.slice(at + 1), ...list.slice(0, Math.max(0, at))]
    const to = rest.find(p => isLeft(p) && p.meterId !== now?.meterId)
    setSeen(true)
    setOpen(to?.meterId)
    if (!to) {
      void grid.refetch()
    }
  }
  const back = (): void => {
    setSeen(true)
    setOpen(undefined)
  }
  if (now)
    return (
      <div className="phone">
        <PhoneEntry
          key={now.meterId}
          p={now}
          project={project}
          month={month}
          left={left.filter(p => p.meterId !== now.meterId).length + beyond}
          held={heldOf(now)}
          onHold={h => pocket.put(queueKeyOf(project, month, now.meterId), h)}
          onSaved={keepDone}
          onNext={next}
          onBack={back}
        />
      </div>
    )
  const share = n.data?.total ? Math.floor((n.data.read / n.data.total) * 100) : 0
  return (
    <div className="phone">
      <header>
        <div>
          <h1>移动抄表</h1>
          <small>{month}</small>
        </div>
        {estates.length > 1 && (
          <select aria-label="项目" value={project} onChange={e => onProject(e.target.value)}>
            {estates.map(e => (
              <option key={e.projectCode} value={e.projectCode}>
                {e.name}
              </option>
            ))}
          </select>
        )}
        <div>
          <PercentBar percent={share} label="抄表进度" />
          <small>{n.data ? `已抄 ${n.data.read} / ${n.data.total}` : ''}</small>
        </div>
        <div className="kinds" role="group" aria-label="显示">
          <button type="button" aria-pressed={!all} onClick={() => setAll(false)}>
            未抄
          </button>
          <button type="button" aria-pressed={all} onClick={() => setAll(true)}>
            全部
          </button>
          {meterKinds.map(k => (
            <button
              type="button"
              key={k}
              aria-pressed={kind === k}
              onClick={() => setKind(kind === k ? undefined : k)}
            >
              {labelOf(meterKind, k)}
            </button>
          ))}
        </div>
        <input
          type="search"
          aria-label="搜索"
          placeholder="房间或表号"
          value={word}
          onChange={e => setWord(e.target.value)}
        />
      </header>
      {waiting.length > 0 && (
        <p className="waits" role="status">
          <span>{waiting.length} 只存在手机上，还没有上传</span>
          <button type="button" className="big" onClick={upload}>
            立即上传
          </button>
        </p>
      )}
      {scanned && !seen && label.isError && (
        <p className="empty todo" role="alert">
          {label.error.message}
        </p>
      )}
      {grid.isPending ? (
        <p className="empty" role="status">
          正在加载…
        </p>
      ) : grid.isError && !grid.data ? (
        <p className="empty" role="alert">
          {grid.error.message}{' '}
          <button type="button" className="big" onClick={() => void grid.refetch()}>
            重试
          </button>
        </p>
      ) : list.length === 0 ? (
        <p className="empty">{all || word || kind ? '没有符合条件的仪表' : '这个月都抄完了'}</p>
      ) : (
        <ol>
          {list.map(p => {
            const a = describeStatus(p, heldOf(p))
            return (
              <li key={p.meterId}>
                <button type="button" onClick={() => setOpen(p.meterId)}>
                  <b>{p.sourceName ?? p.meterNo}</b>
                  <span className={a.tone}>{a.words}</span>
                  <small>
                    {labelOf(meterKind, p.meterKind)} {p.meterNo}
                  </small>
                  <small>上期 {p.before ?? '无'}</small>
                </button>
              </li>
            )
          })}
        </ol>
      )}
      {(grid.data?.total ?? 0) > maxMeters && (
        <p className="empty">
          <small>
            共 {grid.data!.total} 只，先显示 {maxMeters} 只；用搜索或类型缩小范围
          </small>
        </p>
      )}
    </div>
  )
}
