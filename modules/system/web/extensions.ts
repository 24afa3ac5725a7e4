import { send } from '#kit/web/send.ts'
import type { Extensions } from '#kit/web/workbench.ts'
import { listSuggestions } from '../contract/suggestion.ts'
import { menu } from '../module.ts'

const suggestionsPath = '/quality/serviceManage/feedbacklist'

const countSuggestions = async (
  filter: { readonly isRead?: boolean; readonly replied?: boolean },
  signal: AbortSignal,
): Promise<number> =>
  (await send(listSuggestions, { ...filter, page: 1, size: 1 }, { quiet: true, project: 0, signal })).total

/** Suggestions that nobody has looked at, or not answered yet. */
export const extensions: Extensions = {
  counts: [
    {
      path: suggestionsPath,
      needs: menu.suggest.permissions.view,
      load: async signal => ({ n: await countSuggestions({ isRead: false }, signal) }),
    },
  ],
  queues: [
    {
      key: 'suggests',
      needs: menu.suggest.permissions.edit,
      load: async signal => {
        const [fresh, waiting] = await Promise.all([
          countSuggestions({ isRead: false }, signal),
          countSuggestions({ replied: false }, signal),
        ])
        return waiting
          ? [
              {
                key: 'suggests',
                title: '意见反馈待回复',
                tone: 'todo',
                count: waiting,
                actionLabel: '回复',
                path: suggestionsPath,
                ...(fresh ? { detail: `其中 ${fresh} 条未读` } : {}),
              },
            ]
          : []
      },
    },
  ],
}
