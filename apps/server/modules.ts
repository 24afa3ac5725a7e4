import type { ModuleContract } from '#kit/contract/module-contract.ts'
import type { InstalledModule, ServerModule } from '#kit/server/handler.ts'
import { modules } from '#modules/index.ts'

/** All modules with their contract and their server. */
export const loadInstalledModules = (): Promise<InstalledModule[]> =>
  Promise.all(
    modules.map(async manifest => {
      const { contract } = (await import(`#modules/${manifest.name}/contract/index.ts`)) as {
        contract: ModuleContract
      }
      const { server } = (await import(`#modules/${manifest.name}/server/index.ts`)) as {
        server: ServerModule
      }
      return { manifest, contract, server }
    }),
  )
