import type { ServerModule } from '#kit/server/handle.ts'
import { lastBillHandlers } from './run-last.ts'
import { nightly } from './run-nightly.ts'
import { generateJob, runHandlers } from './run.ts'
import { undoHandlers, undoJob } from './run-undo.ts'

export const server: ServerModule = {
  handlers: [...runHandlers, ...undoHandlers, ...lastBillHandlers],
  jobs: [generateJob, undoJob],
  crons: [nightly],
}
