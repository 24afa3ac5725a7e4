import './dependents.ts'
import './personal-data.ts'
import './device-passages.ts'
import './refused-passages.ts'
import './resident-part.ts'
import './move-step.ts'
import { joinServers } from '#kit/server/crud.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { questionHandlers } from './asked-questions.ts'
import { blockServer } from './block.ts'
import { checkHandlers } from './check.ts'
import { checkTypeHandlers } from './check-type.ts'
import { turnCodes } from './code-hours.ts'
import { companyData } from './company-data.ts'
import { decisionHandlers } from './decisions.ts'
import { estateHandlers } from './estates.ts'
import { deletePastReadings } from './code-reading.ts'
import { expireInvitations } from './expiry.ts'
import { gatehouseHandlers } from './gatehouse.ts'
import { guestHandlers } from './guest-page.ts'
import { hostHandlers } from './host-page.ts'
import { invitationHandlers, invitationServer } from './invitation.ts'
import { locationServer } from './location.ts'
import { ruleHandlers, ruleServer } from './rule.ts'
import { settingHandlers } from './setting.ts'
import { templateServer } from './template.ts'
import { visitQueues } from './visit-queues.ts'
import { visitServer } from './visit.ts'
import { visitStatisticsHandlers } from './visit-statistics.ts'
import { workQueues } from './work-queues.ts'

const crons = [
  // VIS-2
  defineCron({ name: 'visitors-codes', schedule: '* * * * *', run: turnCodes }),
  defineCron({ name: 'visitors-expiry', schedule: '4 0 * * *', run: expireInvitations }),
  defineCron({ name: 'visitors-readings', schedule: '14 4 * * *', run: deletePastReadings }),
]

export const server = joinServers(
  ruleServer,
  locationServer,
  invitationServer,
  {
    companyData,
    crons,
    queues: [...workQueues, ...visitQueues],
    handlers: [
      ...checkTypeHandlers,
      ...settingHandlers,
      ...estateHandlers,
      ...ruleHandlers,
      ...invitationHandlers,
      ...questionHandlers,
      ...decisionHandlers,
      ...hostHandlers,
      ...guestHandlers,
    ],
  },
  blockServer,
  templateServer,
  visitServer,
  { handlers: [...checkHandlers, ...gatehouseHandlers, ...visitStatisticsHandlers] },
)
