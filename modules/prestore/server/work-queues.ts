import { listQueue } from '#kit/server/list-queue.ts'
import { listTransfers } from '../contract/transfer.ts'
import { menu, paths } from '../module.ts'

export const workQueues = [
  listQueue({
    key: 'prestore.transfers',
    title: '预存转账待审核',
    tone: 'todo',
    needs: menu.account.permissions.audit,
    list: listTransfers,
    filter: { state: ['pending'] },
    path: paths.transfers,
    view: 'pending',
    actionLabel: '审核',
    since: 'createTime',
    sum: { label: '合计', key: 'amount' },
  }),
]
