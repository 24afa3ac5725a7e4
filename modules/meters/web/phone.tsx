import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { monthOf } from '#kit/domain/month.ts'
import { SignedInOnly } from '#kit/web/phone/signed-in-only.tsx'
import { WaitingNotice } from '#kit/web/phone/waiting-notice.tsx'
import { useCall } from '#kit/web/query.ts'
import { shownProjectCode, useSession } from '#kit/web/session.ts'
import { today } from '#kit/web/date-format.ts'
import { listEstates } from '#modules/estates/contract/estate.ts'
import { getEntryContext, type MeterMonth } from '../contract/month-grid.ts'
import { PhoneEntry } from './phone-entry.tsx'
import { RouteHeader, RouteList } from './phone-route.tsx'
import { maxMeters, useReadingRoute, type ReadingRouteFilters } from './use-reading-route.ts'
import '#kit/web/phone/phone.css'
import './phone.css'

/** 手机抄表: a screen without the shell, for a phone. Opens one meter when its label was scanned. */
export default function PhonePage() {
  return (
    <SignedInOnly>
      <ReadingRoutePage />
    </SignedInOnly>
  )
}

function ReadingRoutePage() {
  const [params] = useSearchParams()
  const chosen = useSession(shownProjectCode)
  const estates = useCall(listEstates, { size: 500 }, { quiet: true, project: 0 }).data?.rows
  const [picked, setProject] = useState(params.get('project') ?? chosen)
  const project = picked ?? estates?.[0]?.projectCode
  if (!project)
    return (
      <div className="phone">
        <p className="empty">{estates ? '暂无可以抄表的项目' : '正在加载…'}</p>
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

interface RouteProps {
  readonly project: string
  readonly scanned: string | undefined
  readonly estates: readonly { readonly projectCode: string; readonly name: string }[]
  readonly onProject: (code: string) => void
}

/** The meters of a month, unread ones first to hand; one of them is entered at a time. */
function ReadingRoute(props: RouteProps) {
  const { project, scanned } = props
  const month = monthOf(today())
  const [filters, setFilters] = useState<ReadingRouteFilters>({ kind: undefined, showsAll: false, text: '' })
  const [openId, setOpenId] = useState<number>()
  const [isScanDone, setScanDone] = useState(!scanned)
  const route = useReadingRoute(project, month, filters)
  const { grid, list, isLeft, saved } = route
  const scan = useCall(
    getEntryContext,
    { meterNo: scanned ?? '', month },
    { quiet: true, project, enabled: scanned !== undefined },
  )
  const scannedMeter: MeterMonth | undefined =
    !isScanDone && scan.data ? (saved.get(scan.data.meterId) ?? scan.data) : undefined
  const current = scannedMeter ?? list.find(meter => meter.meterId === openId)
  const close = (nextId: Id | undefined): void => {
    setScanDone(true)
    setOpenId(nextId)
  }
  const goToNext = (): void => {
    const index = list.findIndex(meter => meter.meterId === current?.meterId)
    const others = [...list.slice(index + 1), ...list.slice(0, Math.max(0, index))]
    const next = others.find(meter => isLeft(meter) && meter.meterId !== current?.meterId)
    close(next?.meterId)
    if (!next) {
      void grid.refetch()
    }
  }
  if (current) {
    const beyondList = Math.max(0, (grid.data?.total ?? 0) - list.length)
    return (
      <div className="phone">
        <PhoneEntry
          key={current.meterId}
          meter={current}
          project={project}
          month={month}
          remaining={
            list.filter(meter => isLeft(meter) && meter.meterId !== current.meterId).length + beyondList
          }
          queued={route.queuedOf(current)}
          onQueue={queued => route.keepQueued(current, queued)}
          onSaved={route.markSaved}
          onNext={goToNext}
          onBack={() => close(undefined)}
        />
      </div>
    )
  }
  return (
    <div className="phone">
      <RouteHeader
        {...props}
        month={month}
        progress={route.progress}
        filters={filters}
        onFilters={setFilters}
      />
      <WaitingNotice count={route.waiting.length} unit="块" onSend={route.upload} />
      {scanned && !isScanDone && scan.isError && (
        <p className="empty todo" role="alert">
          {scan.error.message}
        </p>
      )}
      <RouteList route={route} filters={filters} onOpen={setOpenId} />
      {(grid.data?.total ?? 0) > maxMeters && (
        <p className="empty">
          <small>
            共 {defined(grid.data).total} 块，先显示 {maxMeters} 块；用搜索或类型缩小范围
          </small>
        </p>
      )}
    </div>
  )
}
