import { send } from '#kit/web/send.ts'
import { createListQueue } from '#kit/web/list-queue.ts'
import type { Extensions } from '#kit/web/workbench.ts'
import { listWorkers } from '../contract/company-worker.ts'
import { menu, paths } from '../module.ts'

const pendingFilter = { state: ['pending'] } as const

/** Workers who ask to be let in wait for somebody's word. */
export const extensions: Extensions = {
  queues: [
    createListQueue({
      key: 'companies.workers',
      title: '企业员工待审核',
      tone: 'todo',
      needs: menu.worker.permissions.audit,
      list: listWorkers,
      filter: pendingFilter,
      path: paths.workers,
      view: 'pending',
      actionLabel: '去审核',
      waitingSince: w => w.createTime,
    }),
  ],
  counts: [
    {
      path: paths.workers,
      needs: menu.worker.permissions.audit,
      entities: ['companyWorker'],
      load: async signal => ({
        n: (await send(listWorkers, { ...pendingFilter, page: 1, size: 1 }, { quiet: true, signal })).total,
        urgent: true,
      }),
    },
  ],
}
