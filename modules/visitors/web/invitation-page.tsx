import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { getInvitation } from '../contract/invitations.ts'
import { InvitationContent, invitationGroups, InvitationStatus } from './invitation-content.tsx'
import { useInvitationActions } from './use-invitation-actions.tsx'

/** 查看邀访记录: one invitation as a page of its own. */
export default function InvitationPage() {
  const { actionsOf, dialog } = useInvitationActions()
  return (
    <>
      <DetailPage
        loadCall={getInvitation}
        title={row => `${row.invitationNo} ${row.visitorName}`}
        status={row => <InvitationStatus row={row} />}
        actions={actionsOf}
        groups={invitationGroups}
        afterGroups={row => <InvitationContent invitation={row} />}
        historyEntity="invitation"
      />
      {dialog}
    </>
  )
}
