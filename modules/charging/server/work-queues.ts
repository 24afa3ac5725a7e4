import { listMenuCount, listQueue } from '#kit/server/list-queue.ts'
import { hubExceptions } from '../contract/exception.ts'
import { menu, paths } from '../module.ts'

const openExceptions = {
  needs: menu.exception.permissions.handle,
  list: hubExceptions.list,
  filter: { state: ['open'] as const },
  path: paths.exceptions,
}

export const workQueues = [
  listQueue({
    ...openExceptions,
    key: 'charging.exceptions',
    title: '充电异常',
    tone: 'bad',
    view: 'open',
    actionLabel: '处理',
    since: 'occurTime',
  }),
]

export const menuCounts = [listMenuCount(openExceptions)]
