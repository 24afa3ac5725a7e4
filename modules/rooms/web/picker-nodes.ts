import { truncate } from '#kit/contract/text.ts'
import { Refused, code } from '#kit/contract/wire.ts'
import { count } from '#kit/web/figure.tsx'
import type { Node } from '#kit/web/pickers/choosing.ts'
import type { TreeSource } from '#kit/web/pickers/use-tree.ts'
import { wordsOf } from '#kit/web/list/states.tsx'
import { send } from '#kit/web/send.ts'
import { positionNodes, type PositionNode } from '../contract/board.ts'
import { findRooms, listRooms, type ListedRoom } from '../contract/room.ts'
import { sceneType, stateMark } from '../contract/words.ts'
import { areaLabel, pathKeys } from '../domain/label.ts'

export type Scene = keyof typeof sceneType.rows

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
const most = 10

/** 0§9: rooms are listed 999 at a time. */
const turn = 999
const marks: Partial<Record<ListedRoom['kind'], string>> = { shop: '商铺', area: '公共区域' }
const floorHead = (n: number | undefined): string => (n === undefined ? '' : n < 0 ? `B${-n}` : `${n}F`)

export type Forbids = (r: ListedRoom) => string | undefined

export function leafOf(r: ListedRoom, why: Forbids | undefined): Node<PickedRoom> {
  const label = areaLabel(r)
  const picked = {
    id: r.id!,
    code: r.code!,
    projectCode: r.projectCode!,
    kind: r.kind,
    roomNo: r.roomNo!,
    path: r.path!,
    areaLabel: label,
    room: r,
  }
  const unused =
    r.kind !== 'area' && (r.roomState === 'vacant' || r.roomState === 'unsold' || r.roomState === 'pending')
      ? stateMark[r.roomState]
      : undefined
  return {
    key: `${r.projectCode}/${r.kind === 'area' ? 'area' : 'room'}/${r.code}`,
    label: truncate(r.roomNo!, most),
    path: pathKeys(r),
    leaf: true,
    mark: marks[r.kind],
    note: unused,
    full: label,
    off: why?.(r) ?? (r.state === 'off' ? '已停用' : undefined),
    ...(r.kind === 'area' ? {} : { row: floorHead(r.floorNum) }),
    group: r.buildName ?? r.estateName,
    data: picked,
  }
}

/**
 * The room list answering Code 0 says so in these words; another refusal is said as the server says it (0§8).
 */
export function wordsOfFailure(e: unknown): string {
  if (e instanceof Refused && e.code === code.roomList) return '请求失败，请稍后重试'
  const { words, more } = wordsOf(e)
  return [words, more].filter(Boolean).join('，')
}

type Within = {
  readonly projectCode: string
  readonly buildCode?: string | undefined
  readonly unitName?: string | undefined
}

async function roomsIn({ projectCode, buildCode, unitName }: Within, scene: Scene): Promise<ListedRoom[]> {
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
        size: turn,
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
  scene: Scene,
  projectCode: string | undefined,
  why: Forbids | undefined,
  search: boolean,
): TreeSource<PickedRoom> {
  const counted = scene === 'room' || scene === 'shop' || scene === 'roomShop'
  const only = projectCode ? { project: projectCode } : {}
  const branch = (n: PositionNode, path: readonly string[]): Node<PickedRoom> => ({
    key: n.key,
    label: n.name,
    path,
    leaf: false,
    ...(counted
      ? { count: n.count ?? 0, note: `${count(n.count ?? 0)} ${scene === 'shop' ? '间' : '户'}` }
      : {}),
    data: n as never,
  })
  const within = (n: Node<PickedRoom>): Within => {
    const p = n.data as unknown as PositionNode
    return { projectCode: p.projectCode!, buildCode: p.buildCode, unitName: p.unitName }
  }
  const leaves = async (n: Node<PickedRoom>): Promise<readonly Node<PickedRoom>[]> =>
    (await roomsIn(within(n), scene)).map(r => leafOf(r, why))
  const under = async (n: Node<PickedRoom> | undefined): Promise<readonly Node<PickedRoom>[]> => {
    if (!n)
      return (
        await send(
          positionNodes,
          { level: 'project', ...(projectCode ? { projectCode } : {}), sceneType: scene },
          { quiet: true, ...only, ...(projectCode ? {} : { project: 0 }) },
        )
      ).map(p => branch(p, []))
    const at = within(n)
    // Areas alone are few, and stand in no unit: they are one list.
    if (scene === 'area' || at.unitName !== undefined) return leaves(n)
    const kids = await send(
      positionNodes,
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
      ? new Map((await roomsIn({ projectCode: at.projectCode }, 'area')).map(r => [r.code, r]))
      : new Map<string | undefined, ListedRoom>()
    return kids.flatMap(k =>
      !k.leaf
        ? counted && !k.count
          ? []
          : [branch(k, [...n.path, n.key])]
        : areas.has(k.code)
          ? [leafOf(areas.get(k.code)!, why)]
          : [],
    )
  }
  const find = async (word: string): Promise<readonly Node<PickedRoom>[]> =>
    (
      await send(
        findRooms,
        { keyword: word, sceneType: scene, ...(projectCode ? { projectCode } : {}) },
        { quiet: true, project: projectCode ?? 0 },
      )
    ).map(r => leafOf(r, why))
  return { under, leaves, ...(search ? { find } : {}) }
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
