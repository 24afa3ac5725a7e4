import type { Call } from '#kit/contract/call.ts'
import { take, type Provides } from '#kit/web/workbench.ts'
import { moduleNames } from './screens.tsx'

// What modules lend grows with their number: the shell fetches the list itself only when it wants something
// of it.
const lent = import.meta.glob<{ provides: Provides }>('../../modules/*/web/provides.ts')
let collected: Promise<void> | undefined

async function collect(): Promise<void> {
  for (const m of await Promise.allSettled(Object.values(lent).map(load => load()))) {
    if (m.status === 'fulfilled') {
      take(m.value.provides)
    }
  }
}

export const provide = (): Promise<void> => (collected ??= collect())

const contracts = import.meta.glob<{ contract: { calls: readonly Call[] } }>(
  '../../modules/*/contract/index.ts',
)

/** In the order of the menu. */
export const calls = async (): Promise<readonly Call[]> =>
  (
    await Promise.all(
      moduleNames.flatMap(m => contracts[`../../modules/${m}/contract/index.ts`] ?? []).map(load => load()),
    )
  ).flatMap(m => m.contract.calls)
