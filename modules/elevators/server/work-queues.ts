import { listMenuCount, listQueue } from '#kit/server/list-queue.ts'
import { elevatorAlarms } from '../contract/alarm.ts'
import { elevators } from '../contract/elevator.ts'
import { menu, paths } from '../module.ts'

const openAlarms = {
  needs: menu.alarm.permissions.handle,
  list: elevatorAlarms.list,
  filter: { state: ['open', 'acknowledged'] as const },
  path: paths.alarms,
}

export const workQueues = [
  listQueue({
    ...openAlarms,
    key: 'elevators.trapped',
    title: '电梯困人报警',
    tone: 'bad',
    isEmergency: true,
    view: 'open',
    actionLabel: '处理',
    since: 'alarmTime',
  }),
  // ELV-1
  listQueue({
    key: 'elevators.inspection',
    title: '电梯即将年检',
    tone: 'hold',
    needs: menu.maintenance.permissions.add,
    list: elevators.list,
    filter: { inspectDue: true },
    path: paths.elevators,
    view: 'inspect',
    actionLabel: '安排年检',
  }),
  listQueue({
    key: 'elevators.maintenance',
    title: '电梯维保到期',
    tone: 'todo',
    needs: menu.maintenance.permissions.add,
    list: elevators.list,
    filter: { maintainDue: true },
    path: paths.elevators,
    view: 'maintain',
    actionLabel: '登记维保',
  }),
]

export const menuCounts = [listMenuCount({ ...openAlarms, isUrgent: true })]
