import './personal-data.ts'
import './dependents.ts'
import type { ServerModule } from '#kit/server/handler.ts'
import { importHandlers } from '#kit/server/sheet-import.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { applyDueAreaChanges } from './room-areas.ts'
import { effectiveDateHandlers } from './effective-date-limit.ts'
import { boardHandlers } from './room-board.ts'
import { roomChangeHandlers } from './room-change.ts'
import { roomExport, shopExport } from './room-export.ts'
import { roomImporter } from './room-import.ts'
import { listHandlers } from './room-list.ts'
import { positionNodeHandlers } from './position-nodes.ts'
import { panelHandlers } from './room-panel.ts'
import { roomHandlers } from './room.ts'

const roomImport = importHandlers(roomImporter)

/**
 * Areas that hold from today on; whatever asks for a day's areas reads the history and does not wait for this
 * (BASE-7).
 */
const areaChangeCron = defineCron({
  name: 'rooms-areas',
  schedule: '3 0 * * *',
  run: async app => {
    const time = app.clock()
    const applied = await applyDueAreaChanges(app.database, new Date(time), dayOfMoment(fromInstant(time)))
    if (applied) {
      app.log.info({ figures: applied }, 'areas hold from today')
    }
  },
})

export const server: ServerModule = {
  handlers: [
    ...listHandlers,
    ...roomHandlers,
    ...roomChangeHandlers,
    ...effectiveDateHandlers,
    ...boardHandlers,
    ...panelHandlers,
    ...positionNodeHandlers,
    ...roomImport.handlers,
    ...roomExport.handlers,
    ...shopExport.handlers,
  ],
  jobs: [roomImport.job, roomExport.job, shopExport.job],
  crons: [areaChangeCron],
}
