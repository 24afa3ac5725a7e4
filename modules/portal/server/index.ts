import { joinServers } from '#kit/server/crud.ts'
import { entryServer } from './entry.ts'
import { noticeServer } from './notice.ts'
import './personal-data.ts'
import { receiptHandlers } from './receipts.ts'
import { menuCounts, workQueues } from './work-queues.ts'

export const server = joinServers(entryServer, noticeServer, {
  handlers: receiptHandlers,
  queues: workQueues,
  menuCounts,
})
