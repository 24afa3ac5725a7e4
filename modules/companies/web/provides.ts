import { send } from '#kit/web/send.ts'
import { waits } from '#kit/web/waits.ts'
import type { Provides } from '#kit/web/workbench.ts'
import { listWorkers } from '../contract/worker.ts'
import { menu } from '../module.ts'
import { places } from './places.ts'

const pending = { state: ['pending'] } as const

/** Workers who ask to be let in wait for somebody's word. */
export const provides: Provides = {
  queues: [
    waits({
      key: 'companies.workers',
      title: '企业员工待审核',
      tone: 'todo',
      needs: menu.worker.may.audit,
      list: listWorkers,
      filter: pending,
      path: places.workers,
      view: 'pending',
      verb: '去审核',
      since: w => w.createTime,
    }),
  ],
  counts: [
    {
      path: places.workers,
      needs: menu.worker.may.audit,
      entities: ['companyWorker'],
      load: async signal => ({
        n: (await send(listWorkers, { ...pending, page: 1, size: 1 }, { quiet: true, signal })).total,
        urgent: true,
      }),
    },
  ],
}
