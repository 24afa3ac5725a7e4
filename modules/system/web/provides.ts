import { send } from '#kit/web/send.ts'
import type { Provides } from '#kit/web/workbench.ts'
import { listSuggests } from '../contract/suggest.ts'
import { menu } from '../module.ts'

const path = '/quality/serviceManage/feedbacklist'

const open = async (
  filter: { readonly isRead?: boolean; readonly replied?: boolean },
  signal: AbortSignal,
): Promise<number> =>
  (await send(listSuggests, { ...filter, page: 1, size: 1 }, { quiet: true, project: 0, signal })).total

/** Suggestions that nobody has looked at, or not answered yet. */
export const provides: Provides = {
  counts: [
    {
      path,
      needs: menu.suggest.may.view,
      load: async signal => ({ n: await open({ isRead: false }, signal) }),
    },
  ],
  queues: [
    {
      key: 'suggests',
      needs: menu.suggest.may.edit,
      load: async signal => {
        const [fresh, waiting] = await Promise.all([
          open({ isRead: false }, signal),
          open({ replied: false }, signal),
        ])
        return waiting
          ? [
              {
                key: 'suggests',
                title: '意见反馈待回复',
                tone: 'todo',
                count: waiting,
                verb: '回复',
                path,
                ...(fresh ? { detail: `其中 ${fresh} 条未读` } : {}),
              },
            ]
          : []
      },
    },
  ],
}
