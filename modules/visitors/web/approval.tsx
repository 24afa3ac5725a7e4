import { useState } from 'react'
import { useNavigate } from 'react-router'
import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import type { Invitation } from '../contract/invitation.ts'
import { allowInvitations, listRequests } from '../contract/invitations.ts'
import { menu, paths } from '../module.ts'
import { requestColumns } from './invitation-columns.ts'
import { InvitationContent, invitationGroups, InvitationStatus } from './invitation-content.tsx'
import { useInvitationActions } from './use-invitation-actions.tsx'

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'property', name: '待物业审核', filter: { stage: ['property'] } },
  { id: 'host', name: '待被访人确认', filter: { stage: ['host'] } },
]

const AllowAllDialog = actionDialog({
  call: allowInvitations,
  title: (rows: readonly Invitation[]) => `通过 ${rows.length} 个邀访`,
  submitLabel: '通过',
  keys: [{ key: 'reason', wide: true }],
  target: rows => ({ ids: rows.map(({ id }) => String(id)) }),
  doneText: rows => `已通过 ${rows.length} 个邀访`,
})

/** 信息审批: invitations that wait for a decision. */
export default function ApprovalPage() {
  const navigate = useNavigate()
  const { actionsOf, dialog } = useInvitationActions()
  const [chosen, setChosen] = useState<readonly Invitation[]>()
  return (
    <>
      <ListPage
        list={listRequests}
        itemName="待审批的邀访"
        columns={requestColumns}
        views={views}
        filters={['visitorKind', 'hostType', 'beginTime', 'stage']}
        barFilters={['visitorKind', 'hostType']}
        keywordPlaceholder="访客、被访人、单号"
        settingsKey="visitors/approval"
        rowActions={actionsOf}
        batchActions={[
          {
            label: '通过',
            needs: menu.invitation.permissions.audit,
            run: selected => setChosen(selected.rows),
          },
        ]}
        drawer={{
          width: 880,
          title: row => `${row.invitationNo} ${row.visitorName}`,
          status: row => <InvitationStatus row={row} />,
          groups: invitationGroups,
          afterGroups: row => <InvitationContent invitation={row} />,
          openAsPage: row => void navigate(`${paths.invitation}?id=${row.id}`),
        }}
      />
      {dialog}
      {chosen && <AllowAllDialog record={chosen} onClose={() => setChosen(undefined)} />}
    </>
  )
}
