import type { Id } from '#kit/domain/id.ts'
import { useMemo } from 'react'
import { useCall } from '#kit/web/query.ts'
import { TreeChooserDialog, type ChooserOptions } from '#kit/web/pickers/tree-chooser.tsx'
import type { TreeNode } from '#kit/web/pickers/tree-selection.ts'
import { getStaffTree } from '../contract/department.ts'
import { pickStaff } from '../contract/staff.ts'
import { StaffAvatar } from './staff-avatar.tsx'
import {
  toStaffNode,
  collectPeople,
  createStaffSource,
  type GetDisabledReason,
  type PickedStaff,
} from './staff-picker-nodes.tsx'

interface StaffPickerProps extends ChooserOptions<PickedStaff> {
  readonly title?: string
  /** Ids of those who are chosen already; who has left the company stays until removed. */
  readonly value: readonly Id[]
  /** Why somebody cannot be chosen. Must be the same function as long as the picker is open. */
  readonly disabledReason?: GetDisabledReason
}

type FormerStaff = NonNullable<typeof pickStaff.output.T>['rows'][number]

const formerStaffNode = ({ id, name, state, position, departmentId, departmentName }: FormerStaff) =>
  toStaffNode(
    { id, name, position: state === 'left' ? '已离职' : position, departmentId, departmentName },
    [],
  )

/** Who is chosen already, as nodes: those of the tree, and those who are there no more. */
function useChosenStaff(
  value: readonly Id[],
  inTree: readonly TreeNode<PickedStaff>[] | undefined,
): readonly TreeNode<PickedStaff>[] | undefined {
  const nodeById = new Map(inTree?.map(n => [n.data.id, { ...n, disabledReason: undefined }]))
  const missing = inTree ? value.filter(id => !nodeById.has(id)) : []
  const size = Math.max(1, Math.min(2000, missing.length))
  const others = useCall(
    pickStaff,
    { ids: missing.map(String), page: 1, size },
    { quiet: true, enabled: missing.length > 0 },
  )
  if (!inTree || (missing.length > 0 && others.isPending)) return undefined
  const formerById = new Map(others.data?.rows.map(s => [s.id, formerStaffNode(s)]))
  return value.flatMap(id => nodeById.get(id) ?? formerById.get(id) ?? [])
}

const drawChosen = ({ label, data }: TreeNode<PickedStaff>) => (
  <>
    <StaffAvatar name={label} size={30} />
    <div>
      <span className="ellipsis">{label}</span>
      <small className="ellipsis">
        {[data.departmentName ?? '未分配部门', data.position].filter(Boolean).join(' · ')}
      </small>
    </div>
  </>
)

/** 选择员工: people as leaves of the department tree (0§2, picture 11). */
export function StaffPicker({ title = '选择员工', value, disabledReason, ...options }: StaffPickerProps) {
  const tree = useCall(getStaffTree, {}, { quiet: true, staleMs: 0 })
  const { people, source } = useMemo(
    () => ({
      people: tree.data && collectPeople(tree.data, disabledReason),
      source: tree.data && createStaffSource(tree.data, disabledReason),
    }),
    [tree.data, disabledReason],
  )
  const chosen = useChosenStaff(value, people)
  return (
    <TreeChooserDialog
      {...options}
      title={title}
      unit="人"
      placeholder="姓名、部门、岗位、手机，支持拼音首字母"
      emptyText="暂无部门和员工"
      source={source}
      value={chosen}
      failure={tree.isError ? { error: tree.error, retry: () => void tree.refetch() } : undefined}
      drawChosen={drawChosen}
    />
  )
}
