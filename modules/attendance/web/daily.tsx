import { useState } from 'react'
import { buildColumns } from '#kit/web/columns.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { today } from '#kit/web/date-format.ts'
import { addDays } from '#kit/domain/day.ts'
import { dayState } from '../contract/choices.ts'
import { dayRecords, exportDayRecords, importDayStates, type DayRecord } from '../contract/day.ts'
import { menu } from '../module.ts'
import type { CorrectedDays } from './correct-dialog.tsx'
import { DayReasons } from './reasons.tsx'

const CorrectDialog = lazyComponent(() => import('./correct-dialog.tsx').then(m => m.CorrectDialog))

const timeOf = (moment: string | undefined, day: string): string =>
  moment === undefined ? '' : `${moment.slice(0, 10) === day ? '' : '次日 '}${moment.slice(11, 16)}`

const columns = buildColumns(dayRecords.list.output, [
  { key: 'staffName', identity: true, width: 88 },
  { key: 'workDate', width: 104 },
  { key: 'shiftName', width: 88, grow: 1 },
  {
    key: 'inTime',
    width: 80,
    render: row => timeOf(row.inTime, row.workDate),
    text: row => timeOf(row.inTime, row.workDate),
  },
  {
    key: 'outTime',
    width: 96,
    render: row => timeOf(row.outTime, row.workDate),
    text: row => timeOf(row.outTime, row.workDate),
  },
  { key: 'state', width: 112 },
  { key: 'manualState', width: 104 },
  { key: 'lateMinutes', width: 96 },
  { key: 'earlyMinutes', width: 96 },
  { key: 'departmentName', width: 104, hidePriority: 1 },
  { key: 'staffNo', width: 80, hidePriority: 2 },
  { key: 'absentDays', wideOnly: true },
  { key: 'leaveHours', wideOnly: true },
  { key: 'overtimeMinutes', wideOnly: true },
])

const yesterday = addDays(today(), -1)
const lastDays = (count: number) => ({ workDateFrom: addDays(today(), -count), workDateTo: today() })

const views = [
  { id: '', name: '昨日', filter: { workDateFrom: yesterday, workDateTo: yesterday } },
  { id: 'today', name: '今日', filter: lastDays(0) },
  { id: 'anomaly', name: '近 7 天异常', filter: { ...lastDays(7), isAnomaly: true } },
  { id: 'missing', name: '近 7 天缺卡', filter: { ...lastDays(7), state: ['missing'] } },
  { id: 'absent', name: '近 7 天旷工', filter: { ...lastDays(7), state: ['absent'] } },
  { id: 'all', name: '全部', filter: {} },
]

/** 每日考勤: each person's day, with the reasons of its figures. */
export default function DailyPage() {
  const [corrected, correct] = useState<CorrectedDays>()
  const { correct: right } = menu.record.permissions
  return (
    <>
      <ListPage
        list={dayRecords.list}
        itemName="考勤记录"
        columns={columns}
        views={views}
        filters={['workDate', 'departmentId', 'groupId', 'state', 'manualState', 'staffId', 'daySort']}
        barFilters={['workDate', 'departmentId', 'groupId', 'state']}
        rowActions={(row: DayRecord) => [
          {
            label: '修改结果',
            needs: right,
            run: () => correct({ ids: [String(row.id)], title: `${row.staffName ?? ''} ${row.workDate}` }),
          },
        ]}
        batchActions={[
          {
            label: '修改结果',
            needs: right,
            run: ({ ids }) => correct({ ids, title: `${ids.length} 条记录` }),
          },
        ]}
        import={importDayStates}
        export={exportDayRecords}
        drawer={{
          title: row => `${row.staffName ?? ''} ${row.workDate}`,
          status: row => <ChoiceStatus choices={dayState} value={row.manualState ?? row.state} />,
          summary: row => <DayReasons id={row.id} />,
          historyEntity: 'dayRecord',
        }}
      />
      {corrected && <CorrectDialog record={corrected} onClose={() => correct(undefined)} />}
    </>
  )
}
