import { defined } from '#kit/domain/defined.ts'
import { useMemo } from 'react'
import type { TreeNode } from '#kit/web/pickers/tree-selection.ts'
import { TreePicker } from '#kit/web/pickers/tree-picker.tsx'
import type { TreeSource } from '#kit/web/pickers/use-tree.ts'
import { send } from '#kit/web/send.ts'
import { useCall } from '#kit/web/query.ts'
import { pickBuildings, pickUnits } from '../contract/building.ts'
import { floorsOf, floorLabel, mergeUnitsByName, unitLabel } from '../domain/floors.ts'

/** A building, a unit of it, or a floor of that. */
export interface FloorSelection {
  readonly buildCode: string
  readonly buildName?: string | undefined
  readonly unitName?: string | undefined
  readonly floorNum?: number | undefined
}

type FloorNode = TreeNode<FloorSelection>

/** The names from the building down, and the keys that say the same. */
function floorNode(floorSelection: FloorSelection, overrides: Partial<FloorNode> = {}): FloorNode {
  const keys = [floorSelection.buildCode, floorSelection.unitName, floorSelection.floorNum].filter(
    x => x !== undefined,
  )
  const labels = [
    floorSelection.buildName ?? floorSelection.buildCode,
    ...(floorSelection.unitName === undefined ? [] : [unitLabel(floorSelection.unitName)]),
    ...(floorSelection.floorNum === undefined ? [] : [floorLabel(floorSelection.floorNum)]),
  ]
  return {
    key: keys.join('/'),
    label: defined(labels.at(-1)),
    path: keys.slice(1).map((_, i) => keys.slice(0, i + 1).join('/')),
    leaf: floorSelection.floorNum !== undefined,
    fullName: labels.join(' '),
    group: floorSelection.buildName,
    data: floorSelection,
    ...overrides,
  }
}

/** A branch is followed by an entry that selects it: 整栋, 整个单元. */
const wholeBranchNode = (f: FloorSelection): FloorNode => {
  const { key, path } = floorNode(f)
  const label = f.unitName === undefined ? '整栋' : '整个单元'
  return floorNode(f, { key: `${key}/*`, label, path: [...path, key], leaf: true })
}

function createFloorSource(projectCode: string | undefined): TreeSource<FloorSelection> {
  const projectInput = projectCode ? { projectCode } : {}
  const loadUnits = async (buildCode: string) =>
    mergeUnitsByName(await send(pickUnits, { ...projectInput, buildCode }, { quiet: true }))
  const buildings = async (): Promise<FloorNode[]> =>
    (await send(pickBuildings, projectInput, { quiet: true })).map(b =>
      floorNode({ buildCode: defined(b.code), buildName: b.name }, { note: `${b.units} 个单元` }),
    )
  const units = async (building: FloorSelection): Promise<FloorNode[]> =>
    (await loadUnits(building.buildCode)).map(unitFloors =>
      floorNode(
        { ...building, unitName: unitFloors.name },
        {
          note: `${unitFloors.floorCount} 层${unitFloors.undergroundFloors ? `，地下 ${unitFloors.undergroundFloors} 层` : ''}`,
          count: floorsOf(unitFloors).length,
        },
      ),
    )
  const floors = async (unit: FloorSelection): Promise<FloorNode[]> => {
    const found = (await loadUnits(unit.buildCode)).find(u => u.name === unit.unitName)
    return found ? floorsOf(found).map(floorNum => floorNode({ ...unit, floorNum })) : []
  }
  return {
    children: async node => {
      if (!node) return buildings()
      return node.data.unitName === undefined
        ? [...(await units(node.data)), wholeBranchNode(node.data)]
        : [wholeBranchNode(node.data), ...(await floors(node.data))]
    },
  }
}

interface Props {
  readonly projectCode: string | undefined
  readonly value: FloorSelection | undefined
  /** `none` removes the filter; `undefined`: closed without choosing. */
  readonly onDone: (chosen: FloorSelection | 'none' | undefined) => void
}

/** A building, a unit or a floor; units of one name within a building are one (0§3). */
export function FloorPicker({ projectCode, value, onDone }: Props) {
  const source = useMemo(() => createFloorSource(projectCode), [projectCode])
  const names = useCall(pickBuildings, projectCode ? { projectCode } : {}, {
    quiet: true,
    enabled: value !== undefined,
  })
  const chosen = useMemo((): FloorNode[] => {
    if (!value) return []
    const buildName = value.buildName ?? names.data?.find(b => b.code === value.buildCode)?.name
    const data = { ...value, buildName }
    return [value.floorNum === undefined ? wholeBranchNode(data) : floorNode(data)]
  }, [names.data, value])
  if (value && names.isPending) return null
  return (
    <TreePicker
      title="选择楼栋、单元或楼层"
      source={source}
      multiple={false}
      unit="处"
      value={chosen}
      layout="rows"
      emptyText="该项目暂无楼栋"
      onDone={got => onDone(got && (got[0]?.data ?? 'none'))}
    />
  )
}
