import { defined } from '#kit/domain/defined.ts'
import { useMemo } from 'react'
import type { TreeNode } from '#kit/web/pickers/tree-selection.ts'
import { TreePicker } from '#kit/web/pickers/tree-picker.tsx'
import type { TreeSource } from '#kit/web/pickers/use-tree.ts'
import { send } from '#kit/web/send.ts'
import { useCall } from '#kit/web/query.ts'
import { pickBuildings, pickUnits, type Building } from '../contract/building.ts'
import { floorsOf, floorLabel, mergeUnitsByName, unitLabel } from '../domain/floors.ts'

/** A building, a unit of it, or a floor of that. */
export interface FloorSelection {
  readonly buildCode: string
  readonly buildName?: string | undefined
  readonly unitName?: string | undefined
  readonly floorNum?: number | undefined
}

type Depth = 'building' | 'unit' | 'floor' | 'any'
type FloorNodeData = FloorSelection & { readonly building?: Building }

const floorKey = (f: FloorSelection): string =>
  [f.buildCode, f.unitName, f.floorNum].filter(x => x !== undefined).join('/')

const floorPath = (f: FloorSelection): string[] => [
  ...(f.unitName !== undefined ? [f.buildCode] : []),
  ...(f.floorNum !== undefined ? [`${f.buildCode}/${f.unitName}`] : []),
]

const floorFullName = (f: FloorSelection): string =>
  [
    f.buildName ?? f.buildCode,
    f.unitName !== undefined && unitLabel(f.unitName),
    f.floorNum !== undefined && floorLabel(f.floorNum),
  ]
    .filter(Boolean)
    .join(' ')

/** With `any` a branch is followed by itself as something to take: 整栋, 整个单元. */
const wholeBranchNode = (f: FloorSelection, label: string): TreeNode<FloorNodeData> => ({
  key: `${floorKey(f)}/*`,
  label,
  path: [...floorPath(f), floorKey(f)],
  leaf: true,
  fullName: floorFullName(f),
  group: f.buildName,
  data: f,
})

function createFloorSource(projectCode: string | undefined, depth: Depth): TreeSource<FloorNodeData> {
  const ask = projectCode ? { projectCode } : {}
  const buildings = async (): Promise<TreeNode<FloorNodeData>[]> =>
    (await send(pickBuildings, ask, { quiet: true })).map(b => {
      const data: FloorNodeData = { buildCode: defined(b.code), buildName: b.name, building: b }
      return depth === 'building'
        ? { key: floorKey(data), label: b.name, path: [], leaf: true, note: b.code, data }
        : { key: floorKey(data), label: b.name, path: [], leaf: false, note: `${b.units} 个单元`, data }
    })
  const units = async (b: FloorNodeData): Promise<TreeNode<FloorNodeData>[]> => {
    const found = mergeUnitsByName(await send(pickUnits, { ...ask, buildCode: b.buildCode }, { quiet: true }))
    const nodes = found.map((u): TreeNode<FloorNodeData> => {
      const data: FloorNodeData = { buildCode: b.buildCode, buildName: b.buildName, unitName: u.name }
      return {
        key: floorKey(data),
        label: unitLabel(u.name),
        path: floorPath(data),
        leaf: depth === 'unit',
        note: `${u.floorCount} 层${u.undergroundFloors ? `，地下 ${u.undergroundFloors} 层` : ''}`,
        count: floorsOf(u).length,
        group: b.buildName,
        fullName: floorFullName(data),
        data,
      }
    })
    return depth === 'any' ? [...nodes, wholeBranchNode(b, '整栋')] : nodes
  }
  const floors = async (u: FloorNodeData): Promise<TreeNode<FloorNodeData>[]> => {
    const unit = mergeUnitsByName(
      await send(pickUnits, { ...ask, buildCode: u.buildCode }, { quiet: true }),
    ).find(x => x.name === u.unitName)
    const nodes = unit
      ? floorsOf(unit).map((n): TreeNode<FloorNodeData> => {
          const data = { buildCode: u.buildCode, buildName: u.buildName, unitName: u.unitName, floorNum: n }
          return {
            key: floorKey(data),
            label: floorLabel(n),
            path: floorPath(data),
            leaf: true,
            group: u.buildName,
            fullName: floorFullName(data),
            ...(depth === 'any' ? {} : { lineLabel: '' }),
            data,
          }
        })
      : []
    return depth === 'any' ? [wholeBranchNode(u, '整个单元'), ...nodes] : nodes
  }
  const under = (n: TreeNode<FloorNodeData> | undefined): Promise<TreeNode<FloorNodeData>[]> =>
    !n ? buildings() : n.data.unitName === undefined ? units(n.data) : floors(n.data)
  const leaves = async (n: TreeNode<FloorNodeData>): Promise<readonly TreeNode<FloorNodeData>[]> => {
    const kids = await under(n)
    return (await Promise.all(kids.map(async k => (k.leaf ? [k] : await leaves(k))))).flat()
  }
  return { children: under, leaves }
}

interface Props {
  readonly projectCode: string | undefined
  readonly many: boolean
  readonly max?: number
  /** What is taken: buildings, units, floors, or whichever of them. */
  readonly depth?: Depth
  readonly value: readonly FloorSelection[]
  readonly onDone: (chosen: readonly FloorSelection[] | undefined) => void
}

const titles: Record<Depth, [string, string]> = {
  building: ['选择楼栋', '栋'],
  unit: ['选择单元', '个单元'],
  floor: ['选择楼层', '层'],
  any: ['选择楼栋、单元或楼层', '处'],
}

/** Building, unit, floor; units of one name within a building are one (0§3). */
export function FloorPicker({ projectCode, many, max, depth = 'floor', value, onDone }: Props) {
  const source = useMemo(() => createFloorSource(projectCode, depth), [projectCode, depth])
  const [title, unit] = titles[depth]
  const names = useCall(pickBuildings, projectCode ? { projectCode } : {}, {
    quiet: true,
    enabled: value.length > 0,
  })
  const chosen = useMemo(
    () =>
      value.map((v): TreeNode<FloorNodeData> => {
        const data = { ...v, buildName: v.buildName ?? names.data?.find(b => b.code === v.buildCode)?.name }
        const own: TreeNode<FloorNodeData> = {
          key: floorKey(v),
          label: floorFullName(data),
          path: floorPath(v),
          leaf: true,
          fullName: floorFullName(data),
          group: data.buildName,
          data,
        }
        return depth === 'any' && v.floorNum === undefined
          ? wholeBranchNode(data, v.unitName === undefined ? '整栋' : '整个单元')
          : own
      }),
    [names.data, depth, value],
  )
  if (value.length && names.isPending) return null
  return (
    <TreePicker
      title={title}
      source={source}
      multiple={many}
      {...(max ? { max } : {})}
      unit={unit}
      value={chosen}
      layout={depth === 'floor' ? 'lines' : 'rows'}
      emptyText="该项目暂无楼栋"
      onDone={got => onDone(got?.map(({ data: { building: _, ...f } }) => f))}
    />
  )
}
