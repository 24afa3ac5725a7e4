import type { Id } from '#kit/domain/id.ts'
import { Modal } from 'antd'
import { useMemo } from 'react'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-states.tsx'
import { useCall } from '#kit/web/query.ts'
import type { TreeNode } from '#kit/web/pickers/tree-selection.ts'
import { getStaffTree } from '../contract/department.ts'
import { pickStaff } from '../contract/staff.ts'
import { StaffChooser, type StaffChoiceOptions } from './staff-chooser.tsx'
import {
  toStaffNode,
  collectPeople,
  createStaffSource,
  type GetDisabledReason,
  type PickedStaff,
} from './staff-picker-nodes.tsx'
import './staff.css'

export interface StaffPickerProps extends StaffChoiceOptions {
  readonly title?: string
  /** Ids of those who are chosen already; who has left the company stays until he is taken out. */
  readonly value: readonly Id[]
  /** Why somebody may not be chosen. Must be the same function as long as the picker is open. */
  readonly disabledReason?: GetDisabledReason
}

type FormerStaff = NonNullable<typeof pickStaff.output.T>['rows'][number]

const formerStaffNode = ({ id, name, state, position, departmentId, departmentName }: FormerStaff) =>
  toStaffNode(
    { id, name, position: state === 'left' ? '已离职' : position, departmentId, departmentName },
    [],
  )

/** Who is chosen already, as nodes: those of the tree, and those who stand there no more. */
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

/**
 * 选择员工: the department tree with people as leaves at the left, who is chosen at the right (0§2, picture 11).
 */
export function StaffPicker({
  title = '选择员工',
  value,
  disabledReason,
  onDone,
  ...options
}: StaffPickerProps) {
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
    <Modal
      open
      width={800}
      footer={null}
      title={null}
      aria-label={title}
      keyboard={false}
      mask={{ closable: false }}
      onCancel={() => onDone(undefined)}
      destroyOnHidden
      className="staff-modal"
    >
      {tree.isError ? (
        <ErrorState error={tree.error} onRetry={() => void tree.refetch()} />
      ) : source && chosen ? (
        <StaffChooser {...options} title={title} source={source} value={chosen} onDone={onDone} />
      ) : (
        <div style={{ position: 'relative', height: 420 }}>
          <RowSkeleton rows={9} width={[160, 80]} />
        </div>
      )}
    </Modal>
  )
}
