import './guards.ts'
import type { ServerModule } from '#kit/server/handle.ts'
import { importHandlers } from '#kit/server/import-job.ts'
import { cron } from '#kit/server/jobs.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { applyDue } from './areas.ts'
import { boardHandlers } from './board.ts'
import { changeHandlers } from './change.ts'
import { roomExport, shopExport } from './export.ts'
import { roomImporter } from './import.ts'
import { listHandlers } from './list.ts'
import { nodeHandlers } from './node.ts'
import { panelHandlers } from './panel.ts'
import { roomHandlers } from './room.ts'

const roomImport = importHandlers(roomImporter)

/**
 * Areas that hold from today on; whatever asks for a day's areas reads the history and does not wait for this
 * (BASE-7).
 */
const dueAreas = cron({
  name: 'rooms-areas',
  at: '3 0 * * *',
  run: async world => {
    const n = await applyDue(world.store, dayOfMoment(fromInstant(world.clock())))
    if (n) {
      world.log.info({ figures: n }, 'areas hold from today')
    }
  },
})

export const server: ServerModule = {
  handlers: [
    ...listHandlers,
    ...roomHandlers,
    ...changeHandlers,
    ...boardHandlers,
    ...panelHandlers,
    ...nodeHandlers,
    ...roomImport.handlers,
    ...roomExport.handlers,
    ...shopExport.handlers,
  ],
  jobs: [roomImport.job, roomExport.job, shopExport.job],
  crons: [dueAreas],
}
