import { labelOf } from '#kit/contract/field.ts'
import { maskPhone, truncate } from '#kit/contract/text.ts'
import type { Node } from '#kit/web/pickers/choosing.ts'
import type { TreeSource } from '#kit/web/pickers/use-tree.ts'
import { send } from '#kit/web/send.ts'
import { findRooms } from '#modules/rooms/contract/room.ts'
import { leafOf, roomSource, type PickedRoom } from '#modules/rooms/web/public.tsx'
import { pickResidents } from '../contract/care.ts'
import { usersInRoom } from '../contract/residency.ts'
import { relation } from '../contract/words.ts'

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
export type Here = PersonInRoom | PickedRoom

/** Names of people are cut here (0§3), lists of them after fifty (0§9). */
const most = 10
const listed = 50
type User = NonNullable<typeof usersInRoom.output.T>[number]

const roomKey = (r: PickedRoom): string => `${r.projectCode}/room/${r.code}`

export const personKey = (roomCode: string, projectCode: string, id: number): string =>
  `${projectCode}/room/${roomCode}/${id}`

const personIn = (r: PickedRoom, path: readonly string[], u: User): Node<Here> => ({
  key: personKey(r.code, r.projectCode, u.id!),
  label: truncate(u.name, most),
  path: [...path, roomKey(r)],
  leaf: true,
  note: [
    labelOf(relation, u.relation),
    u.mobile && maskPhone(u.mobile),
    u.status === 'pending' ? '待审核' : '',
  ]
    .filter(Boolean)
    .join(' · '),
  full: `${r.areaLabel} ${truncate(u.name, most)}`,
  group: r.room.buildName,
  data: {
    roomCode: r.code,
    roomId: r.id,
    projectCode: r.projectCode,
    userInfo: { id: u.id!, name: u.name, mobile: u.mobile },
    linkId: u.linkId,
    areaLabel: r.areaLabel,
  },
})

/** The room as a branch: its people lie under it. */
const branchOf = (n: Node<PickedRoom>): Node<Here> => ({
  ...n,
  leaf: false,
  note: n.data.room.people ? `${n.data.room.people} 人` : n.note,
  row: undefined,
  off: undefined,
})

const isRoom = (d: unknown): d is PickedRoom =>
  typeof d === 'object' && d !== null && 'roomNo' in d && 'room' in d

/** Project → building → unit → room → person (0§2). */
export function personSource(projectCode: string | undefined, search: boolean): TreeSource<Here> {
  const rooms = roomSource('roomShop', projectCode, undefined, false)
  const people = async (some: readonly PickedRoom[]): Promise<readonly User[]> =>
    some.length
      ? await send(usersInRoom, { roomIds: some.map(r => String(r.id)) } as never, {
          quiet: true,
          project: some[0]!.projectCode,
        })
      : []
  const under = async (n: Node<Here> | undefined): Promise<readonly Node<Here>[]> => {
    if (n && isRoom(n.data)) {
      const r = n.data
      return (await people([r])).map(u => personIn(r, n.path, u))
    }
    return (await rooms.under(n as Node<PickedRoom> | undefined)).map(k =>
      k.leaf ? branchOf(k) : (k as Node<Here>),
    )
  }
  // A room's number finds its people.
  const find = async (word: string): Promise<readonly Node<Here>[]> => {
    const found = (
      await send(
        findRooms,
        { keyword: word, sceneType: 'roomShop', ...(projectCode ? { projectCode } : {}) },
        { quiet: true, project: projectCode ?? 0 },
      )
    )
      .slice(0, listed)
      .map(r => leafOf(r, undefined))
    const by = Map.groupBy(await people(found.map(n => n.data)), u => u.roomId)
    return found.flatMap(n => (by.get(n.data.id) ?? []).map(u => personIn(n.data, n.path, u)))
  }
  return { under, ...(search ? { find } : {}) }
}

type Picked = NonNullable<typeof pickResidents.output.T>[number]

const residentLeaf = (p: Picked): Node<PickedPerson> => ({
  key: String(p.id),
  label: truncate(p.name, most),
  path: [],
  leaf: true,
  note: [p.mobile && maskPhone(p.mobile), p.homes?.map(h => h.roomPath).join('、')]
    .filter(Boolean)
    .join(' · '),
  data: { id: p.id!, name: p.name, mobile: p.mobile },
})

/** The first fifty residents, or those that a word finds: a part of the name, pinyin, telephone or room. */
export function residentSource(projectCode: string | undefined): TreeSource<PickedPerson> {
  const ask = async (keyword?: string): Promise<readonly Node<PickedPerson>[]> =>
    (
      await send(
        pickResidents,
        { size: listed, ...(keyword ? { keyword } : {}), ...(projectCode ? { projectCode } : {}) },
        { quiet: true, project: projectCode ?? 0 },
      )
    ).map(residentLeaf)
  return { under: async n => (n ? [] : ask()), find: ask }
}
