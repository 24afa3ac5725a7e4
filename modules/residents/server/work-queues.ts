import { listQueue } from '#kit/server/list-queue.ts'
import { listCards, listFaces } from '../contract/card.ts'
import { listResidencies } from '../contract/residency.ts'
import { menu, paths } from '../module.ts'

/** Residents who ask to be let in wait for somebody's decision. */
export const workQueues = [
  listQueue({
    key: 'residents.pending',
    title: '入住待审核',
    tone: 'todo',
    needs: menu.link.permissions.audit,
    list: listResidencies,
    filter: { status: ['pending'] },
    path: paths.links,
    view: 'pending',
    actionLabel: '审核',
    since: 'createTime',
  }),
  // ACS-4
  listQueue({
    key: 'residents.cardsEnding',
    title: '门禁卡即将到期',
    tone: 'hold',
    needs: menu.card.permissions.edit,
    list: listCards,
    filter: { state: ['normal'], endsSoon: true },
    path: paths.cards,
    view: 'ending',
    actionLabel: '续期或注销',
  }),
  listQueue({
    key: 'residents.facesEnding',
    title: '人脸即将到期',
    tone: 'hold',
    needs: menu.card.permissions.edit,
    list: listFaces,
    filter: { endsSoon: true },
    path: paths.faces,
    view: 'ending',
    actionLabel: '续期或删除',
  }),
]
