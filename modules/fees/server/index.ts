import './personal-data.ts'
import './project-removal.ts'
import './built-in-formulas.ts'
import type { ServerModule } from '#kit/server/handler.ts'
import { importHandlers } from '#kit/server/sheet-import.ts'
import { refreshNamesCron } from './registrations.ts'
import { bindHandlers } from './binding.ts'
import { relationStateHandlers } from './relation-state.ts'
import { formulaHandlers } from './formula.ts'
import { relationExport, relationImporter } from './import.ts'
import { itemHandlers } from './item.ts'
import { packageHandlers } from './package.ts'
import { priceHandlers } from './price.ts'
import { relationHandlers } from './relation.ts'
import { standardHandlers } from './standard.ts'
import { trialHandlers } from './trial.ts'
import { companyData } from './company-data.ts'

const relationImport = importHandlers(relationImporter)

export const server: ServerModule = {
  companyData,
  handlers: [
    ...itemHandlers,
    ...formulaHandlers,
    ...standardHandlers,
    ...priceHandlers,
    ...trialHandlers,
    ...relationHandlers,
    ...relationStateHandlers,
    ...bindHandlers,
    ...packageHandlers,
    ...relationImport.handlers,
    ...relationExport.handlers,
  ],
  jobs: [relationImport.job, relationExport.job],
  crons: [refreshNamesCron],
}
