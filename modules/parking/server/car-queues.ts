import { listQueue } from '#kit/server/list-queue.ts'
import { cars } from '../contract/car.ts'
import { carScreens, menu } from '../module.ts'

export const carQueues = [
  listQueue({
    key: 'parking.checkCars',
    title: '车辆待审核',
    tone: 'todo',
    needs: menu.car.permissions.audit,
    list: cars.list,
    filter: { carState: ['pending'] },
    path: carScreens.paths.list,
    view: 'pending',
    actionLabel: '审核',
    since: 'createTime',
  }),
]
