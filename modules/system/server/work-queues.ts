import { runReadCall, type ReadContext } from '#kit/server/handler.ts'
import { listMenuCount } from '#kit/server/list-queue.ts'
import type { WorkQueue } from '#kit/server/work-queue.ts'
import { listSuggestions } from '../contract/suggestion.ts'
import { menu, paths } from '../module.ts'

const path = paths.suggestions

const countSuggestions = async (
  filter: { readonly isRead?: boolean; readonly replied?: boolean },
  context: ReadContext,
): Promise<number> => (await runReadCall(listSuggestions, { ...filter, page: 1, size: 1 }, context)).total

/** Suggestions that nobody has answered yet. */
const suggestionQueue: WorkQueue = {
  key: 'suggests',
  needs: menu.suggest.permissions.edit,
  entities: ['propertySuggest'],
  load: async context => {
    const waiting = await countSuggestions({ replied: false }, context)
    if (!waiting) return undefined
    const unread = await countSuggestions({ isRead: false }, context)
    return {
      title: '意见反馈待回复',
      tone: 'todo',
      count: waiting,
      actionLabel: '回复',
      path: `${path}?replied=0&view=open`,
      ...(unread ? { detail: `其中 ${unread} 条未读` } : {}),
    }
  },
}

export const workQueues = [suggestionQueue]

export const menuCounts = [
  listMenuCount({
    path,
    needs: menu.suggest.permissions.view,
    list: listSuggestions,
    filter: { isRead: false },
    isCompanyWide: true,
  }),
]
