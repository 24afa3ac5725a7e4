import './personal-data.ts'
import './dependents.ts'
import './work-kind.ts'
import { joinServers } from '#kit/server/crud.ts'
import { areaServer } from './area.ts'
import { companyData } from './company-data.ts'
import { deviceServer } from './device.ts'
import { drawingHandlers } from './drawing.ts'
import { planHandlers, planServer } from './plan.ts'
import { labelHandlers } from './point-labels.ts'
import { pointHandlers, pointServer } from './point.ts'
import { rateHandlers } from './rates.ts'
import { roadHandlers, roadServer } from './road.ts'
import { roundHandlers } from './round.ts'
import { taskServer } from './task.ts'
import { templateServer } from './template.ts'
import { workQueues } from './work-queues.ts'

export const server = joinServers(
  areaServer,
  templateServer,
  pointServer,
  deviceServer,
  roadServer,
  planServer,
  taskServer,
  {
    companyData,
    queues: workQueues,
    handlers: [
      ...pointHandlers,
      ...labelHandlers,
      ...drawingHandlers,
      ...roadHandlers,
      ...planHandlers,
      ...roundHandlers,
      ...rateHandlers,
    ],
  },
)
