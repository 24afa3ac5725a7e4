import { labelOf } from '#kit/contract/field.ts'
import type { Finder, Hit } from '#kit/web/palette.ts'
import { send } from '#kit/web/send.ts'
import { session } from '#kit/web/session.ts'
import type { Provides } from '#kit/web/workbench.ts'
import { listRooms, type ListedRoom } from '../contract/room.ts'
import { roomState } from '../contract/words.ts'
import { menu } from '../module.ts'
import { kinds } from './kinds.ts'

const shown = 5

const asHit = (r: ListedRoom, here: string | undefined): Hit => {
  const k = kinds[r.roomType === 'shop' ? 'shop' : 'room']
  const elsewhere = here !== undefined && r.projectCode !== here
  return {
    key: String(r.id),
    title: r.path ?? r.roomNo ?? '',
    note: [r.brand, elsewhere ? r.estateName : undefined, r.mainOwnerName].filter(Boolean).join(' · '),
    aside: r.roomState ? labelOf(roomState, r.roomState) : undefined,
    elsewhere,
    path: `${k.see}?id=${r.id}`,
    verbs: [
      { label: '看房间', path: `${k.see}?id=${r.id}`, letter: 'R' },
      { label: '编辑', path: `${k.edit}?id=${r.id}`, needs: menu.room.may.edit, letter: 'E' },
    ],
  }
}

/**
 * Rooms by number or path (`1502`, `3-2-1502`, `321502`), shops also by their sign; first those of the chosen
 * project.
 */
const rooms: Finder = {
  group: 'room',
  needs: menu.room.may.view,
  search: async (keyword, signal) => {
    const { project, signed } = session.getState()
    const code = project?.code ?? signed?.nearestProjectCode
    const here = code && code !== '0' ? code : undefined
    const ask = async (of: string | 0, size: number): Promise<readonly ListedRoom[]> =>
      (await send(listRooms, { keyword, page: 1, size }, { quiet: true, signal, project: of })).rows
    const [mine, all] = await Promise.all([here ? ask(here, shown) : [], ask(0, shown * 2)])
    return [...mine, ...all.filter(r => r.projectCode !== here)].slice(0, shown * 2).map(r => asHit(r, here))
  },
}

export const provides: Provides = { finders: [rooms] }
