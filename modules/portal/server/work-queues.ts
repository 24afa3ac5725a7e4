import { everyone } from '#kit/contract/call.ts'
import { listMenuCount, listQueue } from '#kit/server/list-queue.ts'
import { listOwnNotices } from '../contract/notice.ts'
import { paths } from '../module.ts'

const waiting = {
  needs: everyone,
  list: listOwnNotices,
  filter: { waiting: true },
  path: paths.home,
  isCompanyWide: true,
} as const

export const workQueues = [
  listQueue({
    ...waiting,
    key: 'portal.notices',
    title: '内部公告待阅',
    tone: 'todo',
    actionLabel: '阅读',
    since: 'publishTime',
  }),
]

export const menuCounts = [listMenuCount(waiting)]
