import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { kindByType } from '../contract/approval-kinds.ts'
import { applications, type AttendanceApply } from '../contract/apply.ts'
import { applyState } from '../contract/choices.ts'
import { applicationTimes, cancelAction, nameOfApplication } from './application-actions.ts'
import { beginHelp, isMend, isSwap } from './own-draft.ts'
import { OwnStatus } from './own-request-actions.tsx'

const OwnAmendDialog = lazyComponent(() => import('./own-request-dialog.tsx').then(m => m.OwnAmendDialog))
const ApprovalProgress = lazyComponent(() =>
  import('#modules/approvals/web/public.ts').then(m => m.ApprovalProgress),
)

const columns = buildColumns(applications.list.output, [
  { key: 'staffName', identity: true, width: 100 },
  { key: 'departmentName', hidePriority: 2 },
  'applyType',
  'leaveType',
  ...applicationTimes,
  'hours',
  { key: 'reason', grow: 1 },
  { key: 'registrar', hidePriority: 1 },
  {
    key: 'state',
    render: row => <OwnStatus row={row} />,
    text: row => (row.isReturned ? '已退回' : labelOf(applyState, row.state)),
  },
])

/** 考勤单据: leave, mended punches, overtime and work elsewhere, as the office registers them. */
export default function ApplicationsPage() {
  const [amended, amend] = useState<AttendanceApply>()
  const form = useEdit({
    itemName: '考勤单据',
    add: applications.add,
    nameOf: nameOfApplication,
    presentation: 'drawer',
    groups: [
      {
        keys: [
          'staffId',
          'applyType',
          { key: 'leaveType', isHidden: values => values.applyType !== 'leave' },
          { key: 'mendPoint', isHidden: values => !isMend(values) },
          { key: 'beginTime', help: beginHelp, isHidden: isSwap },
          { key: 'endTime', isHidden: values => isSwap(values) || isMend(values) },
          { key: 'workDay', isHidden: values => !isSwap(values) },
          { key: 'restDay', isHidden: values => !isSwap(values) },
          { key: 'shiftId', isHidden: values => !isSwap(values) },
          { key: 'reason', wide: true },
          { key: 'attachments', wide: true },
        ],
      },
    ],
  })
  return (
    <>
      <ListPage
        list={applications.list}
        itemName="考勤单据"
        columns={columns}
        filters={['applyType', 'departmentId', 'beginTime', 'state', 'leaveType', 'staffId']}
        barFilters={['applyType', 'departmentId', 'beginTime', 'state']}
        primaryAction={{ ...form.addAction, label: '登记单据' }}
        rowActions={row => [
          row.isAmendable && { label: '修改', run: () => amend(row) },
          cancelAction.row(row),
        ]}
        batchActions={[cancelAction.batch]}
        drawer={{
          title: nameOfApplication,
          status: row => <OwnStatus row={row} />,
          afterGroups: row => <ApprovalProgress bizType={kindByType[row.applyType].key} bizId={row.id} />,
          historyEntity: 'attendanceApply',
        }}
      />
      {form.dialog}
      {amended && <OwnAmendDialog row={amended} onClose={() => amend(undefined)} />}
    </>
  )
}
