import { everyone } from '#kit/contract/call.ts'
import { listQueue } from '#kit/server/list-queue.ts'
import { listOwnInstances } from '../contract/instance.ts'
import { paths } from '../module.ts'

export const workQueues = [
  listQueue({
    key: 'approvals.own',
    title: '待我审批',
    tone: 'todo',
    needs: everyone,
    list: listOwnInstances,
    filter: { view: 'waiting' },
    path: paths.own,
    view: 'waiting',
    actionLabel: '审批',
    isCompanyWide: true,
    since: 'applyTime',
  }),
  listQueue({
    key: 'approvals.returned',
    title: '我的申请被退回',
    tone: 'bad',
    needs: everyone,
    list: listOwnInstances,
    filter: { view: 'returned' },
    path: paths.own,
    view: 'returned',
    actionLabel: '处理',
    isCompanyWide: true,
    since: 'applyTime',
  }),
]
