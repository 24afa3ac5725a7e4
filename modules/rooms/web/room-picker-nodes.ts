import { defined } from '#kit/domain/defined.ts'
import { truncate } from '#kit/contract/text.ts'
import { Refused } from '#kit/contract/wire.ts'
import { formatCount } from '#kit/web/numbers.tsx'
import type { TreeNode } from '#kit/web/pickers/tree-selection.ts'
import type { TreeSource } from '#kit/web/pickers/use-tree.ts'
import { errorText } from '#kit/web/list/list-states.tsx'
import { send } from '#kit/web/send.ts'
import { listPositionNodes, type PositionNode } from '../contract/room-board.ts'
import { findRooms, listRooms, type ListedRoom } from '../contract/room.ts'
import { roomListFailedCode, sceneType, roomStateMarks } from '../contract/labels.ts'
import { formatAreaLabel, positionKeys } from '../domain/position-label.ts'

export type RoomScene = keyof typeof sceneType.rows

/** A room, a shop or a public area that was chosen. */
export interface PickedRoom {
  readonly id: number
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

export function roomNode(r: ListedRoom, why: DisabledReason | undefined): TreeNode<PickedRoom> {
  const label = formatAreaLabel(r)
  const picked = {
    id: defined(r.id),
    code: defined(r.code),
    projectCode: defined(r.projectCode),
    kind: r.kind,
    roomNo: defined(r.roomNo),
    path: defined(r.path),
    areaLabel: label,
    room: r,
  }
  const unused =
    r.kind !== 'area' && (r.roomState === 'vacant' || r.roomState === 'unsold' || r.roomState === 'pending')
      ? roomStateMarks[r.roomState]
      : undefined
  return {
    key: `${r.projectCode}/${r.kind === 'area' ? 'area' : 'room'}/${r.code}`,
    label: truncate(defined(r.roomNo), maxNameLength),
    path: positionKeys(r),
    leaf: true,
    tag: kindMarks[r.kind],
    note: unused,
    fullName: label,
    disabledReason: why?.(r) ?? (r.state === 'off' ? '已停用' : undefined),
    ...(r.kind === 'area' ? {} : { lineLabel: floorMark(r.floorNum) }),
    group: r.buildName ?? r.estateName,
    data: picked,
  }
}

/**
 * The room list answering Code 0 says so in these words; another refusal is said as the server says it (0§8).
 */
export function failureText(e: unknown): string {
  if (e instanceof Refused && e.code === roomListFailedCode) return '请求失败，请稍后重试'
  const { words, more } = errorText(e)
  return [words, more].filter(Boolean).join('，')
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

/**
 * The tree project → building → unit → room, of one project or of all that the caller may see, for one scene
 * (0§2).
 */
export function roomSource(
  scene: RoomScene,
  projectCode: string | undefined,
  why: DisabledReason | undefined,
  search: boolean,
): TreeSource<PickedRoom> {
  const counted = scene === 'room' || scene === 'shop' || scene === 'roomShop'
  const only = projectCode ? { project: projectCode } : {}
  const branch = (n: PositionNode, path: readonly string[]): TreeNode<PickedRoom> => ({
    key: n.key,
    label: n.name,
    path,
    leaf: false,
    ...(counted
      ? { count: n.count ?? 0, note: `${formatCount(n.count ?? 0)} ${scene === 'shop' ? '间' : '户'}` }
      : {}),
    data: n as never,
  })
  const within = (n: TreeNode<PickedRoom>): PositionScope => {
    const p = n.data as unknown as PositionNode
    return { projectCode: p.projectCode, buildCode: p.buildCode, unitName: p.unitName }
  }
  const leaves = async (n: TreeNode<PickedRoom>): Promise<readonly TreeNode<PickedRoom>[]> =>
    (await fetchRoomsIn(within(n), scene)).map(r => roomNode(r, why))
  const under = async (n: TreeNode<PickedRoom> | undefined): Promise<readonly TreeNode<PickedRoom>[]> => {
    if (!n)
      return (
        await send(
          listPositionNodes,
          { level: 'project', ...(projectCode ? { projectCode } : {}), sceneType: scene },
          { quiet: true, ...only, ...(projectCode ? {} : { project: 0 }) },
        )
      ).map(p => branch(p, []))
    const at = within(n)
    // Areas alone are few, and stand in no unit: they are one list.
    if (scene === 'area' || at.unitName !== undefined) return leaves(n)
    const kids = await send(
      listPositionNodes,
      {
        ...(at.buildCode
          ? { level: 'unit' as const, buildCode: at.buildCode }
          : { level: 'building' as const }),
        projectCode: at.projectCode,
        sceneType: scene,
      },
      { quiet: true, project: at.projectCode },
    )
    const areas = kids.some(k => k.leaf)
      ? new Map((await fetchRoomsIn({ projectCode: at.projectCode }, 'area')).map(r => [r.code, r]))
      : new Map<string | undefined, ListedRoom>()
    return kids.flatMap(k =>
      !k.leaf
        ? counted && !k.count
          ? []
          : [branch(k, [...n.path, n.key])]
        : areas.has(k.code)
          ? [roomNode(defined(areas.get(k.code)), why)]
          : [],
    )
  }
  const find = async (word: string): Promise<readonly TreeNode<PickedRoom>[]> =>
    (
      await send(
        findRooms,
        { keyword: word, sceneType: scene, ...(projectCode ? { projectCode } : {}) },
        { quiet: true, project: projectCode ?? 0 },
      )
    ).map(r => roomNode(r, why))
  return { children: under, leaves, ...(search ? { search: find } : {}) }
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
