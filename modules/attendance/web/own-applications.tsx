import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { useCall } from '#kit/web/query.ts'
import { kindByType } from '../contract/approval-kinds.ts'
import { applyState, applyType } from '../contract/choices.ts'
import { getOwnLimits, listOwnApplications } from '../contract/own-apply.ts'
import { paths } from '../module.ts'
import { applicationTimes } from './application-actions.ts'
import { useAmended } from './use-amended.ts'
import { OwnStatus, ownActionsOf } from './own-request-actions.tsx'

const OwnRequestDialog = lazyComponent(() => import('./own-request-dialog.tsx').then(m => m.OwnRequestDialog))
const OwnAmendDialog = lazyComponent(() => import('./own-request-dialog.tsx').then(m => m.OwnAmendDialog))
const ApprovalProgress = lazyComponent(() =>
  import('#modules/approvals/web/public.ts').then(m => m.ApprovalProgress),
)

const columns = buildColumns(listOwnApplications.output, [
  { key: 'applyType', identity: true, width: 100 },
  'leaveType',
  ...applicationTimes,
  'hours',
  { key: 'reason', grow: 1 },
  {
    key: 'state',
    render: row => <OwnStatus row={row} />,
    text: row => (row.isReturned ? '已退回' : labelOf(applyState, row.state)),
  },
])

/** 考勤申请: the person's applications and their states. */
export default function OwnApplicationsPage() {
  const [isAsking, setAsking] = useState(false)
  const [amended, amend] = useAmended()
  const limits = useCall(getOwnLimits, {}, { quiet: true }).data
  return (
    <>
      <ListPage
        list={listOwnApplications}
        itemName="考勤申请"
        keywordPlaceholder="事由"
        columns={columns}
        filters={['applyType', 'state', 'beginTime']}
        barFilters={['applyType', 'state', 'beginTime']}
        primaryAction={{
          label: '申请',
          disabledReason: limits?.refusal,
          run: () => setAsking(true),
        }}
        toolbarActions={[{ label: '手机考勤', run: () => void window.open(paths.phone, '_blank') }]}
        rowActions={row => ownActionsOf(row, amend)}
        drawer={{
          title: row => labelOf(applyType, row.applyType),
          status: row => <OwnStatus row={row} />,
          afterGroups: row => <ApprovalProgress bizType={kindByType[row.applyType].key} bizId={row.id} />,
        }}
      />
      {isAsking && <OwnRequestDialog onClose={() => setAsking(false)} />}
      {amended && <OwnAmendDialog row={amended} onClose={() => amend(undefined)} />}
    </>
  )
}
