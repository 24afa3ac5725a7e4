import { defined } from '#kit/domain/defined.ts'
import { labelOf } from '#kit/contract/field.ts'
import { maskPhone, truncate } from '#kit/contract/text.ts'
import type { TreeNode } from '#kit/web/pickers/tree-selection.ts'
import type { TreeSource } from '#kit/web/pickers/use-tree.ts'
import { send } from '#kit/web/send.ts'
import { findRooms } from '#modules/rooms/contract/room.ts'
import { roomNode, roomSource, type PickedRoom } from '#modules/rooms/web/public.tsx'
import { searchResidentOptions } from '../contract/maintenance.ts'
import { listRoomResidents } from '../contract/residency.ts'
import { relation } from '../contract/labels.ts'

/** Somebody who was chosen, as pickers and forms show him. */
export interface PickedPerson {
  readonly id: number
  readonly name: string
  readonly mobile?: string | undefined
}

/** A person in a room (0§3). */
export interface PersonInRoom {
  readonly roomCode: string
  readonly roomId: number
  readonly projectCode: string
  readonly userInfo: PickedPerson
  readonly linkId: number
  /** 项目-楼栋-单元-房号. */ readonly areaLabel: string
}

/** What a node of the tree stands for: a person in a room, or the room itself. */
export type PersonNodeData = PersonInRoom | PickedRoom

/** Names of people are cut here (0§3), lists of them after fifty (0§9). */
const maxNameLength = 10
const maxListed = 50
type RoomUser = NonNullable<typeof listRoomResidents.output.T>[number]

const roomNodeKey = (r: PickedRoom): string => `${r.projectCode}/room/${r.code}`

export const personNodeKey = (roomCode: string, projectCode: string, id: number): string =>
  `${projectCode}/room/${roomCode}/${id}`

const personNode = (r: PickedRoom, path: readonly string[], u: RoomUser): TreeNode<PersonNodeData> => ({
  key: personNodeKey(r.code, r.projectCode, u.id),
  label: truncate(u.name, maxNameLength),
  path: [...path, roomNodeKey(r)],
  leaf: true,
  note: [
    labelOf(relation, u.relation),
    u.mobile && maskPhone(u.mobile),
    u.status === 'pending' ? '待审核' : '',
  ]
    .filter(Boolean)
    .join(' · '),
  fullName: `${r.areaLabel} ${truncate(u.name, maxNameLength)}`,
  group: r.room.buildName,
  data: {
    roomCode: r.code,
    roomId: r.id,
    projectCode: r.projectCode,
    userInfo: { id: u.id, name: u.name, mobile: u.mobile },
    linkId: u.linkId,
    areaLabel: r.areaLabel,
  },
})

/** The room as a branch: its people lie under it. */
const roomBranch = (n: TreeNode<PickedRoom>): TreeNode<PersonNodeData> => ({
  ...n,
  leaf: false,
  note: n.data.room.people ? `${n.data.room.people} 人` : n.note,
  lineLabel: undefined,
  disabledReason: undefined,
})

const isRoom = (d: unknown): d is PickedRoom =>
  typeof d === 'object' && d !== null && 'roomNo' in d && 'room' in d

/** Project → building → unit → room → person (0§2). */
export function personSource(projectCode: string | undefined, search: boolean): TreeSource<PersonNodeData> {
  const rooms = roomSource('roomShop', projectCode, undefined, false)
  const people = async (some: readonly PickedRoom[]): Promise<readonly RoomUser[]> =>
    some.length
      ? await send(
          listRoomResidents,
          { roomIds: some.map(r => String(r.id)) },
          {
            quiet: true,
            project: defined(some[0]).projectCode,
          },
        )
      : []
  const under = async (
    n: TreeNode<PersonNodeData> | undefined,
  ): Promise<readonly TreeNode<PersonNodeData>[]> => {
    if (n && isRoom(n.data)) {
      const r = n.data
      return (await people([r])).map(u => personNode(r, n.path, u))
    }
    return (await rooms.children(n as TreeNode<PickedRoom> | undefined)).map(k =>
      k.leaf ? roomBranch(k) : (k as TreeNode<PersonNodeData>),
    )
  }
  // A room's number finds its people.
  const find = async (word: string): Promise<readonly TreeNode<PersonNodeData>[]> => {
    const found = (
      await send(
        findRooms,
        { keyword: word, sceneType: 'roomShop', ...(projectCode ? { projectCode } : {}) },
        { quiet: true, project: projectCode ?? 0 },
      )
    )
      .slice(0, maxListed)
      .map(r => roomNode(r, undefined))
    const by = Map.groupBy(await people(found.map(n => n.data)), u => u.roomId)
    return found.flatMap(n => (by.get(n.data.id) ?? []).map(u => personNode(n.data, n.path, u)))
  }
  return { children: under, ...(search ? { search: find } : {}) }
}

type ResidentOption = NonNullable<typeof searchResidentOptions.output.T>[number]

const residentNode = (p: ResidentOption): TreeNode<PickedPerson> => ({
  key: String(p.id),
  label: truncate(p.name, maxNameLength),
  path: [],
  leaf: true,
  note: [p.mobile && maskPhone(p.mobile), p.homes?.map(h => h.roomPath).join('、')]
    .filter(Boolean)
    .join(' · '),
  data: { id: p.id, name: p.name, mobile: p.mobile },
})

/** The first fifty residents, or those that a word finds: a part of the name, pinyin, telephone or room. */
export function residentSource(projectCode: string | undefined): TreeSource<PickedPerson> {
  const ask = async (keyword?: string): Promise<readonly TreeNode<PickedPerson>[]> =>
    (
      await send(
        searchResidentOptions,
        { size: maxListed, ...(keyword ? { keyword } : {}), ...(projectCode ? { projectCode } : {}) },
        { quiet: true, project: projectCode ?? 0 },
      )
    ).map(residentNode)
  return { children: async n => (n ? [] : ask()), search: ask }
}
