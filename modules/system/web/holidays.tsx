import type { Id } from '#kit/domain/id.ts'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { today } from '#kit/web/date-format.ts'
import { weekday } from '#kit/domain/day.ts'
import {
  addHolidays,
  deleteHolidays,
  editHoliday,
  holiday,
  importHolidays,
  listHolidays,
  type Holiday,
} from '../contract/holiday.ts'

const deleteAction = createReasonAction<Holiday>(deleteHolidays, {
  unit: '天',
  nameOf: h => `${h.holidayDate} ${h.holidayName}`,
  consequences: ['该日恢复为平常的工作日或周末；已经出的账单应缴日不变。'],
  reasonPresets: ['填写有误', '安排有变'],
})

const formatWeekday = (h: Pick<Holiday, 'holidayDate'>): string =>
  `周${'一二三四五六日'[weekday(h.holidayDate) - 1]}`

const listColumns = buildColumns(holiday, [
  { key: 'holidayDate', identity: true, width: 140 },
  { key: 'week', title: '星期', width: 80, render: formatWeekday, text: formatWeekday },
  { key: 'holidayName', grow: 2 },
  'dayType',
  { key: 'updateTime', wideOnly: true },
])

const currentYear = today().slice(0, 4)
const nextYear = String(Number(currentYear) + 1)
const toYearFilter = (y: string) => ({ holidayDateFrom: `${y}-01-01`, holidayDateTo: `${y}-12-31` })

const views = [
  { id: '', name: `${currentYear} 年`, filter: toYearFilter(currentYear) },
  { id: 'next', name: `${nextYear} 年`, filter: toYearFilter(nextYear) },
  { id: 'work', name: '调休上班', filter: { dayType: ['work'] } },
  { id: 'all', name: '全部', filter: {} },
]

/** The days on which the company does not do as the day of the week says; due dates pass over days off. */
export default function Holidays() {
  const form = useEdit({
    itemName: '节假日',
    add: addHolidays,
    edit: editHoliday,
    isRowComplete: true,
    nameOf: (h: Holiday) => h.holidayName,
    presentation: 'dialog',
    groups: [
      {
        keys: [
          'holidayName',
          'holidayDate',
          { key: 'to', isHidden: (v: { id?: Id }) => v.id !== undefined },
          'dayType',
        ],
      },
    ],
    rules: v => (v.to && v.holidayDate && v.to < v.holidayDate ? { to: '止日不能早于日期' } : undefined),
  })
  return (
    <>
      <ListPage
        list={listHolidays}
        itemName="节假日"
        columns={listColumns}
        barFilters={['holidayDate', 'dayType']}
        views={views}
        primaryAction={form.addAction}
        rowActions={h => [form.editAction(h), deleteAction.row(h)]}
        batchActions={[deleteAction.batch]}
        import={importHolidays}
        drawer={{
          title: h => `${h.holidayDate} ${h.holidayName}`,
          historyEntity: holiday.name,
          actions: h => [form.editAction(h), deleteAction.row(h)],
        }}
      />
      {form.dialog}
    </>
  )
}
