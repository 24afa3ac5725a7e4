import type { Contract, Installed, ServerModule } from '#kit/server/handle.ts'
import { modules } from '#modules/index.ts'

/** All modules with their contract and their server. */
export const installed = (): Promise<Installed[]> =>
  Promise.all(
    modules.map(async plate => {
      const { contract } = (await import(`#modules/${plate.name}/contract/index.ts`)) as {
        contract: Contract
      }
      const { server } = (await import(`#modules/${plate.name}/server/index.ts`)) as { server: ServerModule }
      return { plate, contract, server }
    }),
  )
