import type { Call } from '#kit/contract/call.ts'
import { palette } from '#kit/web/command-palette.ts'
import { registerExtensions, type Extensions } from '#kit/web/workbench.ts'
import { moduleNames } from './screens.tsx'

// All of them in one file, which the shell fetches after itself: they are small, and fetch what they show.
const extensionFiles = import.meta.glob<{ extensions: Extensions }>('../../modules/*/web/extensions.ts', {
  eager: true,
})

export function loadExtensions(): void {
  void import('./palette-groups.ts').then(m => palette.setGroups(m.paletteGroups))
  for (const { extensions } of Object.values(extensionFiles)) {
    registerExtensions(extensions)
  }
}

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
