import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { truncate } from '#kit/contract/text.ts'
import { Refused } from '#kit/contract/wire.ts'
import { formatCount } from '#kit/web/numbers.tsx'
import type { TreeNode } from '#kit/web/pickers/tree-selection.ts'
import type { TreeSource } from '#kit/web/pickers/use-tree.ts'
import { errorText } from '#kit/web/list/list-feedback.tsx'
import { send } from '#kit/web/send.ts'
import { listPositionNodes, type PositionNode } from '../contract/room-board.ts'
import { findRooms, listRooms, type ListedRoom } from '../contract/room.ts'
import { roomListFailedCode, sceneType, roomStateMarks } from '../contract/labels.ts'
import { formatAreaLabel, positionKeys } from '../domain/position-label.ts'

export type RoomScene = keyof typeof sceneType.rows

/** A room, a shop or a public area that was chosen. */
export interface PickedRoom {
  readonly id: Id
  readonly code: string
  readonly projectCode: string
  readonly kind: ListedRoom['kind']
  readonly roomNo: string
  readonly path: string
  /** 项目-楼栋-单元-房号. */
  readonly areaLabel: string
  readonly room: ListedRoom
}

/** Names of rooms, shops and people are cut here (0§9). */
const maxNameLength = 10

/** 0§9: rooms are listed 999 at a time. */
const pageSize = 999
const kindMarks: Partial<Record<ListedRoom['kind'], string>> = { shop: '商铺', area: '公共区域' }
const floorMark = (n: number | undefined): string => (n === undefined ? '' : n < 0 ? `B${-n}` : `${n}F`)

export type DisabledReason = (r: ListedRoom) => string | undefined

export function roomNode(room: ListedRoom, disabledReason: DisabledReason | undefined): TreeNode<PickedRoom> {
  const label = formatAreaLabel(room)
  const picked = {
    id: defined(room.id),
    code: defined(room.code),
    projectCode: defined(room.projectCode),
    kind: room.kind,
    roomNo: defined(room.roomNo),
    path: defined(room.path),
    areaLabel: label,
    room,
  }
  const unused =
    room.kind !== 'area' &&
    (room.roomState === 'vacant' || room.roomState === 'unsold' || room.roomState === 'pending')
      ? roomStateMarks[room.roomState]
      : undefined
  return {
    key: `${room.projectCode}/${room.kind === 'area' ? 'area' : 'room'}/${room.code}`,
    label: truncate(defined(room.roomNo), maxNameLength),
    path: positionKeys(room),
    leaf: true,
    tag: kindMarks[room.kind],
    note: unused,
    fullName: label,
    disabledReason: disabledReason?.(room) ?? (room.state === 'off' ? '已停用' : undefined),
    ...(room.kind === 'area' ? {} : { lineLabel: floorMark(room.floorNum) }),
    group: room.buildName ?? room.estateName,
    data: picked,
  }
}

/** The text for Code 0 of the room list; other refusals keep the text of the server (0§8). */
export function failureText(e: unknown): string {
  if (e instanceof Refused && e.code === roomListFailedCode) return '请求失败，请稍后重试'
  const { message, hint } = errorText(e)
  return [message, hint].filter(Boolean).join('，')
}

type PositionScope = {
  readonly projectCode: string
  readonly buildCode?: string | undefined
  readonly unitName?: string | undefined
}

async function fetchRoomsIn(
  { projectCode, buildCode, unitName }: PositionScope,
  scene: RoomScene,
): Promise<ListedRoom[]> {
  const found: ListedRoom[] = []
  for (let page = 1; ; page++) {
    const answer = await send(
      listRooms,
      {
        projectCode,
        ...(buildCode ? { buildCode: [buildCode] } : {}),
        ...(unitName !== undefined ? { unitName } : {}),
        sceneType: scene,
        page,
        size: pageSize,
      },
      { quiet: true, project: projectCode },
    )
    found.push(...answer.rows)
    if (found.length >= answer.total || !answer.rows.length) return found
  }
}

interface SourceOptions {
  readonly scene: RoomScene
  readonly projectCode: string | undefined
  readonly disabledReason: DisabledReason | undefined
}

const isCounted = (scene: RoomScene): boolean => scene === 'room' || scene === 'shop' || scene === 'roomShop'

