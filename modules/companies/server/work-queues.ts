import { listMenuCount, listQueue } from '#kit/server/list-queue.ts'
import { companyWorkers } from '../contract/company-worker.ts'
import { menu, paths } from '../module.ts'

/** Workers who ask to be let in wait for somebody's decision. */
const pendingWorkers = {
  needs: menu.worker.permissions.audit,
  list: companyWorkers.list,
  filter: { state: ['pending'] },
  path: paths.workers,
} as const

export const workQueues = [
  listQueue({
    ...pendingWorkers,
    key: 'companies.workers',
    title: '企业员工待审核',
    tone: 'todo',
    view: 'pending',
    actionLabel: '审核',
    since: 'createTime',
  }),
]

export const menuCounts = [listMenuCount({ ...pendingWorkers, isUrgent: true })]
