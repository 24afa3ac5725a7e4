import { listQueue } from '#kit/server/list-queue.ts'
import { listResidencies } from '../contract/residency.ts'
import { menu, paths } from '../module.ts'

/** Residents who ask to be let in wait for somebody's decision. */
export const workQueues = [
  listQueue({
    key: 'residents.pending',
    title: '入住待审核',
    tone: 'todo',
    needs: menu.link.permissions.audit,
    list: listResidencies,
    filter: { status: ['pending'] },
    path: paths.links,
    view: 'pending',
    actionLabel: '审核',
    since: residency => residency.createTime,
  }),
]
