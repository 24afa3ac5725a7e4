import { withReason } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { today } from '#kit/web/when.ts'
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

const remove = withReason<Holiday>(deleteHolidays, {
  what: '天',
  name: h => `${h.holidayDate} ${h.holidayName}`,
  follows: ['这一天恢复为平常的工作日或周末；已经出的账单应缴日不变。'],
  presets: ['填写有误', '安排有变'],
})

const named = (h: Pick<Holiday, 'holidayDate'>): string => `周${'一二三四五六日'[weekday(h.holidayDate) - 1]}`

const table = columns(holiday, [
  { key: 'holidayDate', identity: true, width: 140 },
  { key: 'week', title: '星期', width: 80, render: named, text: named },
  { key: 'holidayName', grow: 2 },
  'dayType',
  { key: 'updateTime', roomy: true },
])

const year = today().slice(0, 4)
const next = String(Number(year) + 1)
const of = (y: string) => ({ holidayDateFrom: `${y}-01-01`, holidayDateTo: `${y}-12-31` })

const views = [
  { id: '', name: `${year} 年`, filter: of(year) },
  { id: 'next', name: `${next} 年`, filter: of(next) },
  { id: 'work', name: '调休上班', filter: { dayType: ['work'] } },
  { id: 'all', name: '全部', filter: {} },
]

/** The days on which the company does not do as the day of the week says; due dates pass over days off. */
export default function Holidays() {
  const form = useEdit({
    what: '节假日',
    add: addHolidays,
    edit: editHoliday,
    rowIsWhole: true,
    name: (h: Holiday) => h.holidayName,
    as: 'dialog',
    groups: [
      {
        keys: [
          'holidayName',
          'holidayDate',
          { key: 'to', hidden: (v: { id?: number }) => v.id !== undefined },
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
        what="节假日"
        columns={table}
        bar={['holidayDate', 'dayType']}
        views={views}
        primary={form.add}
        row={h => [form.edit(h), remove.row(h)]}
        batch={[remove.batch]}
        import={importHolidays}
        drawer={{
          title: h => `${h.holidayDate} ${h.holidayName}`,
          history: holiday.name,
          verbs: h => [form.edit(h), remove.row(h)],
        }}
      />
      {form.dialog}
    </>
  )
}
