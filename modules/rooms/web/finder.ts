import { labelOf } from '#kit/contract/field.ts'
import { moreHits, type Hit, type HitAction } from '#kit/web/command-palette.ts'
import { findScreen } from '#kit/web/screen-registry.ts'
import { send } from '#kit/web/send.ts'
import { session, shownProjectCode } from '#kit/web/session.ts'
import { findRooms, type ListedRoom } from '../contract/room.ts'
import { roomState } from '../contract/labels.ts'
import { menu } from '../module.ts'
import { cashierPathOf, paths } from './paths.ts'
import { roomKinds } from './room-kinds.ts'

/** As many as may have one number: a room of every building. */
const maxHits = 30
const maxHitsElsewhere = 5

const movesAction = (id: ListedRoom['id']): readonly HitAction[] => {
  const screen = id === undefined ? undefined : findScreen(paths.residencies)
  const needs = screen?.workNeeds ?? screen?.needs
  return screen
    ? [
        {
          label: '过户与迁出',
          path: `${paths.residencies}?roomId=${id}`,
          ...(needs && { needs }),
          letter: 'G',
        },
      ]
    : []
}

const payAction = ({ code, projectCode }: ListedRoom): readonly HitAction[] => {
  const screen = findScreen(paths.cashier)
  const needs = screen?.workNeeds ?? screen?.needs
  return screen && code
    ? [{ label: '收款', path: cashierPathOf(code, projectCode), ...(needs && { needs }), letter: 'P' }]
    : []
}

export const toHit = (room: ListedRoom, currentProject: string | undefined): Hit => {
  const kind = roomKinds[room.roomType === 'shop' ? 'shop' : 'room']
  const isOtherProject = currentProject !== undefined && room.projectCode !== currentProject
  return {
    key: String(room.id),
    title: room.path ?? room.roomNo ?? '',
    isPath: true,
    note: [room.brand, isOtherProject ? room.estateName : undefined, room.mainOwnerName]
      .filter(Boolean)
      .join(' · '),
    trailing: room.roomState ? labelOf(roomState, room.roomState) : undefined,
    isOtherProject,
    path: `${kind.detail}?id=${room.id}`,
    actions: [
      { label: '查看房间', path: `${kind.detail}?id=${room.id}`, letter: 'R' },
      { label: '编辑', path: `${kind.edit}?id=${room.id}`, needs: menu.room.permissions.edit, letter: 'E' },
      ...payAction(room),
      ...movesAction(room.id),
    ],
  }
}

/**
 * Rooms by number or path (`1502`, `3-2-1502`, `321502`), shops also by their sign; first those of the chosen
 * project.
 */
export async function findRoomHits(keyword: string, signal: AbortSignal): Promise<readonly Hit[]> {
  const currentProject = shownProjectCode(session.getState())
  const load = async (projectCode: string | 0, size: number): Promise<readonly ListedRoom[]> =>
    send(
      findRooms,
      { keyword, size, ...(projectCode ? { projectCode } : {}) },
      { quiet: true, signal, project: projectCode },
    )
  const [inProject, everywhere] = await Promise.all([
    currentProject ? load(currentProject, maxHits + 1) : [],
    load(0, maxHits + 1),
  ])
  const own = currentProject ? inProject : everywhere
  const elsewhere = currentProject ? everywhere.filter(room => room.projectCode !== currentProject) : []
  const hits = [...own.slice(0, maxHits), ...elsewhere.slice(0, maxHitsElsewhere)].map(room =>
    toHit(room, currentProject),
  )
  return own.length > maxHits
    ? [...hits, moreHits('房间', `${roomKinds.room.list}?keyword=${encodeURIComponent(keyword)}`)]
    : hits
}
