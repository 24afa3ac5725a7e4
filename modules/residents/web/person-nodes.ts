import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { labelOf } from '#kit/contract/field.ts'
import { truncate } from '#kit/contract/text.ts'
import type { TreeNode } from '#kit/web/pickers/tree-selection.ts'
import type { TreeSource } from '#kit/web/pickers/use-tree.ts'
import { send } from '#kit/web/send.ts'
import { findRooms } from '#modules/rooms/contract/room.ts'
import { roomNode, roomSource, type PickedRoom } from '#modules/rooms/web/public.tsx'
import { searchResidentOptions } from '../contract/maintenance.ts'
import { listRoomResidents } from '../contract/residency.ts'
import { relation } from '../contract/relation.ts'

/** Somebody who was chosen, as pickers and forms show a person. */
export interface PickedPerson {
  readonly id: Id
  readonly name: string
  readonly mobile?: string | undefined
}

/** A person in a room (0§3). */
export interface PersonInRoom {
  readonly roomCode: string
  readonly roomId: Id
  readonly projectCode: string
  readonly userInfo: PickedPerson
  readonly linkId: Id
  /** 项目-楼栋-单元-房号. */
  readonly areaLabel: string
}

/** What a node of the tree stands for: a person in a room, or the room itself. */
export type PersonNodeData = PersonInRoom | PickedRoom

/** Names of people are cut here (0§3), lists of them after fifty (0§9). */
const maxNameLength = 10
const maxListed = 50
type RoomUser = NonNullable<typeof listRoomResidents.output.T>[number]

const roomNodeKey = (room: PickedRoom): string => `${room.projectCode}/room/${room.code}`

export const personNodeKey = (roomCode: string, projectCode: string, id: Id): string =>
  `${projectCode}/room/${roomCode}/${id}`

const personNode = (room: PickedRoom, path: readonly string[], user: RoomUser): TreeNode<PersonNodeData> => ({
  key: personNodeKey(room.code, room.projectCode, user.id),
  label: truncate(user.name, maxNameLength),
  path: [...path, roomNodeKey(room)],
  leaf: true,
  note: [labelOf(relation, user.relation), user.mobile, user.status === 'pending' ? '待审核' : '']
    .filter(Boolean)
    .join(' · '),
  fullName: `${room.areaLabel} ${truncate(user.name, maxNameLength)}`,
  group: room.room.buildName,
  data: {
    roomCode: room.code,
    roomId: room.id,
    projectCode: room.projectCode,
    userInfo: { id: user.id, name: user.name, mobile: user.mobile },
    linkId: user.linkId,
    areaLabel: room.areaLabel,
  },
})

/** The room as a branch: its people are under it. */
const roomBranch = (node: TreeNode<PickedRoom>): TreeNode<PersonNodeData> => ({
  ...node,
  leaf: false,
  note: node.data.room.people ? `${node.data.room.people} 人` : node.note,
  lineLabel: undefined,
  disabledReason: undefined,
})

const isRoom = (data: unknown): data is PickedRoom =>
  typeof data === 'object' && data !== null && 'roomNo' in data && 'room' in data

/** Project → building → unit → room → person (0§2). */
export function personSource(projectCode: string | undefined, search: boolean): TreeSource<PersonNodeData> {
  const rooms = roomSource('roomShop', projectCode, undefined, false)
  const people = async (pickedRooms: readonly PickedRoom[]): Promise<readonly RoomUser[]> =>
    pickedRooms.length
      ? await send(
          listRoomResidents,
          { roomIds: pickedRooms.map(room => String(room.id)) },
          {
            quiet: true,
            project: defined(pickedRooms[0]).projectCode,
          },
        )
      : []
  const children = async (
    node: TreeNode<PersonNodeData> | undefined,
  ): Promise<readonly TreeNode<PersonNodeData>[]> => {
    if (node && isRoom(node.data)) {
      const room = node.data
      return (await people([room])).map(user => personNode(room, node.path, user))
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a node without a room is a branch of the room tree
    return (await rooms.children(node as TreeNode<PickedRoom> | undefined)).map(child =>
      child.leaf ? roomBranch(child) : (child as TreeNode<PersonNodeData>),
    )
  }
  // A room's number finds its people.
  const searchByRoom = async (keyword: string): Promise<readonly TreeNode<PersonNodeData>[]> => {
    const roomNodes = (
      await send(
        findRooms,
        { keyword, sceneType: 'roomShop', ...(projectCode ? { projectCode } : {}) },
        { quiet: true, project: projectCode ?? 0 },
      )
    )
      .slice(0, maxListed)
      .map(room => roomNode(room, undefined))
    const residentsByRoom = Map.groupBy(await people(roomNodes.map(node => node.data)), user => user.roomId)
    return roomNodes.flatMap(node =>
      (residentsByRoom.get(node.data.id) ?? []).map(user => personNode(node.data, node.path, user)),
    )
  }
  return { children, ...(search ? { search: searchByRoom } : {}) }
}

type ResidentOption = NonNullable<typeof searchResidentOptions.output.T>[number]

const residentNode = (person: ResidentOption): TreeNode<PickedPerson> => ({
  key: String(person.id),
  label: truncate(person.name, maxNameLength),
  path: [],
  leaf: true,
  note: [person.mobile, person.homes?.map(h => h.roomPath).join('、')].filter(Boolean).join(' · '),
  data: { id: person.id, name: person.name, mobile: person.mobile },
})

/** The first fifty residents, or those that a word finds: a part of the name, pinyin, telephone or room. */
export function residentSource(projectCode: string | undefined): TreeSource<PickedPerson> {
  const load = async (keyword?: string): Promise<readonly TreeNode<PickedPerson>[]> =>
    (
      await send(
        searchResidentOptions,
        { size: maxListed, ...(keyword ? { keyword } : {}), ...(projectCode ? { projectCode } : {}) },
        { quiet: true, project: projectCode ?? 0 },
      )
    ).map(residentNode)
  return { children: async node => (node ? [] : load()), search: load }
}