/** A branch: a position of the tree instead of a room. It is opened, and never chosen. */
const branchNode = (node: PositionNode, path: readonly string[], scene: RoomScene): TreeNode<PickedRoom> => {
  const count = node.count ?? 0
  const counted = { count, note: `${formatCount(count)} ${scene === 'shop' ? '间' : '户'}` }
  return {
    key: node.key,
    label: node.name,
    path,
    leaf: false,
    ...(isCounted(scene) ? counted : {}),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the data of a branch is read by `positionOf` alone
    data: node as unknown as PickedRoom,
  }
}

const positionOf = ({ data }: TreeNode<PickedRoom>): PositionScope => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the other half of `branchNode`
  const { projectCode, buildCode, unitName } = data as unknown as PositionNode
  return { projectCode, buildCode, unitName }
}

async function loadProjects({ scene, projectCode }: SourceOptions): Promise<TreeNode<PickedRoom>[]> {
  const projects = await send(
    listPositionNodes,
    { level: 'project', ...(projectCode ? { projectCode } : {}), sceneType: scene },
    { quiet: true, project: projectCode ?? 0 },
  )
  return projects.map(node => branchNode(node, [], scene))
}

async function loadLeaves(
  parent: TreeNode<PickedRoom>,
  { scene, disabledReason }: SourceOptions,
): Promise<TreeNode<PickedRoom>[]> {
  const rooms = await fetchRoomsIn(positionOf(parent), scene)
  return rooms.map(room => roomNode(room, disabledReason))
}

/** Buildings or units, and the areas that are beside them. */
async function loadBranches(
  parent: TreeNode<PickedRoom>,
  { scene, disabledReason }: SourceOptions,
): Promise<TreeNode<PickedRoom>[]> {
  const { projectCode, buildCode } = positionOf(parent)
  const nodes = await send(
    listPositionNodes,
    {
      ...(buildCode ? { level: 'unit' as const, buildCode } : { level: 'building' as const }),
      projectCode,
      sceneType: scene,
    },
    { quiet: true, project: projectCode },
  )
  const areas = nodes.some(node => node.leaf) ? await fetchRoomsIn({ projectCode }, 'area') : []
  const areaByCode = new Map(areas.map(area => [area.code, area]))
  return nodes.flatMap(node => {
    if (!node.leaf)
      return isCounted(scene) && !node.count ? [] : [branchNode(node, [...parent.path, parent.key], scene)]
    const area = areaByCode.get(node.code)
    return area ? [roomNode(area, disabledReason)] : []
  })
}

async function searchRooms(
  keyword: string,
  { scene, projectCode, disabledReason }: SourceOptions,
): Promise<TreeNode<PickedRoom>[]> {
  const rooms = await send(
    findRooms,
    { keyword, sceneType: scene, ...(projectCode ? { projectCode } : {}) },
    { quiet: true, project: projectCode ?? 0 },
  )
  return rooms.map(room => roomNode(room, disabledReason))
}

/**
 * The tree project → building → unit → room, of one project or of all that the operator may see, for one
 * scene (0§2).
 */
export function roomSource(
  scene: RoomScene,
  projectCode: string | undefined,
  disabledReason: DisabledReason | undefined,
  searchable: boolean,
): TreeSource<PickedRoom> {
  const options = { scene, projectCode, disabledReason }
  return {
    children: async parent => {
      if (!parent) return loadProjects(options)
      // Areas alone are few, and are in no unit: they are one list.
      return scene === 'area' || positionOf(parent).unitName !== undefined
        ? loadLeaves(parent, options)
        : loadBranches(parent, options)
    },
    leaves: parent => loadLeaves(parent, options),
    ...(searchable ? { search: keyword => searchRooms(keyword, options) } : {}),
  }
}

/** The rooms that are chosen already. */
export const roomsByCode = async (
  codes: readonly string[],
  projectCode: string | undefined,
): Promise<readonly ListedRoom[]> =>
  (
    await send(
      listRooms,
      {
        codes: [...codes],
        sceneType: 'roomShopArea',
        page: 1,
        size: 2000,
        ...(projectCode ? { projectCode } : {}),
      },
      { quiet: true, project: projectCode ?? 0 },
    )
  ).rows
