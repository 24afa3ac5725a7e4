import './arrears.ts'
import './debt-panels.ts'
import type { ServerModule } from '#kit/server/handler.ts'
import { actionHandlers } from './actions.ts'
import { billApprovalHandlers } from './bill-approvals.ts'
import { explainHandlers } from './bill-detail.ts'
import { billExport, unpaidExport } from './export.ts'
import { lateFeeCron } from './late-fee-refresh.ts'
import { demandLetterHandlers } from './demand-letters.ts'
import { listHandlers } from './list.ts'
import { noticeHandlers } from './notice.ts'
import { redundantHandlers } from './redundant.ts'
import { reissueHandlers } from './reissue.ts'
import { filterActionHandlers, filterActionJobs } from './filter-actions.ts'
import { filterBatchHandlers, filterBatchJobs } from './filter-batches.ts'
import { splitHandlers } from './split.ts'
import { feeTargetHandlers } from './fee-target.ts'
import { reminderHandlers } from './reminder.ts'
import { adjustmentHandlers } from './adjustment-handlers.ts'
import { sendNoticesJob, sendNoticesCron } from './notice-sending.ts'
import { dailyReminderCron } from './daily-reminders.ts'
import { billHistoryHandlers } from './bill-history.ts'

/** What people do with existing bills: find, explain, change, remind. */
export const billHandlers: Required<Pick<ServerModule, 'handlers' | 'jobs' | 'crons'>> = {
  handlers: [
    ...listHandlers,
    ...explainHandlers,
    ...billHistoryHandlers,
    ...feeTargetHandlers,
    ...redundantHandlers,
    ...actionHandlers,
    ...filterActionHandlers,
    ...filterBatchHandlers,
    ...adjustmentHandlers,
    ...billApprovalHandlers,
    ...splitHandlers,
    ...reissueHandlers,
    ...billExport.handlers,
    ...unpaidExport.handlers,
    ...reminderHandlers,
    ...noticeHandlers,
    ...demandLetterHandlers,
  ],
  jobs: [billExport.job, unpaidExport.job, ...filterActionJobs, ...filterBatchJobs, sendNoticesJob],
  crons: [lateFeeCron, sendNoticesCron, dailyReminderCron],
}
