import { Select } from 'antd'
import { useState } from 'react'
import { parseId, type Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Month } from '#kit/domain/month.ts'
import { ActionButton, useAllowedActions } from '#kit/web/action.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { getScheduleGrid, importSchedule, saveSchedule } from '../contract/schedule.ts'
import { shifts } from '../contract/shift.ts'
import { menu } from '../module.ts'
import { MonthGrid, MonthTable } from './month-table.tsx'
import { useMonthFilter } from './month-address.ts'
import { MonthToolbar } from './month-toolbar.tsx'
import './attendance.css'

const ImportDialog = lazyComponent(() =>
  import('#kit/web/transfer/import-dialog.tsx').then(m => m.ImportDialog),
)
const FillDialog = lazyComponent(() => import('./schedule-dialogs.tsx').then(m => m.FillDialog))
const CopyDialog = lazyComponent(() => import('./schedule-dialogs.tsx').then(m => m.CopyDialog))

type GridRow = NonNullable<typeof getScheduleGrid.output.T>['rows'][number]

const cleared = 'clear'

interface ScheduleTableProps {
  readonly rows: readonly GridRow[]
  readonly month: Month
  readonly names: ReadonlyMap<Id, string>
  readonly onSet: ((row: GridRow, day: Day) => void) | undefined
}

const ScheduleTable = ({ rows, month, names, onSet }: ScheduleTableProps) => (
  <MonthTable
    rows={rows}
    month={month}
    drawDays={(row, days) => {
      const own = new Map((row.days ?? []).map(cell => [cell.workDate, cell.shiftId]))
      const planned = new Map((row.planned ?? []).map(cell => [cell.workDate, cell.shiftId]))
      return days.map(day => {
        const shiftId = own.get(day) ?? planned.get(day)
        const text = shiftId === undefined ? '' : shiftId === 0 ? '休' : (names.get(shiftId) ?? '')
        const isOwn = own.has(day)
        return (
          <td
            key={day}
            className={isOwn ? (shiftId === 0 ? 'off' : 'set') : 'planned'}
            title={isOwn || !text ? undefined : '按周班表与节假日，未单独排班'}
          >
            {onSet ? (
              <button
                type="button"
                aria-label={`${row.staffName} ${day} ${text}${isOwn || !text ? '' : '（周班表）'}`}
                onClick={() => onSet(row, day)}
              >
                {text}
              </button>
            ) : (
              text
            )}
          </td>
        )
      })
    }}
  />
)

/** 人员排班: people × dates; the chosen shift is set where one clicks. */
export default function SchedulePage() {
  const [filter, change] = useMonthFilter()
  const [chosen, setChosen] = useState<string>()
  const [dialog, setDialog] = useState<'fill' | 'copy' | 'import'>()
  const allowedActions = useAllowedActions()
  const canEdit = usePermission()(menu.schedule.permissions.edit)
  const grid = useCall(getScheduleGrid, filter, { keepPrevious: true, quiet: true, staleMs: 0 })
  const known = useCall(shifts.list, { size: 200 }, { quiet: true }).data?.rows ?? []
  const saving = useSend(saveSchedule)
  const set = (row: GridRow, workDate: Day): void => {
    if (chosen === undefined) return
    const cell = { staffId: row.staffId, workDate }
    saving.mutate({
      cells: [chosen === cleared ? { ...cell, isCleared: true } : { ...cell, shiftId: parseId(chosen) }],
    })
  }
  const close = (): void => setDialog(undefined)
  const actions = allowedActions([
    { label: '循环排班', needs: menu.schedule.permissions.edit, run: () => setDialog('fill') },
    { label: '复制排班', needs: menu.schedule.permissions.edit, run: () => setDialog('copy') },
    { label: '导入', needs: menu.schedule.permissions.import, run: () => setDialog('import') },
  ])
  return (
    <div className="attendance-page">
      <MonthToolbar label="人员排班" filter={filter} onChange={change}>
        {canEdit && (
          <Select
            aria-label="点击单元格排入"
            placeholder="选择班次后点击单元格"
            style={{ width: 190 }}
            value={chosen}
            onChange={setChosen}
            options={[
              ...known.map(({ id, shiftName }) => ({ value: String(id), label: shiftName })),
              { value: '0', label: '休息' },
              { value: cleared, label: '取消排班' },
            ]}
          />
        )}
        {actions.map(action => (
          <ActionButton key={action.label} action={action} />
        ))}
      </MonthToolbar>
      <MonthGrid
        label="人员排班"
        query={grid}
        emptyText="暂无考勤组人员，请先在考勤单元添加"
        filter={filter}
        onChange={change}
      >
        {rows => (
          <ScheduleTable
            rows={rows}
            month={filter.month}
            names={new Map(known.map(({ id, shiftName }) => [id, shiftName]))}
            onSet={canEdit && chosen !== undefined ? set : undefined}
          />
        )}
      </MonthGrid>
      {dialog === 'fill' && <FillDialog record={{}} onClose={close} />}
      {dialog === 'copy' && <CopyDialog record={{}} onClose={close} />}
      {dialog === 'import' && (
        <ImportDialog spec={importSchedule} input={{}} itemName="排班" onClose={close} />
      )}
    </div>
  )
}
