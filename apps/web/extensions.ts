import type { Call } from '#kit/contract/call.ts'
import { registerExtensions, type Extensions } from '#kit/web/workbench.ts'
import { moduleNames } from './screens.tsx'

// The extensions of the modules grow with their number: the shell fetches them only when it needs one.
const extensionFiles = import.meta.glob<{ extensions: Extensions }>('../../modules/*/web/extensions.ts')
let loading: Promise<void> | undefined

async function registerAll(): Promise<void> {
  for (const m of await Promise.allSettled(Object.values(extensionFiles).map(load => load()))) {
    if (m.status === 'fulfilled') {
      registerExtensions(m.value.extensions)
    }
  }
}

export const loadExtensions = (): Promise<void> => (loading ??= registerAll())

const contractFiles = import.meta.glob<{ contract: { calls: readonly Call[] } }>(
  '../../modules/*/contract/index.ts',
)

/** In the order of the menu. */
export const loadCalls = async (): Promise<readonly Call[]> =>
  (
    await Promise.all(
      moduleNames
        .flatMap(m => contractFiles[`../../modules/${m}/contract/index.ts`] ?? [])
        .map(load => load()),
    )
  ).flatMap(m => m.contract.calls)
