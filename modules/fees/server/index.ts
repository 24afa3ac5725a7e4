import './builtin.ts'
import type { ServerModule } from '#kit/server/handle.ts'
import { importHandlers } from '#kit/server/import-job.ts'
import { renamed } from './guards.ts'
import { bindHandlers } from './bind.ts'
import { chargeHandlers } from './charge.ts'
import { formulaHandlers } from './formula.ts'
import { relationExport, relationImporter } from './import.ts'
import { itemHandlers } from './item.ts'
import { packageHandlers } from './package.ts'
import { priceHandlers } from './price.ts'
import { relationHandlers } from './relation.ts'
import { standardHandlers } from './standard.ts'
import { trialHandlers } from './trial.ts'

const relationImport = importHandlers(relationImporter)

export const server: ServerModule = {
  handlers: [
    ...itemHandlers,
    ...formulaHandlers,
    ...standardHandlers,
    ...priceHandlers,
    ...trialHandlers,
    ...relationHandlers,
    ...chargeHandlers,
    ...bindHandlers,
    ...packageHandlers,
    ...relationImport.handlers,
    ...relationExport.handlers,
  ],
  jobs: [relationImport.job, relationExport.job],
  crons: [renamed],
}
