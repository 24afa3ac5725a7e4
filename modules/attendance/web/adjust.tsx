import { buildColumns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { applications } from '../contract/apply.ts'
import { applyState } from '../contract/choices.ts'
import { cancelAction, nameOfApplication } from './application-actions.ts'

const columns = buildColumns(applications.list.output, [
  { key: 'staffName', identity: true, width: 100 },
  { key: 'departmentName', hidePriority: 2 },
  'workDay',
  'restDay',
  { key: 'reason', grow: 1 },
  'registrar',
  'state',
])

/** 调班调休: a day worked in the place of another, written into the schedule. */
export default function AdjustPage() {
  const form = useEdit({
    itemName: '调班',
    add: applications.add,
    nameOf: nameOfApplication,
    initial: { applyType: 'swap' },
    groups: [{ keys: ['staffId', 'workDay', 'restDay', 'shiftId', { key: 'reason', wide: true }] }],
    rules: values => (values.workDay || values.restDay ? undefined : { workDay: '请填写上班日或休息日' }),
  })
  return (
    <>
      <ListPage
        list={applications.list}
        itemName="调班"
        columns={columns}
        settingsKey="attendance-adjust"
        fixedFilter={{ applyType: ['swap'] }}
        filters={['departmentId', 'state', 'staffId']}
        primaryAction={{ ...form.addAction, label: '登记调班' }}
        rowActions={row => [cancelAction.row(row)]}
        batchActions={[cancelAction.batch]}
        drawer={{
          title: nameOfApplication,
          status: row => <ChoiceStatus choices={applyState} value={row.state} />,
          historyEntity: 'attendanceApply',
        }}
      />
      {form.dialog}
    </>
  )
}
