import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { relativeText } from '#kit/web/date-format.ts'
import { send } from '#kit/web/send.ts'
import { isTone } from '#kit/web/workbench.ts'
import type { Host, MenuCounts, Waiting } from '#kit/web/shell/host.ts'
import { getMenuCounts, getWorkQueues } from '#modules/system/contract/work-queue.ts'

async function loadWaiting(signal: AbortSignal): Promise<Waiting> {
  const { queues, failed, entities } = await send(getWorkQueues, undefined, { quiet: true, signal })
  return {
    failed,
    entities,
    items: queues.map(({ since, sumLabel, sum, detail, tone, ...work }) => ({
      ...work,
      tone: isTone(tone) ? tone : 'todo',
      hasAmount: sum !== undefined,
      oldestText: since && `最早 ${relativeText(since)}`,
      detail: sum === undefined ? detail : `${sumLabel ?? '合计'} ${displayYuanWithSymbol(sum)}`,
    })),
  }
}

async function loadMenuCounts(signal: AbortSignal): Promise<MenuCounts> {
  const { counts, entities } = await send(getMenuCounts, undefined, { quiet: true, signal })
  return { entities, byPath: new Map(counts.map(each => [each.path.toLowerCase(), each])) }
}

/** What waits for this person, given to the shell. */
export const waiting: Pick<Host, 'waiting' | 'menuCounts'> = {
  waiting: loadWaiting,
  menuCounts: loadMenuCounts,
}
