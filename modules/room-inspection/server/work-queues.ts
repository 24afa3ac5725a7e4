import { listQueue } from '#kit/server/list-queue.ts'
import { roomInspections } from '../contract/inspection.ts'
import { menu, paths } from '../module.ts'

export const workQueues = [
  listQueue({
    key: 'room-inspection.recheck',
    title: '验房待复查',
    tone: 'todo',
    needs: menu.sheet.permissions.inspect,
    list: roomInspections.list,
    filter: { state: ['rectified'] },
    path: paths.sheets,
    view: 'rectified',
    actionLabel: '复查',
  }),
]
