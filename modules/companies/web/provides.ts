import { listLink } from '#kit/web/list/query.ts'
import { send } from '#kit/web/send.ts'
import type { Provides } from '#kit/web/workbench.ts'
import { listWorkers } from '../contract/worker.ts'
import { menu } from '../module.ts'
import { places } from './places.ts'

const waiting = async (signal: AbortSignal): Promise<number> => (await send(listWorkers, { state: ['pending'], page: 1, size: 1 }, { quiet: true, signal })).total
const path = listLink(places.workers, listWorkers, { state: ['pending'] }, { view: 'pending' })
/** Workers who ask to be let in wait for somebody's word. */
export const provides: Provides = {
  queues: [{ key: 'companies.workers', needs: menu.worker.may.audit, entities: ['companyWorker'], load: async signal => { const n = await waiting(signal); return n ? [{ key: 'companies.workers', title: '企业员工待审核', tone: 'todo', count: n, verb: '去审核', path }] : [] } }],
  counts: [{ path: places.workers, needs: menu.worker.may.audit, entities: ['companyWorker'], load: async signal => ({ n: await waiting(signal), urgent: true }) }],
}
