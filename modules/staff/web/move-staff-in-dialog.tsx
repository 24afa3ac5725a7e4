import { useCallback } from 'react'
import { formatCount } from '#kit/web/numbers.tsx'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { reportBulkResult } from '#kit/web/report-bulk-result.tsx'
import { toast } from '#kit/web/toast.ts'
import type { DepartmentNode } from '../contract/department.ts'
import { moveStaff } from '../contract/staff.ts'
import type { PickedStaff } from './staff-picker-nodes.tsx'
import { StaffPicker } from './staff-picker.tsx'

/** As many as one call takes (G-11). */
const maxStaffPerMove = 2000

interface MoveStaffInDialogProps {
  readonly department: DepartmentNode
  readonly onClose: () => void
}

/** Moves people into a department, from any department. */
export function MoveStaffInDialog({ department: { id, name }, onClose }: MoveStaffInDialogProps) {
  const disabledReason = useCallback(
    (s: PickedStaff) => (s.departmentId === id ? '已在本部门' : undefined),
    [id],
  )
  const move = async (people: readonly PickedStaff[]): Promise<void> => {
    const input = { ids: people.map(s => String(s.id)), departmentId: id }
    const result = await sendAndInvalidate(moveStaff, input)
    if (result.fail) {
      reportBulkResult(result, `调入「${name}」结果`)
    } else {
      toast.success(`已将 ${formatCount(people.length)} 名员工调入「${name}」`)
    }
  }
  return (
    <StaffPicker
      title={`调入「${name}」`}
      many
      max={maxStaffPerMove}
      value={[]}
      disabledReason={disabledReason}
      note={people => `确定后，这 ${formatCount(people.length)} 人将从原部门调入「${name}」`}
      onDone={people => {
        onClose()
        if (people?.length) {
          void move(people).catch(() => undefined)
        }
      }}
    />
  )
}
