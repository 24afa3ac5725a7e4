import { listQueue } from '#kit/server/list-queue.ts'
import { againQueue, ownTasksQueue } from '#modules/planned-work/server/public.ts'
import { listPatrolTasks } from '../contract/task.ts'
import { menu, paths } from '../module.ts'

const { permissions } = menu.task

export const workQueues = [
  againQueue({
    key: 'patrol.missed',
    title: '巡更漏检待重派',
    tone: 'bad',
    needs: permissions.reassign,
    list: listPatrolTasks,
    filter: { awaitsAgain: true },
    path: paths.tasks,
    view: 'again',
    actionLabel: '重新指派',
    since: 'endTime',
  }),
  listQueue({
    key: 'patrol.nobody',
    title: '巡更无人可派',
    tone: 'todo',
    needs: menu.plan.permissions.edit,
    list: listPatrolTasks,
    filter: { withoutStaff: true, state: ['waiting'] },
    path: paths.tasks,
    view: 'nobody',
    actionLabel: '安排人员',
    since: 'beginTime',
  }),
  ownTasksQueue('patrol', { noun: '巡更', execute: permissions.walk, path: paths.walk }),
]
