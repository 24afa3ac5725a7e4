import { labelOf } from '#kit/contract/field.ts'
import type { Finder, Hit } from '#kit/web/command-palette.ts'
import { send } from '#kit/web/send.ts'
import { session } from '#kit/web/session.ts'
import type { Extensions } from '#kit/web/workbench.ts'
import { listRooms, type ListedRoom } from '../contract/room.ts'
import { roomState } from '../contract/labels.ts'
import { menu } from '../module.ts'
import { roomKinds } from './room-kinds.ts'

const maxHits = 5

const toHit = (r: ListedRoom, here: string | undefined): Hit => {
  const k = roomKinds[r.roomType === 'shop' ? 'shop' : 'room']
  const elsewhere = here !== undefined && r.projectCode !== here
  return {
    key: String(r.id),
    title: r.path ?? r.roomNo ?? '',
    note: [r.brand, elsewhere ? r.estateName : undefined, r.mainOwnerName].filter(Boolean).join(' · '),
    trailing: r.roomState ? labelOf(roomState, r.roomState) : undefined,
    isOtherProject: elsewhere,
    path: `${k.see}?id=${r.id}`,
    actions: [
      { label: '看房间', path: `${k.see}?id=${r.id}`, letter: 'R' },
      { label: '编辑', path: `${k.edit}?id=${r.id}`, needs: menu.room.permissions.edit, letter: 'E' },
    ],
  }
}

/**
 * Rooms by number or path (`1502`, `3-2-1502`, `321502`), shops also by their sign; first those of the chosen
 * project.
 */
const roomFinder: Finder = {
  group: 'room',
  needs: menu.room.permissions.view,
  search: async (keyword, signal) => {
    const { project, signed } = session.getState()
    const code = project?.code ?? signed?.nearestProjectCode
    const here = code && code !== '0' ? code : undefined
    const ask = async (of: string | 0, size: number): Promise<readonly ListedRoom[]> =>
      (await send(listRooms, { keyword, page: 1, size }, { quiet: true, signal, project: of })).rows
    const [mine, all] = await Promise.all([here ? ask(here, maxHits) : [], ask(0, maxHits * 2)])
    return [...mine, ...all.filter(r => r.projectCode !== here)]
      .slice(0, maxHits * 2)
      .map(r => toHit(r, here))
  },
}

export const extensions: Extensions = { finders: [roomFinder] }
