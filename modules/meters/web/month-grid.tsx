import { isPhoneWidth, phoneReadingPath } from './phone-reading-path.ts'
import { useCallback, useMemo, useRef, useState, type RefObject } from 'react'
import type { Month } from '#kit/domain/month.ts'
import { useAllowedActions } from '#kit/web/action.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ErrorState, RowSkeleton, StateMessage } from '#kit/web/list/list-feedback.tsx'
import { Paginator } from '#kit/web/paginator.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { useUnsaved } from '#kit/web/tab.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { getMonthProgress, listMonthGrid, type MeterMonth } from '../contract/month-grid.ts'
import { importReadings } from '../contract/transfer.ts'
import { menu } from '../module.ts'
import { useGridEntry, type GridEntry } from './grid-entry.ts'
import { GridRow } from './grid-row.tsx'
import { confirmReading, meterRowActions } from './meter-row-actions.ts'
import { MonthGridFilters, MonthGridToolbar, type GridDialog } from './month-grid-toolbar.tsx'
import { useGridFilters, type GridFilters } from './use-grid-filters.ts'
import { useGridKeyboard } from './use-grid-keyboard.ts'
import './meters.css'

const ImportDialog = lazyComponent(() =>
  import('#kit/web/transfer/import-dialog.tsx').then(m => m.ImportDialog),
)
const ClearDialog = lazyComponent(() => import('./clear-dialog.tsx').then(m => m.ClearDialog))
const PhoneDialog = lazyComponent(() => import('./phone-dialog.tsx').then(m => m.PhoneDialog))
const HistoryDialog = lazyComponent(() => import('./history-dialog.tsx').then(m => m.HistoryDialog))

const pageSizes = [20, 50, 100, 200]

/** 抄表: the month's meters in walking order, a number for each; Enter goes to the next. */
export default function MonthGridPage() {
  const project = useProject()
  return project ? (
    <MonthGrid project={project} key={project} />
  ) : (
    <StateMessage text="请先选择项目" actions={[]} />
  )
}

function MonthGrid({ project }: { readonly project: string }) {
  const controls = useGridFilters(project)
  const { filters, query, change } = controls
  const [dialog, setDialog] = useState<GridDialog>()
  const open = (opened: GridDialog): void => {
    if (opened.kind === 'phone' && isPhoneWidth()) {
      navigateTo(phoneReadingPath(project))
    } else {
      setDialog(opened)
    }
  }
  const body = useRef<HTMLDivElement>(null)
  const grid = useCall(
    listMonthGrid,
    { ...query, show: filters.show, page: filters.page, size: filters.size },
    { keepPrevious: true, staleMs: 0, quiet: true },
  )
  const progress = useCall(getMonthProgress, query, { keepPrevious: true, quiet: true }).data
  const entry = useGridEntry(filters.month, filters.day)
  const rows = useMemo(() => entry.rows(grid.data?.rows ?? []), [entry, grid.data])
  // Until a month's rows arrive, those of the month before stay on the screen and cannot be edited.
  const shownMonth = useRef(filters.month)
  if (!grid.isPlaceholderData) {
    shownMonth.current = filters.month
  }
  useUnsaved(entry.unsaved)
  const refetch = (): void => void grid.refetch()
  const renderGrid = () => {
    if (grid.isPending) return <RowSkeleton rows={12} />
    if (grid.isError && !grid.data) return <ErrorState error={grid.error} onRetry={refetch} />
    if (rows.length === 0)
      return (
        <StateMessage text={controls.isNarrowed ? '无符合条件的仪表' : '该项目暂无在用的仪表'} actions={[]} />
      )
    return (
      <GridTable
        body={body}
        rows={rows}
        entry={entry}
        filters={filters}
        isCurrent={shownMonth.current === filters.month}
        onHistory={meter => setDialog({ kind: 'history', meter })}
      />
    )
  }
  return (
    <div className="meter-check">
      <MonthGridToolbar
        controls={controls}
        progress={progress}
        onMonth={month => {
          controls.moveToMonth(month)
          entry.discardAll()
        }}
        onOpen={open}
      />
      <MonthGridFilters project={project} controls={controls} progress={progress} />
      <div className="meter-grid" ref={body}>
        {renderGrid()}
      </div>
      <Paginator
        total={grid.data?.total ?? 0}
        page={filters.page}
        size={filters.size}
        sizes={pageSizes}
        onChange={(page, size) => {
          change({ page, size })
          body.current?.scrollTo(0, 0)
        }}
      />
      <GridDialogs
        dialog={dialog}
        project={project}
        filters={filters}
        onClose={() => setDialog(undefined)}
        onImported={refetch}
        onCleared={() => {
          entry.discardAll()
          refetch()
        }}
      />
    </div>
  )
}

