import { useMemo } from 'react'
import type { Node } from '#kit/web/pickers/choosing.ts'
import { TreePicker } from '#kit/web/pickers/tree-picker.tsx'
import type { TreeSource } from '#kit/web/pickers/use-tree.ts'
import { send } from '#kit/web/send.ts'
import { useCall } from '#kit/web/query.ts'
import { pickBuildings, pickUnits, type Building } from '../contract/building.ts'
import { floorsOf, floorWord, unitsByName, unitWord } from '../domain/floors.ts'

/** A building, a unit of it, or a floor of that. */
export interface Floor {
  readonly buildCode: string
  readonly buildName?: string | undefined
  readonly unitName?: string | undefined
  readonly floorNum?: number | undefined
}

type Depth = 'building' | 'unit' | 'floor' | 'any'
type Data = Floor & { readonly building?: Building }

const keyOf = (f: Floor): string =>
  [f.buildCode, f.unitName, f.floorNum].filter(x => x !== undefined).join('/')

const pathOf = (f: Floor): string[] => [
  ...(f.unitName !== undefined ? [f.buildCode] : []),
  ...(f.floorNum !== undefined ? [`${f.buildCode}/${f.unitName}`] : []),
]

const fullOf = (f: Floor): string =>
  [
    f.buildName ?? f.buildCode,
    f.unitName !== undefined && unitWord(f.unitName),
    f.floorNum !== undefined && floorWord(f.floorNum),
  ]
    .filter(Boolean)
    .join(' ')

/** With `any` a branch is followed by itself as something to take: 整栋, 整个单元. */
const self = (f: Floor, label: string): Node<Data> => ({
  key: `${keyOf(f)}/*`,
  label,
  path: [...pathOf(f), keyOf(f)],
  leaf: true,
  full: fullOf(f),
  group: f.buildName,
  data: f,
})

function sourceOf(projectCode: string | undefined, depth: Depth): TreeSource<Data> {
  const ask = projectCode ? { projectCode } : {}
  const buildings = async (): Promise<Node<Data>[]> =>
    (await send(pickBuildings, ask, { quiet: true })).map(b => {
      const data: Data = { buildCode: b.code!, buildName: b.name, building: b }
      return depth === 'building'
        ? { key: keyOf(data), label: b.name, path: [], leaf: true, note: b.code, data }
        : { key: keyOf(data), label: b.name, path: [], leaf: false, note: `${b.units} 个单元`, data }
    })
  const units = async (b: Data): Promise<Node<Data>[]> => {
    const found = unitsByName(await send(pickUnits, { ...ask, buildCode: b.buildCode }, { quiet: true }))
    const nodes = found.map((u): Node<Data> => {
      const data: Data = { buildCode: b.buildCode, buildName: b.buildName, unitName: u.name }
      return {
        key: keyOf(data),
        label: unitWord(u.name),
        path: pathOf(data),
        leaf: depth === 'unit',
        note: `${u.floorCount} 层${u.undergroundFloors ? `，地下 ${u.undergroundFloors} 层` : ''}`,
        count: floorsOf(u).length,
        group: b.buildName,
        full: fullOf(data),
        data,
      }
    })
    return depth === 'any' ? [...nodes, self(b, '整栋')] : nodes
  }
  const floors = async (u: Data): Promise<Node<Data>[]> => {
    const unit = unitsByName(await send(pickUnits, { ...ask, buildCode: u.buildCode }, { quiet: true })).find(
      x => x.name === u.unitName,
    )
    const nodes = unit
      ? floorsOf(unit).map((n): Node<Data> => {
          const data = { buildCode: u.buildCode, buildName: u.buildName, unitName: u.unitName, floorNum: n }
          return {
            key: keyOf(data),
            label: floorWord(n),
            path: pathOf(data),
            leaf: true,
            group: u.buildName,
            full: fullOf(data),
            ...(depth === 'any' ? {} : { row: '' }),
            data,
          }
        })
      : []
    return depth === 'any' ? [self(u, '整个单元'), ...nodes] : nodes
  }
  const under = (n: Node<Data> | undefined): Promise<Node<Data>[]> =>
    !n ? buildings() : n.data.unitName === undefined ? units(n.data) : floors(n.data)
  const leaves = async (n: Node<Data>): Promise<readonly Node<Data>[]> => {
    const kids = await under(n)
    return (await Promise.all(kids.map(async k => (k.leaf ? [k] : await leaves(k))))).flat()
  }
  return { under, leaves }
}

interface Props {
  readonly projectCode: string | undefined
  readonly many: boolean
  readonly max?: number
  /** What is taken: buildings, units, floors, or whichever of them. */
  readonly depth?: Depth
  readonly value: readonly Floor[]
  readonly onDone: (chosen: readonly Floor[] | undefined) => void
}

const titles: Record<Depth, [string, string]> = {
  building: ['选择楼栋', '栋'],
  unit: ['选择单元', '个单元'],
  floor: ['选择楼层', '层'],
  any: ['选择楼栋、单元或楼层', '处'],
}

/** Building, unit, floor; units of one name within a building are one (0§3). */
export function FloorPicker({ projectCode, many, max, depth = 'floor', value, onDone }: Props) {
  const source = useMemo(() => sourceOf(projectCode, depth), [projectCode, depth])
  const [title, unit] = titles[depth]
  const names = useCall(pickBuildings, projectCode ? { projectCode } : {}, {
    quiet: true,
    enabled: value.length > 0,
  })
  const chosen = useMemo(
    () =>
      value.map((v): Node<Data> => {
        const data = { ...v, buildName: v.buildName ?? names.data?.find(b => b.code === v.buildCode)?.name }
        const own: Node<Data> = {
          key: keyOf(v),
          label: fullOf(data),
          path: pathOf(v),
          leaf: true,
          full: fullOf(data),
          group: data.buildName,
          data,
        }
        return depth === 'any' && v.floorNum === undefined
          ? self(data, v.unitName === undefined ? '整栋' : '整个单元')
          : own
      }),
    [names.data, depth, value],
  )
  if (value.length && names.isPending) return null
  return (
    <TreePicker
      title={title}
      source={source}
      many={many}
      {...(max ? { max } : {})}
      unit={unit}
      value={chosen}
      layout={depth === 'floor' ? 'lines' : 'rows'}
      empty="这个项目还没有楼栋"
      onDone={got => onDone(got?.map(({ data: { building: _, ...f } }) => f))}
    />
  )
}
