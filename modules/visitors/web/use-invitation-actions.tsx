import { useState, type ReactNode } from 'react'
import type { Actions } from '#kit/web/action.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { confirmAndSend } from '#kit/web/record-actions.ts'
import { send } from '#kit/web/send.ts'
import type { Invitation } from '../contract/invitation.ts'
import { cancelInvitation, getInvitation, type InvitationDetail } from '../contract/invitations.ts'
import { canDo, hasFurtherVisits } from '../domain/states.ts'
import { menu } from '../module.ts'

const AllowDialog = lazyComponent(() => import('./invitation-dialogs.tsx').then(m => m.AllowDialog))
const RefuseDialog = lazyComponent(() => import('./invitation-dialogs.tsx').then(m => m.RefuseDialog))
const ExtendDialog = lazyComponent(() => import('./invitation-dialogs.tsx').then(m => m.ExtendDialog))
const EditDialog = lazyComponent(() => import('./invitation-dialogs.tsx').then(m => m.EditDialog))

const dialogs = { allow: AllowDialog, refuse: RefuseDialog, extend: ExtendDialog }

interface OpenDialog {
  readonly name: keyof typeof dialogs
  readonly row: Invitation
}

const confirmCancel = (row: Invitation): Promise<boolean> =>
  confirmAndSend(cancelInvitation, {
    actionLabel: '取消邀访',
    unit: `个邀访：${row.invitationNo}（${row.visitorName}）`,
    consequences: ['邀请码立即失效；取消后不能恢复'],
    reason: { presets: ['行程取消', '登记有误'] },
    input: { id: row.id },
  })

/** What staff do with an invitation, with the dialogs that it opens. */
export function useInvitationActions(): {
  readonly actionsOf: (row: Invitation) => Actions
  readonly dialog: ReactNode
} {
  const [opened, setOpened] = useState<OpenDialog>()
  const [edited, setEdited] = useState<InvitationDetail>()
  const { audit, edit } = menu.invitation.permissions
  const Dialog = opened && dialogs[opened.name]
  const actionsOf = (row: Invitation): Actions => {
    const open = (name: OpenDialog['name']) => () => setOpened({ name, row })
    return [
      canDo('decide', row.state) && {
        label: row.stage === 'host' ? '代为确认' : '通过',
        needs: audit,
        run: open('allow'),
      },
      canDo('decide', row.state) && { label: '驳回', needs: audit, danger: true, run: open('refuse') },
      canDo('edit', row.state) && {
        label: '修改',
        needs: edit,
        run: async () => setEdited(await send(getInvitation, { id: row.id })),
      },
      (canDo('extend', row.state) || hasFurtherVisits(row)) && {
        label: '延长',
        needs: edit,
        run: open('extend'),
      },
      (canDo('cancel', row.state) || hasFurtherVisits(row)) && {
        label: '取消邀访',
        needs: edit,
        danger: true,
        run: () => confirmCancel(row),
      },
    ]
  }
  return {
    actionsOf,
    dialog: (
      <>
        {Dialog && <Dialog record={opened.row} onClose={() => setOpened(undefined)} />}
        {edited && <EditDialog record={edited} onClose={() => setEdited(undefined)} />}
      </>
    ),
  }
}
