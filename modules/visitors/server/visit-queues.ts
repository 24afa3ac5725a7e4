import { listQueue } from '#kit/server/list-queue.ts'
import { listVisits } from '../contract/visit.ts'
import { menu, paths } from '../module.ts'

/** VIS-5: who should have left. */
export const visitQueues = [
  listQueue({
    key: 'visitors.overdue',
    title: '访客超时未离',
    tone: 'bad',
    needs: menu.visit.permissions.check,
    list: listVisits,
    filter: { isOverdue: true },
    path: paths.visits,
    view: 'overdue',
    actionLabel: '联系或登记离开',
    since: 'endTime',
  }),
]
