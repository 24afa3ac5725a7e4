import type { InstalledModule } from '../handler.ts'
import type { CompanyDeclarations } from './export.ts'

/** What the modules declare of a company's data. */
export const declarationsOf = (installed: readonly InstalledModule[]): CompanyDeclarations => ({
  entities: installed.flatMap(m => m.contract.entities),
  modules: installed.flatMap(m => m.server.companyData ?? []),
})
