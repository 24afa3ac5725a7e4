import { listMenuCount, listQueue } from '#kit/server/list-queue.ts'
import { listFollowUps } from '../contract/follow-up.ts'
import { listBills } from '../contract/list.ts'
import { listNotices } from '../contract/reminder.ts'
import { menu, paths } from '../module.ts'

export const workQueues = [
  listQueue({
    key: 'bills.pending',
    title: '账单待审核',
    tone: 'todo',
    needs: menu.bill.permissions.audit,
    list: listBills,
    filter: { state: ['pending'] },
    path: paths.bills,
    view: 'pending',
    actionLabel: '审核',
    since: 'createTime',
    sum: { label: '合计', key: 'receivable' },
  }),
  listQueue({
    key: 'bills.followUps',
    title: '账单与变更不符',
    tone: 'todo',
    needs: menu.bill.permissions.payer,
    list: listFollowUps,
    filter: { state: ['open'] },
    path: paths.followUps,
    actionLabel: '处理',
    since: 'createTime',
  }),
]

export const menuCounts = [
  listMenuCount({
    path: paths.notices,
    needs: menu.notice.permissions.view,
    list: listNotices,
    filter: { state: ['failed'] },
    isUrgent: true,
  }),
]
