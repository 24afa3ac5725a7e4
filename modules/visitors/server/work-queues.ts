import { listQueue } from '#kit/server/list-queue.ts'
import { listRequests } from '../contract/invitations.ts'
import { menu, paths } from '../module.ts'

export const workQueues = [
  listQueue({
    key: 'visitors.approve',
    title: '邀访待审核',
    tone: 'todo',
    needs: menu.invitation.permissions.audit,
    list: listRequests,
    filter: { stage: ['property'] },
    path: paths.approval,
    view: 'property',
    actionLabel: '审批',
    since: 'createTime',
  }),
]
