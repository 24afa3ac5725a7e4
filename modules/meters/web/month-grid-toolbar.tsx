import { readText } from '#kit/web/controls/read-value.ts'
import { SearchInput } from '#kit/web/search-input.tsx'
import { defined } from '#kit/domain/defined.ts'
import { Button, Segmented, Select } from 'antd'
import dayjs from 'dayjs'
import { labelOf, type ValueOf, keysOf } from '#kit/contract/field.ts'
import type { Month } from '#kit/domain/month.ts'
import { ActionButton, MoreActions, useAllowedActions } from '#kit/web/action.tsx'
import { allowClear } from '#kit/web/allow-clear.tsx'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import { today, monthOfPicker, dayOfPicker } from '#kit/web/date-format.ts'
import { DatePicker } from '#kit/web/date-picker.tsx'
import { formatCount, PercentBar } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { download } from '#kit/web/send.ts'
import { usePermission } from '#kit/web/session.ts'
import { meterKind } from '../contract/choices.ts'
import { listPlans } from '../contract/plan.ts'
import {
  listMonthGrid,
  type getMonthProgress,
  type GridFilterKey,
  type MeterMonth,
} from '../contract/month-grid.ts'
import { downloadMonthSheet } from '../contract/transfer.ts'
import { menu } from '../module.ts'
import { canReadOn } from './entry-preview.ts'
import type { GridFilterControls } from './use-grid-filters.ts'

type MonthProgress = ValueOf<(typeof getMonthProgress)['output']['fields']>

export type GridDialog =
  | { readonly kind: 'import' | 'clear' | 'phone' }
  | { readonly kind: 'history'; readonly meter: MeterMonth }

const kindOptions = keysOf(meterKind).map(k => ({ value: k, label: labelOf(meterKind, k) }))

function Progress({ progress }: { readonly progress: MonthProgress }) {
  const { total, read, begin, end, strict } = progress
  return (
    <>
      <PercentBar percent={total ? Math.floor((read / total) * 100) : 0} label="抄表进度" /> 已抄{' '}
      <b>{formatCount(read)}</b> / {formatCount(total)}
      {begin && (
        <small>
          抄表期 {begin.slice(5)} 至 {end?.slice(5)}
          {strict ? '，超期不能录入' : ''}
        </small>
      )}
    </>
  )
}

/** The month, the reading day, how far the month is, and what can be done with it. */
export function MonthGridToolbar({
  controls,
  progress,
  onMonth,
  onOpen,
}: {
  readonly controls: GridFilterControls
  readonly progress: MonthProgress | undefined
  readonly onMonth: (month: Month) => void
  readonly onOpen: (dialog: GridDialog) => void
}) {
  const hasPermission = usePermission()
  const allowedActions = useAllowedActions()
  const { filters, query, change } = controls
  const tools = allowedActions([
    {
      label: '清除本月',
      needs: menu.reading.permissions.clear,
      danger: true,
      run: () => onOpen({ kind: 'clear' }),
    },
    {
      label: '下载抄表单',
      needs: menu.reading.permissions.export,
      run: () => download(downloadMonthSheet, query),
    },
  ])
  return (
    <div className="toolbar" role="toolbar" aria-label="抄表">
      <DatePicker
        picker="month"
        allowClear={false}
        aria-label="月份"
        value={dayjs(`${filters.month}-01`)}
        onChange={d => {
          if (d) {
            onMonth(monthOfPicker(d))
          }
        }}
      />
      <label className="day">
        抄表日期{' '}
        <DatePicker
          allowClear={false}
          aria-label="抄表日期"
          value={dayjs(filters.day)}
          disabledDate={d => !canReadOn(filters.month, dayOfPicker(d), today())}
          onChange={d => {
            if (d) {
              change({ day: dayOfPicker(d), page: filters.page })
            }
          }}
        />
      </label>
      <span className="meter-progress">{progress && <Progress progress={progress} />}</span>
      <span className="spring" />
      {hasPermission(menu.reading.permissions.phone) && (
        <Button onClick={() => onOpen({ kind: 'phone' })}>手机抄表</Button>
      )}
      {hasPermission(menu.reading.permissions.import) && (
        <ActionButton action={{ label: '导入', run: () => onOpen({ kind: 'import' }) }} />
      )}
      {tools.length > 0 && <MoreActions actions={tools} label="更多" />}
    </div>
  )
}

/** Which meters of the month are shown. */
export function MonthGridFilters({
  project,
  controls,
  progress,
}: {
  readonly project: string
  readonly controls: GridFilterControls
  readonly progress: MonthProgress | undefined
}) {
  const { filters, change, searchText, setSearchText } = controls
  const plans = useCall(listPlans, { projectCode: project, state: ['on'], size: 200 }, { quiet: true }).data
    ?.rows
  const countText = (count: (p: MonthProgress) => number): string =>
    progress ? formatCount(count(progress)) : ''
  return (
    <div className="filter-bar meter-filters">
      <Segmented<GridFilterKey>
        aria-label="显示"
        value={filters.show}
        onChange={show => change({ show })}
        options={[
          { value: 'all', label: `全部 ${countText(p => p.total)}` },
          { value: 'unread', label: `未抄 ${countText(p => p.total - p.read)}` },
          { value: 'read', label: `已抄 ${countText(p => p.read)}` },
          { value: 'doubtful', label: `待确认 ${countText(p => p.doubtful)}` },
        ]}
      />
      <Select
        aria-label="表类型"
        placeholder="表类型"
        allowClear={allowClear}
        style={{ width: 110 }}
        options={kindOptions}
        value={filters.kind ?? null}
        onChange={kind => change({ kind: kind ?? undefined })}
      />
      <RefSelect
        field={defined(listMonthGrid.input.fields.buildCode)}
        named
        inBar
        value={filters.building}
        formValues={{ projectCode: project }}
        onChange={building => change({ building: readText(building) })}
        placeholder="楼栋"
      />
      <Select
        aria-label="计划"
        placeholder="抄表计划"
        allowClear={allowClear}
        style={{ width: 160 }}
        options={(plans ?? []).map(p => ({ value: p.id, label: p.name }))}
        value={filters.planId ?? null}
        onChange={planId => change({ planId: planId ?? undefined })}
      />
      <SearchInput
        aria-label="搜索"
        placeholder="表号、房间"
        style={{ width: 200 }}
        value={searchText}
        onChange={event => setSearchText(event.target.value)}
      />
      <span className="spring" />
      <small className="hint">回车跳到下一块表，支持整列粘贴</small>
    </div>
  )
}
