import type { ServerModule } from '#kit/server/handle.ts'
import { actionHandlers } from './actions.ts'
import { changeHandlers } from './change.ts'
import { explainHandlers } from './explain.ts'
import { billExport, unpaidExport } from './export.ts'
import { listHandlers } from './list.ts'
import { redundantHandlers } from './redundant.ts'
import { searchHandlers, searchJobs } from './search-act.ts'
import { splitHandlers } from './split.ts'
import { targetHandlers } from './target.ts'

/** What clerks do with bills that are there: find, judge, change, demand. */
export const desk: Required<Pick<ServerModule, 'handlers' | 'jobs' | 'crons'>> = {
  handlers: [...listHandlers, ...explainHandlers, ...targetHandlers, ...redundantHandlers, ...actionHandlers, ...searchHandlers, ...changeHandlers, ...splitHandlers, ...billExport.handlers, ...unpaidExport.handlers],
  jobs: [billExport.job, unpaidExport.job, ...searchJobs],
  crons: [],
}
