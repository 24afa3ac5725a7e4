import { setImmediate as breathe } from 'node:timers/promises'
import type { ModuleContract } from '#kit/contract/module-contract.ts'
import type { InstalledModule, ServerModule } from '#kit/server/handler.ts'
import { modules } from '#modules/index.ts'

/**
 * All modules with their contract and their server. Nothing else runs while one is read, so they are read one
 * by one: in between a starting server answers and looks after its database.
 */
export async function loadInstalledModules(): Promise<InstalledModule[]> {
  const installed: InstalledModule[] = []
  for (const manifest of modules) {
    const { contract } = (await import(`#modules/${manifest.name}/contract/index.ts`)) as {
      contract: ModuleContract
    }
    const { server } = (await import(`#modules/${manifest.name}/server/index.ts`)) as {
      server: ServerModule
    }
    installed.push({ manifest, contract, server })
    await breathe()
  }
  return installed
}
