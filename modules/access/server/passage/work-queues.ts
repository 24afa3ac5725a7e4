import { listQueue } from '#kit/server/list-queue.ts'
import { listDoorwayAlarms } from '../../contract/doorway-alarm.ts'
import { menu, paths } from '../../module.ts'

/** A forced door waits for somebody to look. */
export const passageQueues = [
  listQueue({
    key: 'access.alarms',
    title: '门禁报警',
    tone: 'bad',
    needs: menu.passage.permissions.alarm,
    list: listDoorwayAlarms,
    filter: { state: ['open'] },
    path: paths.alarms,
    actionLabel: '处理',
    since: 'openTime',
  }),
]
