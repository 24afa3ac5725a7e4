import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useChosenProject } from '#kit/web/chosen-project.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { exportInvitations, invitations } from '../contract/invitations.ts'
import { menu, paths } from '../module.ts'
import { invitationColumns } from './invitation-columns.ts'
import { InvitationContent, invitationGroups, InvitationStatus } from './invitation-content.tsx'
import { useInvitationActions } from './use-invitation-actions.tsx'

const AddDialog = lazyComponent(() => import('./invitation-dialogs.tsx').then(m => m.AddDialog))
const LinkDialog = lazyComponent(() => import('./link-dialog.tsx').then(m => m.LinkDialog))

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'pending', name: '待审核', filter: { state: ['pending'] } },
  { id: 'passed', name: '待到访', filter: { state: ['passed'] } },
  { id: 'arrived', name: '在访', filter: { state: ['arrived'] } },
  { id: 'ended', name: '已结束', filter: { state: ['left', 'refused', 'cancelled', 'expired'] } },
]

/** 邀访记录: everybody who was invited, by whom, and how far the visit has come. */
export default function InvitationsPage() {
  const navigate = useNavigate()
  const projectCode = useChosenProject()
  const { actionsOf, dialog } = useInvitationActions()
  const [opened, setOpened] = useState<'add' | 'link'>()
  const { add, link } = menu.invitation.permissions
  const close = (): void => setOpened(undefined)
  return (
    <>
      <ListPage
        list={invitations.list}
        itemName="邀访"
        columns={invitationColumns}
        views={views}
        filters={invitations.filters}
        barFilters={['state', 'visitorKind', 'beginTime']}
        keywordPlaceholder="访客、被访人、单号"
        primaryAction={{ label: '登记邀访', needs: add, run: () => setOpened('add') }}
        toolbarActions={[{ label: '邀访链接', needs: link, run: () => setOpened('link') }]}
        rowActions={row => [
          ...actionsOf(row),
          { label: '详情', run: () => void navigate(`${paths.invitation}?id=${row.id}`) },
        ]}
        export={exportInvitations}
        drawer={{
          width: 880,
          title: row => `${row.invitationNo} ${row.visitorName}`,
          status: row => <InvitationStatus row={row} />,
          groups: invitationGroups,
          afterGroups: row => <InvitationContent invitation={row} />,
          historyEntity: 'invitation',
          openAsPage: row => void navigate(`${paths.invitation}?id=${row.id}`),
        }}
      />
      {dialog}
      {opened === 'add' && <AddDialog record={{ projectCode }} onClose={close} />}
      {opened === 'link' && <LinkDialog projectCode={projectCode} onClose={close} />}
    </>
  )
}
