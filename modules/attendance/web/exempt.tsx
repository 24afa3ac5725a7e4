import { buildColumns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { exemptions, type AttendanceExemption } from '../contract/apply.ts'

const columns = buildColumns(exemptions.list.output, [
  { key: 'staffName', identity: true, width: 120 },
  'staffNo',
  'departmentName',
  'beginDate',
  'endDate',
  { key: 'reason', grow: 1 },
])

const nameOf = (row: AttendanceExemption): string => row.staffName ?? ''

const remove = createReasonAction(exemptions.delete, {
  unit: '人',
  nameOf,
  consequences: ['自起日起重新生成其考勤记录。'],
})

/** 免考勤人员: no records are made of them (ATT-14). */
export default function ExemptPage() {
  const form = useEdit({
    itemName: '免考勤人员',
    add: exemptions.save,
    edit: exemptions.save,
    isRowComplete: true,
    nameOf,
  })
  return (
    <>
      <ListPage
        list={exemptions.list}
        itemName="免考勤人员"
        columns={columns}
        primaryAction={form.addAction}
        rowActions={row => [form.editAction(row), remove.row(row)]}
        batchActions={[remove.batch]}
        drawer={{ title: nameOf, historyEntity: 'attendanceExemption' }}
      />
      {form.dialog}
    </>
  )
}
