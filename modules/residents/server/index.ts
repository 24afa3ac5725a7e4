import './personal-data.ts'
import './fingerprint-panel.ts'
import './biometric-personal-data.ts'
import './fingerprint-merge.ts'
import './fingerprint-move-step.ts'
import './project-removal.ts'
import './room-import-people.ts'
import './dependents.ts'
import './people-move-step.ts'
import './resident-move-steps.ts'
import type { ServerModule } from '#kit/server/handler.ts'
import { importHandlers } from '#kit/server/sheet-import.ts'
import { blockHandlers } from './resident-block.ts'
import { faceHandlers } from './face-key.ts'
import { fingerprintHandlers } from './fingerprint.ts'
import { cardExpiryCron } from './card-expiry.ts'
import { cardImporter } from './card-import.ts'
import { cardHandlers } from './identity-card.ts'
import { residentExport } from './resident-export.ts'
import { residentImporter } from './resident-import.ts'
import { listHandlers } from './resident-list.ts'
import { mergeHandlers } from './resident-merge.ts'
import { moveHandlers } from './move.ts'
import { panelHandlers } from './resident-panel.ts'
import { residencyAuditHandlers } from './residency-audit.ts'
import { residencyListHandlers } from './residency-list.ts'
import { residencyHandlers } from './residency.ts'
import { residentHandlers } from './resident.ts'
import { statisticsHandlers } from './resident-statistics.ts'
import { wechatHandlers } from './resident-wechat.ts'
import { workQueues } from './work-queues.ts'
import { companyData } from './company-data.ts'

const residentImport = importHandlers(residentImporter)
const cardImport = importHandlers(cardImporter)

export const server: ServerModule = {
  companyData,
  queues: workQueues,
  handlers: [
    ...listHandlers,
    ...residentHandlers,
    ...mergeHandlers,
    ...residencyListHandlers,
    ...residencyHandlers,
    ...residencyAuditHandlers,
    ...moveHandlers,
    ...blockHandlers,
    ...cardHandlers,
    ...faceHandlers,
    ...fingerprintHandlers,
    ...statisticsHandlers,
    ...panelHandlers,
    ...wechatHandlers,
    ...residentImport.handlers,
    ...cardImport.handlers,
    ...residentExport.handlers,
  ],
  jobs: [residentImport.job, cardImport.job, residentExport.job],
  crons: [cardExpiryCron],
}
