import type { Call } from '#kit/contract/call.ts'
import { moduleNames } from './screens.ts'

// As one file: were each module's contract one of its own, screens would fetch its parts one by one.
const contractFiles = import.meta.glob<{ contract: { calls: readonly Call[] } }>(
  '../../modules/*/contract/index.ts',
  { eager: true },
)

/** The calls of all modules, in the order of the menu. */
export const allCalls: readonly Call[] = moduleNames.flatMap(
  m => contractFiles[`../../modules/${m}/contract/index.ts`]?.contract.calls ?? [],
)