const canEnterMeter = ({ meterState }: MeterMonth): boolean =>
  meterState !== 'replaced' && meterState !== 'stopped'

function GridTable({
  body,
  rows,
  entry,
  filters,
  isCurrent,
  onHistory,
}: {
  readonly body: RefObject<HTMLDivElement | null>
  readonly rows: readonly MeterMonth[]
  readonly entry: GridEntry
  readonly filters: GridFilters
  /** The rows are those of the chosen month. */
  readonly isCurrent: boolean
  readonly onHistory: (meter: MeterMonth) => void
}) {
  const hasPermission = usePermission()
  const allowedActions = useAllowedActions()
  const latest = useRef({ rows, entry })
  latest.current = { rows, entry }
  const { onKey, onPaste } = useGridKeyboard(body, latest)
  const onLeave = useCallback((meter: MeterMonth): void => void latest.current.entry.save(meter), [])
  const onConfirm = useCallback(
    (meter: MeterMonth): void => confirmReading(meter, () => latest.current.entry),
    [],
  )
  const { add, edit, confirm } = menu.reading.permissions
  return (
    <table>
      <thead>
        <tr>
          <th>安装对象</th>
          <th>表号</th>
          <th>类型</th>
          <th className="right">上期止数</th>
          <th>上期日期</th>
          <th>本期止数</th>
          <th className="right">用量</th>
          <th>情况</th>
          <th>抄表日期</th>
          <th aria-label="操作" />
        </tr>
      </thead>
      <tbody>
        {rows.map((meter, index) => (
          <GridRow
            key={meter.meterId}
            meter={meter}
            index={index}
            draft={entry.drafts.get(meter.meterId)}
            day={filters.day}
            canEnter={
              hasPermission(meter.readingId === undefined ? add : edit) && isCurrent && canEnterMeter(meter)
            }
            canConfirm={hasPermission(confirm)}
            actions={allowedActions(meterRowActions(meter, filters.month, entry, onHistory))}
            onType={entry.setText}
            onRollover={(month, isRollover) => {
              entry.setRollover(month, isRollover)
              if (isRollover) {
                void entry.save(month)
              }
            }}
            onRegister={entry.setRegister}
            onLeave={onLeave}
            onKey={onKey}
            onPaste={onPaste}
            onConfirm={onConfirm}
          />
        ))}
      </tbody>
    </table>
  )
}

function GridDialogs({
  dialog,
  project,
  filters,
  onClose,
  onImported,
  onCleared,
}: {
  readonly dialog: GridDialog | undefined
  readonly project: string
  readonly filters: { readonly month: Month } & Pick<GridFilters, 'building' | 'kind'>
  readonly onClose: () => void
  readonly onImported: () => void
  readonly onCleared: () => void
}) {
  switch (dialog?.kind) {
    case 'import':
      return (
        <ImportDialog
          spec={importReadings}
          input={{ projectCode: project }}
          itemName="抄表记录"
          onClose={() => {
            onClose()
            onImported()
          }}
        />
      )
    case 'clear':
      return (
        <ClearDialog
          project={project}
          month={filters.month}
          building={filters.building}
          kind={filters.kind}
          onClose={onClose}
          onDone={() => {
            onClose()
            onCleared()
          }}
        />
      )
    case 'phone':
      return <PhoneDialog project={project} onClose={onClose} />
    case 'history':
      return <HistoryDialog of={dialog.meter} month={filters.month} onClose={onClose} />
    case undefined:
      return null
  }
}
