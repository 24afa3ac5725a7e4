import './open-work.ts'
import './personal-data.ts'
import './project-removal.ts'
import { joinServers } from '#kit/server/crud.ts'
import type { ServerModule } from '#kit/server/handler.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { companyData } from './company-data.ts'
import { decisionHandlers } from './decisions.ts'
import { delegateHandlers } from './delegate.ts'
import { detailHandlers } from './detail.ts'
import { instanceServer, ownInstanceHandlers } from './instances.ts'
import { setRunningApp } from './kinds.ts'
import { processHandlers, processServer } from './process.ts'
import { requesterHandlers } from './requester.ts'
import { signatureHandlers } from './signature.ts'
import { sweepTimeouts } from './timeouts.ts'
import { workQueues } from './work-queues.ts'

const parts = joinServers(processServer, instanceServer, {
  companyData,
  handlers: [
    ...processHandlers,
    ...ownInstanceHandlers,
    ...detailHandlers,
    ...requesterHandlers,
    ...decisionHandlers,
    ...delegateHandlers,
    ...signatureHandlers,
  ],
  queues: workQueues,
  crons: [defineCron({ name: 'approval-timeouts', schedule: '* * * * *', run: sweepTimeouts })],
})

export const server: ServerModule = { ...parts, onStart: setRunningApp }
