import type { ModuleContract } from '#kit/contract/module-contract.ts'
import type { InstalledModule } from '../handler.ts'
import type { CompanyData } from './declaration.ts'
import type { CompanyDeclarations } from './export.ts'

interface DeclaringModule {
  readonly contract: ModuleContract
  readonly server: { readonly companyData?: CompanyData }
}

/** What the modules declare of a company's data. */
export const declarationsOf = (installed: readonly DeclaringModule[]): CompanyDeclarations => ({
  entities: installed.flatMap(m => m.contract.entities),
  modules: installed.flatMap(m => m.server.companyData ?? []),
})

let installedDeclarations: CompanyDeclarations = { entities: [], modules: [] }

/** What people call the tables and columns of the running product. */
export const companyDeclarations = (): CompanyDeclarations => installedDeclarations

export function registerDeclarations(installed: readonly DeclaringModule[]): void {
  installedDeclarations = declarationsOf(installed)
}

export interface InstalledProduct extends CompanyDeclarations {
  readonly product: string
  readonly productVersion: string
}

let installedProduct: InstalledProduct | undefined

/** The running product, for the exports that are begun in it. */
export function registerProduct(installed: readonly InstalledModule[], productVersion: string): void {
  installedProduct = { ...declarationsOf(installed), product: '安居', productVersion }
}

export function requireProduct(): InstalledProduct {
  if (!installedProduct) throw new Error('no product has been registered')
  return installedProduct
}
