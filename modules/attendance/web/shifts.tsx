import { buildColumns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { shifts, type AttendanceShift } from '../contract/shift.ts'

const columns = buildColumns(shifts.list.output, [
  { key: 'shiftName', identity: true },
  { key: 'times', grow: 2 },
  'workMinutes',
  { key: 'updateTime', wideOnly: true },
])

const remove = createReasonAction(shifts.delete, {
  unit: '个班次',
  nameOf: (shift: AttendanceShift) => shift.shiftName,
})

const newShift = { segments: [{ in: '09:00', out: '18:00' }], rests: [{ in: '12:00', out: '13:00' }] }

/** 班次管理 */
export default function ShiftsPage() {
  const form = useEdit({
    itemName: '班次',
    add: shifts.save,
    edit: shifts.save,
    isRowComplete: true,
    nameOf: (shift: AttendanceShift) => shift.shiftName,
    presentation: 'drawer',
    initial: newShift,
    groups: [
      { keys: ['shiftName', { key: 'segments', wide: true }, { key: 'rests', wide: true }] },
      {
        title: '迟到与早退',
        keys: ['lateGrace', 'severeLate', 'absentLate', 'earlyGrace', 'absentEarly', 'flexMinutes'],
      },
      { title: '打卡', keys: ['earliestIn', 'latestOut', 'mustIn', 'mustOut'] },
    ],
  })
  return (
    <>
      <ListPage
        list={shifts.list}
        itemName="班次"
        columns={columns}
        primaryAction={form.addAction}
        rowActions={shift => [form.editAction(shift), remove.row(shift)]}
        batchActions={[remove.batch]}
        drawer={{ title: shift => shift.shiftName, historyEntity: 'attendanceShift' }}
      />
      {form.dialog}
    </>
  )
}
