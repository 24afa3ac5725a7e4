import './moves.ts'
import type { ServerModule } from '#kit/server/handle.ts'
import { actionHandlers } from './actions.ts'
import { changeHandlers } from './change.ts'
import { explainHandlers } from './explain.ts'
import { billExport, unpaidExport } from './export.ts'
import { lateNightly } from './late-refresh.ts'
import { letterHandlers } from './letters.ts'
import { listHandlers } from './list.ts'
import { noticeHandlers, reminder, urgeJob, urgeSender } from './notice.ts'
import { redundantHandlers } from './redundant.ts'
import { reissueHandlers } from './reissue.ts'
import { searchHandlers, searchJobs } from './search-act.ts'
import { overHandlers, overJobs } from './search-run.ts'
import { splitHandlers } from './split.ts'
import { targetHandlers } from './target.ts'
import { urgeHandlers } from './urge.ts'

/** What clerks do with bills that are there: find, judge, change, demand. */
export const desk: Required<Pick<ServerModule, 'handlers' | 'jobs' | 'crons'>> = {
  handlers: [
    ...listHandlers,
    ...explainHandlers,
    ...targetHandlers,
    ...redundantHandlers,
    ...actionHandlers,
    ...searchHandlers,
    ...overHandlers,
    ...changeHandlers,
    ...splitHandlers,
    ...reissueHandlers,
    ...billExport.handlers,
    ...unpaidExport.handlers,
    ...urgeHandlers,
    ...noticeHandlers,
    ...letterHandlers,
  ],
  jobs: [billExport.job, unpaidExport.job, ...searchJobs, ...overJobs, urgeJob],
  crons: [lateNightly, urgeSender, reminder],
}
