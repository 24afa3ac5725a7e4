import { listQueue } from '#kit/server/list-queue.ts'
import { listMeters } from '../contract/meter-calls.ts'
import { listReadings } from '../contract/reading.ts'
import { menu, paths } from '../module.ts'

/** Odd readings that keep their bills from being made (MTR-8), meters to be verified (MTR-18). */
export const workQueues = [
  listQueue({
    key: 'meters.doubt',
    title: '抄表异常待确认',
    tone: 'todo',
    needs: menu.reading.permissions.confirm,
    list: listReadings,
    filter: { doubtful: true },
    path: paths.records,
    view: 'doubt',
    actionLabel: '确认',
    detail: '确认后才能出账',
  }),
  listQueue({
    key: 'meters.verify',
    title: '仪表检定到期',
    tone: 'todo',
    needs: menu.meter.permissions.edit,
    list: listMeters,
    filter: { verifyDue: true },
    path: paths.meters,
    view: 'verify',
    actionLabel: '查看',
    detail: '近 30 天到期或已过期',
  }),
]
